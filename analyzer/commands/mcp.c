#include "base/memory.h"
#include "commands/command.h"
#include "commands/options.h"
#include "mcp/server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *describe_option(const char *command, const char *option)
{
	const struct command named = {.name = command};

	for (int id = 0; id < OPTION_COUNT; id++) {
		const struct option_row row = options_row((enum option_id)id);

		if (row.help && !strcmp(row.name, option) && options_apply(&row, &named))
			return options_describe(&row);
	}
	return memory_format("%s", option);
}

static bool is_failure(int status)
{
	return status == EXIT_USAGE || status == EXIT_UNREADABLE || status > EXIT_EMPTY;
}

/* False: one is no folder, which was printed. */
static bool add_roots(struct roots *roots, const char *list)
{
	char *copy = memory_format("%s", list), *rest = copy, *path;
	bool ok = true;

	while (ok && (path = strsep(&rest, ":"))) {
		ok = roots_add(roots, path);
		if (!ok)
			command_fail(EXIT_USAGE, "--root=%s: %s: is no folder", list, path);
	}
	free(copy);
	return ok;
}

static int mcp_main(const struct arguments *arguments)
{
	const char *list = arguments->values[OPTION_MCP_ROOT];
	struct roots roots = {0};
	const struct server_options options = {
		.roots = &roots,
		.has_roots = list != NULL,
		.runs_programs = arguments->is_given[OPTION_ALLOW_RUN],
		.help = describe_option,
		.is_failure = is_failure,
	};
	int status = EXIT_FINE;
	struct server *server;

	if (arguments->operand_count)
		return command_fail(EXIT_USAGE,
				    "mcp: unexpected argument '%s': see streamtrace mcp --help",
				    arguments->operands[0]);
	if (!add_roots(&roots, list ? list : ".")) {
		roots_free(&roots);
		return EXIT_USAGE;
	}
	server = server_make(&options, stdout);
	if (!server_serve(server, STDIN_FILENO))
		status = command_fail(EXIT_UNREADABLE, "mcp: %s", strerror(errno));
	server_free(server);
	roots_free(&roots);
	return status;
}

const struct command command_mcp = {
	.name = "mcp",
	.summary = "serve agents and editors: the Model Context Protocol",
	.operands = "",
	.description = "Serves a client of the Model Context Protocol on standard input and "
		       "output: an agent or "
		       "an editor, which starts this command. It gets the tools report, explain, "
		       "whatif, diff, check and info, with --allow-run record, too, and the traces "
		       "and their pages as "
		       "resources. "
		       "Only files below the roots are read, and only record writes.",
	.example = "streamtrace mcp --root=/home/me/project --allow-run",
	.main = mcp_main,
};
