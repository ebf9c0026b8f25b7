#include "commands/options.h"

#include "base/memory.h"
#include "base/near_word.h"

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "|text|json": the formats of reports, of gates, of whatif, of export. */
static const char report_formats[] = ""
#define FORMAT(name, meaning, of_report, ...) of_report("|" #name)
#include "render/output_formats.def"
#undef FORMAT
	;

static const char gate_formats[] = ""
#define FORMAT(name, meaning, of_report, of_job, of_gate, ...) of_gate("|" #name)
#include "render/output_formats.def"
#undef FORMAT
	;

static const char whatif_formats[] = ""
#define FORMAT(name, meaning, of_report, of_job, of_gate, of_whatif, ...) of_whatif("|" #name)
#include "render/output_formats.def"
#undef FORMAT
	;

/* What the help says of the formats of reports, and of gates. */
static const char report_format_help[] = "output format; several reports make one JSON array"
#define FORMAT(name, meaning, of_report, ...) of_report(". " #name ": " meaning)
#include "render/output_formats.def"
#undef FORMAT
	;

static const char gate_format_help[] = "output format"
#define FORMAT(name, meaning, of_report, of_job, of_gate, ...) of_gate(". " #name ": " meaning)
#include "render/output_formats.def"
#undef FORMAT
	;

static const char export_formats[] = ""
#define EXPORTER(name) "|" #name
#include "export/exporters.def"
#undef EXPORTER
	;

