#include "commands/manual.h"

#include "base/memory.h"
#include "commands/options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *meaning;
} files[] = {
	{NULL, "the trace, one SQLite file with the mode 0600; schema.sql documents its tables"},
	{"libstrace.so",
	 "the library that `streamtrace run` preloads. LD_PRELOAD needs its path where it"
	 " is not installed below /usr or /usr/local"},
	{"libstrace_touch.so", "preloaded too by `streamtrace run --first-use`"},
	{"libstrace_try.so", "preloaded by `streamtrace try`, alone"},
};

static const struct {
	const char *command, *meaning;
} examples[] = {
	{"streamtrace run --report -o app.db ./app --size 4096",
	 "Trace a program. Where did it lose overlap?"},
	{"streamtrace report --format=json app.db", "The same as JSON:"},
	{"streamtrace explain pageable-copy", "What a finding is, and how to fix it:"},
	{"streamtrace whatif --apply=1,pageable-copy app.db", "The run with some fixes applied:"},
	{"LD_PRELOAD=libstrace.so STREAMTRACE_START=paused ./app",
	 "Trace without `streamtrace run`, and only what the program marks:"},
};

/* A file's name: the first is the trace's default. */
static const char *file_name(size_t i)
{
	return files[i].name ? files[i].name : variable_rows[VARIABLE_OUTPUT].value;
}

static const char *argument_of(const struct variable_row *row)
{
	return row->argument ? row->argument : row->check.words;
}

/* troff's own characters escaped; a hyphen is a minus, so that an option can be copied. */
static void put_roff(FILE *out, const char *text)
{
	for (const char *c = text; *c; c++) {
		if (c == text && (*c == '.' || *c == '\''))
			fputs("\\&", out);
		if (*c == '\\')
			fputs("\\e", out);
		else if (*c == '-')
			fputs("\\-", out);
		else
			fputc(*c, out);
	}
}

static void put_line(FILE *out, const char *text)
{
	put_roff(out, text);
	fputc('\n', out);
}

/* A term in bold with its text below. */
static void put_term(FILE *out, const char *term, const char *text)
{
	fputs(".TP\n\\fB", out);
	put_roff(out, term);
	fputs("\\fR\n", out);
	put_line(out, text);
}

static void put_paragraphs(FILE *out, const char *text)
{
	for (; *text; text++) {
		size_t length = strcspn(text, "\n");
		char *paragraph = strndup(text, length);

		if (paragraph) {
			fputs(".PP\n", out);
			put_line(out, paragraph);
		}
		free(paragraph);
		text += length;
		if (!*text)
			break;
	}
}

static void put_options(FILE *out, const struct command *command)
{
	for (int id = 0; id < OPTION_COUNT; id++) {
		struct option_row row = options_row((enum option_id)id);
		char *name, *text;

		if (!row.help || !options_apply(&row, command))
			continue;
		name = options_name(&row);
		text = options_describe(&row);
		put_term(out, name, text);
		free(text);
		free(name);
	}
}

/* Lines as they are. */
static void put_example(FILE *out, const char *lines)
{
	fputs(".PP\n.RS 4\n.nf\n", out);
	put_line(out, lines);
	fputs(".fi\n.RE\n", out);
}

static void put_heading(FILE *out, const char *title)
{
	fputs(".TH ", out);
	for (const char *c = title; *c; c++)
		fputc(toupper((unsigned char)*c), out);
	fprintf(out, " 1 \"\" \"streamtrace %s\" \"User Commands\"\n.nh\n.SH NAME\n",
		STREAMTRACE_VERSION);
	put_roff(out, title);
	fputs(" \\- ", out);
}

/* The commands, and the page of each. */
static void put_commands(FILE *out, const struct arguments *arguments)
{
	fputs(".SH COMMANDS\n", out);
	for (const struct command *const *command = arguments->commands; *command; command++) {
		char *text = memory_format("%s: see streamtrace-%s(1)", (*command)->summary,
					   (*command)->name);

		put_term(out, (*command)->name, text);
		free(text);
	}
}

static void put_environment(FILE *out)
{
	fputs(".SH ENVIRONMENT\n"
	      "libstrace.so reads these variables in the traced program. An unknown name or an "
	      "invalid\n"
	      "value is reported, and the default is used.\n",
	      out);
	for (size_t i = 0; i < VARIABLE_COUNT; i++) {
		char *text = options_describe_variable(&variable_rows[i]);

		fputs(".TP\n\\fB", out);
		put_roff(out, variable_rows[i].name);
		fputs("\\fR=\\fI", out);
		put_roff(out, argument_of(&variable_rows[i]));
		fputs("\\fR\n", out);
		put_line(out, text);
		free(text);
	}
}

