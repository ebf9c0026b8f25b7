#include "commands/command.h"
#include "trace/unpack_blocks.h"

#include <stdlib.h>

/* The exit status. */
static int unpack_one(const char *path)
{
	struct trace_unpacked unpacked;
	char *error = NULL;
	const int status = trace_unpack(path, &unpacked, &error);

	if (status)
		command_fail(EXIT_UNREADABLE, "%s: %s", path, error ? error : "out of memory");
	else
		command_note("%s: %lld calls and %lld operations were in blocks", path,
			     (long long)unpacked.calls, (long long)unpacked.operations);
	free(error);
	return status ? EXIT_UNREADABLE : EXIT_FINE;
}

static int unpack_main(const struct arguments *arguments)
{
	int status = EXIT_FINE;

	for (int i = 0; i < arguments->operand_count; i++)
		if (unpack_one(arguments->operands[i]) != EXIT_FINE)
			status = EXIT_UNREADABLE;
	return status;
}

const struct command command_unpack = {
	.name = "unpack",
	.summary = "make rows of all calls and operations, for SQL",
	.operands = "TRACE...",
	.needs = "a trace",
	.description =
		"A trace of more than 8,192 calls and operations has them in blocks of bytes, some "
		"7 bytes each; all commands read them there. This makes rows of the tables calls "
		"and operations of them, for your own SQL; they then take some eight times as much "
		"of the file.",
	.example = "streamtrace unpack app.db",
	.main = unpack_main,
};