#define VALUE_TEXT(value)   value
#define VALUE_FLAG(value)   #value
#define VALUE_NUMBER(value) #value
#define VALUE_SIGNAL(value) ""
#define ENVIRONMENT(name, field, type, value, rule, argument, meaning)                             \
	[VARIABLE_##name] = {"STREAMTRACE_" #name, argument, VALUE_##type(value), rule, meaning},
const struct variable_row variable_rows[VARIABLE_COUNT] = {
#include "facts/environment.def"
};
#undef ENVIRONMENT

#define OPTION(id, commands, long, short, takes, argument, variable, value, rule, help)            \
	[OPTION_##id] = {commands, long, short, takes, argument, VARIABLE_##variable,              \
			 value,	   rule, help},
static const struct option_row rows[OPTION_COUNT] = {
#include "commands/options.def"
};
#undef OPTION

struct option_row options_row(enum option_id id)
{
	struct option_row row = rows[id];
	const struct variable_row *variable =
		row.variable != VARIABLE_NONE ? &variable_rows[row.variable] : NULL;

	if (variable && !row.argument) {
		row.argument = variable->argument;
		row.check = variable->check;
		row.value = variable->value;
	}
	if (!row.argument)
		row.argument = row.check.words;
	return row;
}

bool options_apply(const struct option_row *row, const struct command *command)
{
	const struct check names = {.words = row->commands};

	return !row->commands || check_word(&names, command->name) >= 0;
}

char *options_name(const struct option_row *row)
{
	char letter[] = {'-', (char)row->letter, ',', ' ', '\0'};
	bool is_optional = row->takes == optional_argument;

	return memory_format("%s--%s%s%s%s", row->letter ? letter : "", row->name,
			     row->takes == no_argument ? ""
			     : is_optional	       ? "[="
						       : "=",
			     row->takes == no_argument ? "" : row->argument,
			     is_optional ? "]" : "");
}

/* The text with more behind it; frees the text. */
static char *append_text(char *text, const char *more)
{
	char *longer = memory_format("%s%s", text, more);

	free(text);
	return longer;
}

static char *append_fields(char *text)
{
	const char *before = ". In FILE, ";

#define OUTPUT_FIELD(letter, name, meaning)                                                        \
	text = append_text(text, before);                                                          \
	text = append_text(text, (const char[]){'%', letter, '\0'});                               \
	text = append_text(text, " is the " meaning);                                              \
	before = ", ";
#include "facts/output_name.def"
#undef OUTPUT_FIELD
	return text;
}

/* variable: where the default comes from first, or NULL. */
static char *describe_values(const char *meaning, const struct check *check, const char *value,
			     const char *variable)
{
	char *text = memory_format("%s", meaning), *more;

	if (check->has_fields)
		text = append_fields(text);
	if (check->most && check->most < INT64_MAX) {
		more = memory_format("; %ld to %ld", check->least, check->most);
		text = append_text(text, more);
		free(more);
	}
	if (value && *value) {
		more = memory_format(" (default: %s%s%s%s)", variable ? "$" : "",
				     variable ? variable : "", variable ? ", else " : "", value);
		text = append_text(text, more);
		free(more);
	}
	return text;
}

char *options_describe(const struct option_row *row)
{
	const char *variable = row->variable != VARIABLE_NONE && row->value
				       ? variable_rows[row->variable].name
				       : NULL;

	return describe_values(row->help, &row->check, row->value, variable);
}

char *options_describe_variable(const struct variable_row *row)
{
	return describe_values(row->meaning, &row->check, row->value, NULL);
}

/* getopt's tables of the command's options, each with its id behind the letters. */
struct tables {
	struct option options[OPTION_COUNT + 1];
	char letters[3 * OPTION_COUNT + 3];
};

#define FIRST_ID 256

static void make_tables(struct tables *tables, const struct command *command)
{
	struct option *option = tables->options;
	char *letter = tables->letters;

	if (command->runs_program)
		*letter++ = '+';
	*letter++ = ':'; /* a missing value is told from an unknown option */
	for (int id = 0; id < OPTION_COUNT; id++) {
		struct option_row row = options_row((enum option_id)id);

		if (!options_apply(&row, command))
			continue;
		*option++ = (struct option){row.name, row.takes, NULL, FIRST_ID + id};
		if (!row.letter)
			continue;
		*letter++ = (char)row.letter;
		for (int colons = 0; colons < row.takes; colons++)
			*letter++ = ':';
	}
	*option = (struct option){0};
	*letter = '\0';
}

static enum option_id option_of(const struct command *command, int result)
{
	int id = 0;

	if (result >= FIRST_ID)
		return (enum option_id)(result - FIRST_ID);
	while (rows[id].letter != result || !options_apply(&rows[id], command))
		id++;
	return (enum option_id)id;
}

static bool check_value(enum option_id id, const char *value)
{
	struct option_row row = options_row(id);
	struct near_word near = {.word = value};
	char expected[256];

	if (check_passes(&row.check, value))
		return true;
	near_word_offer_all(&near, row.check.words);
	command_fail(EXIT_USAGE, "--%s=%s: the value must be %s%s", row.name, value,
		     check_expects(&row.check, row.argument, expected, sizeof(expected)),
		     near_word_question(&near));
	return false;
}

static void set_defaults(struct arguments *arguments)
{
	for (int id = 0; id < OPTION_COUNT; id++) {
		struct option_row row = options_row((enum option_id)id);
		const char *variable = row.variable != VARIABLE_NONE && row.value
					       ? getenv(variable_rows[row.variable].name)
					       : NULL;

		arguments->values[id] = variable && *variable ? variable : row.value;
		arguments->is_given[id] = false;
	}
}

/* What getopt_long() did not take, and would print as it is. */
static void say_wrong(const struct command *command, const struct arguments *arguments, int result,
		      const char *option)
{
	const bool is_program = command == arguments->program;
	const char *what = result == ':'	? "needs a value"
			   : optopt >= FIRST_ID ? "takes no value"
						: "is no option, or the beginning of several";
	const char letter[] = {'-', (char)optopt, '\0'};
	char *name = memory_format("%.*s", (int)strcspn(option, "="), option);
	struct near_word near = {.word = name + strspn(name, "-")};

	if (optopt > 0 && optopt < FIRST_ID && option[1] != '-')
		option = letter;
	for (int id = 0; result == '?' && optopt == 0 && id < OPTION_COUNT; id++)
		if (rows[id].help && options_apply(&rows[id], command))
			near_word_offer(&near, rows[id].name, strlen(rows[id].name));
	command_fail(EXIT_USAGE, "%s %s%s%s see streamtrace %s%s--help", option, what,
		     near_word_question(&near), near.distance ? "" : ":",
		     is_program ? "" : command->name, is_program ? "" : " ");
	free(name);
}

bool options_parse(const struct command *command, int argc, char **argv,
		   struct arguments *arguments)
{
	struct tables tables;
	int result;

	make_tables(&tables, command);
	set_defaults(arguments);
	opterr = 0;
	optind = 0; /* glibc: begin anew */
	while ((result = getopt_long(argc, argv, tables.letters, tables.options, NULL)) != -1) {
		enum option_id id;

		if (result == '?' || result == ':') {
			say_wrong(command, arguments, result, argv[optind - 1]);
			return false;
		}
		id = option_of(command, result);
		arguments->values[id] = optarg ? optarg : "";
		arguments->is_given[id] = true;
		if (optarg && !check_value(id, optarg))
			return false;
	}
	arguments->operands = argv + optind;
	arguments->operand_count = argc - optind;
	return true;
}