static void put_statuses(FILE *out)
{
	fputs(".SH EXIT STATUS\n", out);
#define EXIT_STATUS(name, number, meaning) put_term(out, #number, meaning);
#include "commands/exit_status.def"
#undef EXIT_STATUS
}

/* What `run` reads, writes and ends with. */
static void put_run(FILE *out)
{
	put_environment(out);
	put_statuses(out);
	fputs(".PP\n", out);
	put_line(out,
		 "run ends with the status of the traced program, 128 + N when signal N killed "
		 "it, 127 when it was not found and 126 when it could not be run.");
	fputs(".SH FILES\n", out);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		put_term(out, file_name(i), files[i].meaning);
}

static void put_examples(FILE *out)
{
	fputs(".SH EXAMPLES\n", out);
	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		fputs(".PP\n", out);
		put_line(out, examples[i].meaning);
		put_example(out, examples[i].command);
	}
}

int manual_print_man(FILE *out, const struct arguments *arguments)
{
	put_heading(out, "streamtrace");
	put_line(out, arguments->program->summary);
	fputs(".SH SYNOPSIS\n.B streamtrace\n", out);
	put_line(out, arguments->program->operands);
	fputs(".SH DESCRIPTION\n", out);
	put_paragraphs(out, arguments->program->description);
	fputs(".SH OPTIONS\n", out);
	put_options(out, arguments->program);
	put_commands(out, arguments);
	put_run(out);
	put_examples(out);
	return EXIT_FINE;
}

int manual_print_command(FILE *out, const struct command *command)
{
	char *title = memory_format("streamtrace-%s", command->name);

	put_heading(out, title);
	free(title);
	put_line(out, command->summary);
	fprintf(out, ".SH SYNOPSIS\n.B streamtrace %s\n[OPTION]... ", command->name);
	put_line(out, command->operands);
	fputs(".SH DESCRIPTION\n", out);
	put_paragraphs(out, command->description);
	fputs(".SH OPTIONS\n", out);
	put_options(out, command);
	if (command->runs_program)
		put_run(out);
	else
		put_statuses(out);
	if (command->example) {
		fputs(".SH EXAMPLES\n", out);
		put_example(out, command->example);
	}
	fputs(".SH SEE ALSO\n", out);
	put_line(out, "streamtrace(1)");
	return EXIT_FINE;
}

/* A cell of a table: bars would end it. */
static void put_cell(FILE *out, const char *text, bool is_code)
{
	fputs(is_code ? " `" : " ", out);
	for (const char *c = text; *c; c++)
		fprintf(out, *c == '|' ? "\\%c" : "%c", *c);
	fputs(is_code ? "` |" : " |", out);
}

static void put_option_row(FILE *out, const struct option_row *row,
			   const struct command *const *commands)
{
	char *name = options_name(row), *text = options_describe(row);
	const char *separator = "| ";

	for (; *commands; commands++) {
		if (options_apply(row, *commands)) {
			fprintf(out, "%s`%s`", separator, (*commands)->name);
			separator = ", ";
		}
	}
	fputs(" |", out);
	put_cell(out, name, true);
	put_cell(out, text, false);
	fputc('\n', out);
	free(text);
	free(name);
}

int manual_print_markdown(FILE *out, const struct arguments *arguments)
{
	fputs("# Options and environment\n\n"
	      "Made by `streamtrace help --markdown`; a test compares the two. `streamtrace help "
	      "COMMAND`\nand `man streamtrace-COMMAND` say the same.\n\n"
	      "| commands | option | meaning |\n|---|---|---|\n",
	      out);
	for (int id = 0; id < OPTION_COUNT; id++) {
		struct option_row row = options_row((enum option_id)id);

		if (row.help && row.commands)
			put_option_row(out, &row, arguments->commands);
	}
	fputs("\n`libstrace.so` reads these variables in the traced program, whether `streamtrace "
	      "run` or\n`LD_PRELOAD` loaded it. An unknown name or an invalid value is reported, "
	      "and the default is used.\n\n"
	      "| variable | meaning |\n|---|---|\n",
	      out);
	for (size_t i = 0; i < VARIABLE_COUNT; i++) {
		char *text = options_describe_variable(&variable_rows[i]);

		fprintf(out, "| `%s=", variable_rows[i].name);
		for (const char *c = argument_of(&variable_rows[i]); *c; c++)
			fprintf(out, *c == '|' ? "\\%c" : "%c", *c);
		fputs("` |", out);
		put_cell(out, text, false);
		fputc('\n', out);
		free(text);
	}
	return EXIT_FINE;
}
