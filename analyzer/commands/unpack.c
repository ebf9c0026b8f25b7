#include "commands/command.h"

#include "trace/unpack.h"

#include <stdlib.h>

/* The exit status. */
static int unpack_one(const char *path)
{
	char *error = NULL;
	int64_t count = trace_unpack(path, &error);

	if (count < 0)
		command_fail(EXIT_UNREADABLE, "%s: %s", path, error ? error : "out of memory");
	else
		command_note("%s: %lld calls were in blocks", path, (long long)count);
	free(error);
	return count < 0 ? EXIT_UNREADABLE : EXIT_FINE;
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
	.summary = "make rows of all calls, for SQL",
	.operands = "TRACE...",
	.needs = "a trace",
	.description =
		"Calls that came too fast to be written as rows are in blocks of the table "
		"call_blocks. All commands read them there. This makes rows of the table calls of "
		"them, for your own SQL; a call then takes some ten times as much of the file.",
	.example = "streamtrace unpack app.db",
	.main = unpack_main,
};
