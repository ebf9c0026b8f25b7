#include "commands/command.h"
#include "base/memory.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static const struct command *const commands[] = {&command_run, &command_report, &command_whatif,
						 &command_info};

#define COMMAND_COUNT (sizeof(commands) / sizeof(*commands))

static void print_help(FILE *out)
{
	size_t i;

	fputs("Usage: streamtrace COMMAND [OPTION]... [ARGUMENT]...\n"
	      "Where did a CUDA program lose overlap, in which line, and how much time would\n"
	      "the fix bring back?\n\nCommands:\n",
	      out);
	for (i = 0; i < COMMAND_COUNT; i++)
		fprintf(out, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\nOptions:\n"
	      "  -h, --help     show this help; streamtrace COMMAND --help shows a command's\n"
	      "  -V, --version  show the version\n"
	      "\nExit status: 0 fine, 2 wrong usage, 3 a file is unreadable or not a trace.\n"
	      "Start with: streamtrace run ./program\n",
	      out);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	size_t i;

	setlocale(LC_CTYPE, "");
	if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0) {
		print_help(stdout);
		return EXIT_FINE;
	}
	if (strcmp(name, "-V") == 0 || strcmp(name, "--version") == 0) {
		puts("streamtrace " STREAMTRACE_VERSION);
		return EXIT_FINE;
	}
	for (i = 0; i < COMMAND_COUNT; i++)
		if (strcmp(commands[i]->name, name) == 0) {
			/* getopt's messages begin with this. */
			argv[1] = memory_format("streamtrace %s", name);
			return commands[i]->main(argc - 1, argv + 1);
		}
	if (argc < 2)
		print_help(stderr);
	else
		fprintf(stderr, "streamtrace: no command '%s': see streamtrace --help\n", name);
	return EXIT_USAGE;
}
