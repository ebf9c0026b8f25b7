#include "commands/help.h"

#include "base/memory.h"
#include "base/near_word.h"
#include "commands/completion.h"
#include "commands/manual.h"
#include "commands/options.h"
#include "render/page.h"

#include <stdlib.h>
#include <string.h>

#define HELP_COLUMN 22

const struct command *help_find(const struct arguments *arguments, const char *name)
{
	struct near_word near = {.word = name};

	for (const struct command *const *command = arguments->commands; *command; command++)
		if (!strcmp((*command)->name, name))
			return *command;
	for (const struct command *const *command = arguments->commands; *command; command++)
		near_word_offer(&near, (*command)->name, strlen((*command)->name));
	command_fail(EXIT_USAGE, "unknown command '%s'%s%s see streamtrace --help", name,
		     near_word_question(&near), near.distance ? "" : ":");
	return NULL;
}

/* The name in a column, the text beside it or, where the name is too long, below. */
static void print_row(const struct page *page, const char *name, const char *text)
{
	if (strlen(name) + 2 > HELP_COLUMN) {
		fprintf(page->out, "%s\n", name);
		name = "";
	}
	print_wrapped(page, name, HELP_COLUMN, text);
}

static void print_options(const struct page *page, const struct command *command)
{
	fputs("\nOptions:\n", page->out);
	for (int id = 0; id < OPTION_COUNT; id++) {
		struct option_row row = options_row((enum option_id)id);
		char *name, *lead, *text;

		if (!row.help || !options_apply(&row, command))
			continue;
		name = options_name(&row);
		lead = memory_format("%s%s", row.letter ? "  " : "      ", name);
		text = options_describe(&row);
		print_row(page, lead, text);
		free(text);
		free(lead);
		free(name);
	}
}

static void print_variables(const struct page *page)
{
	fputs("\nEnvironment of the traced program:\n", page->out);
	for (size_t i = 0; i < VARIABLE_COUNT; i++) {
		const struct variable_row *row = &variable_rows[i];
		char *name = memory_format("  %s=%s", row->name,
					   row->argument ? row->argument : row->check.words);
		char *text = options_describe_variable(row);

		print_row(page, name, text);
		free(text);
		free(name);
	}
}

static void print_commands(const struct page *page, const struct arguments *arguments)
{
	fputs("\nCommands:\n", page->out);
	for (const struct command *const *command = arguments->commands; *command; command++)
		fprintf(page->out, "  %-9s %s\n", (*command)->name, (*command)->summary);
}

static void print_statuses(const struct page *page)
{
	const char *before = "Exit status: ";
	char *text = memory_format("%s", ""), *longer;

#define EXIT_STATUS(name, number, meaning)                                                         \
	longer = memory_format("%s%s%d %s", text, before, number, meaning);                        \
	free(text);                                                                                \
	text = longer;                                                                             \
	before = ", ";
#include "commands/exit_status.def"
#undef EXIT_STATUS
	fputc('\n', page->out);
	longer = memory_format("%s.", text);
	print_wrapped(page, NULL, 0, longer);
	free(longer);
	free(text);
}

/* One beside the word, several below it. */
static void print_examples(FILE *out, const char *examples)
{
	bool is_one = !strchr(examples, '\n');

	fputs(is_one ? "\nExample:" : "\nExamples:\n", out);
	while (*examples) {
		size_t bytes = strcspn(examples, "\n");

		fprintf(out, "%s%.*s\n", is_one ? " " : "  ", (int)bytes, examples);
		examples += bytes + (examples[bytes] == '\n');
	}
}

int help_command(FILE *out, const struct command *command, const struct arguments *arguments)
{
	struct page page = page_open(out);
	bool is_program = command == arguments->program;

	fprintf(out, "Usage: streamtrace %s%s%s\n", is_program ? "" : command->name,
		is_program ? "" : " [OPTION]... ", command->operands);
	print_paragraphs(&page, 0, command->description);
	if (is_program)
		print_commands(&page, arguments);
	print_options(&page, command);
	if (command->runs_program && !is_program)
		print_variables(&page);
	if (is_program)
		print_statuses(&page);
	if (command->example)
		print_examples(out, command->example);
	return EXIT_FINE;
}

static int help_main(const struct arguments *arguments)
{
	const struct command *command = arguments->program;

	if (arguments->operand_count)
		command = help_find(arguments, arguments->operands[0]);
	if (!command)
		return EXIT_USAGE;
	if (arguments->is_given[OPTION_MAN])
		return command == arguments->program ? manual_print_man(stdout, arguments)
						     : manual_print_command(stdout, command);
	if (arguments->is_given[OPTION_MARKDOWN])
		return manual_print_markdown(stdout, arguments);
	if (arguments->is_given[OPTION_COMPLETION])
		return completion_print(stdout, arguments, arguments->values[OPTION_COMPLETION]);
	return help_command(stdout, command, arguments);
}

const struct command command_help = {
	.name = "help",
	.summary = "show how to use a command",
	.operands = "[COMMAND]",
	.description = "Shows how to use the program or one of its commands.",
	.example = "streamtrace help report\n"
		   "source <(streamtrace help --completion=bash)",
	.is_one = true,
	.main = help_main,
};
