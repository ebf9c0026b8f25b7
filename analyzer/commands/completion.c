#include "commands/completion.h"

#include "commands/options.h"
#include "findings/detector_table.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* Words of a check, apart by bars, with blanks instead. */
static void put_words(FILE *out, const char *words)
{
	for (; *words; words++)
		fputc(*words == '|' ? ' ' : *words, out);
}

static void put_commands(FILE *out, const struct arguments *arguments)
{
	for (size_t i = 0; arguments->commands[i]; i++)
		fprintf(out, "%s%s", i ? " " : "", arguments->commands[i]->name);
}

static void put_ids(FILE *out)
{
	for (size_t i = 0; detectors[i]; i++)
		fprintf(out, "%s%s", i ? " " : "", detectors[i]->id);
}

/* Whether it is an option of the command for people. */
static bool is_shown(const struct option_row *row, const struct command *command)
{
	return row->help && options_apply(row, command);
}

static bool has_files(const struct command *command, const struct arguments *arguments)
{
	return strcmp(command->name, "explain") != 0 && strcmp(command->name, "help") != 0 &&
	       command != arguments->program;
}

/* The words that its operands are chosen from, where they are no files. */
static void put_operands(FILE *out, const struct command *command,
			 const struct arguments *arguments)
{
	if (!strcmp(command->name, "explain"))
		put_ids(out);
	else
		put_commands(out, arguments);
}

/* A branch a command: its options and operands, and the values of options that are words. */
static void put_bash_branch(FILE *out, const struct command *command,
			    const struct arguments *arguments)
{
	fprintf(out, "\t%s)\n\t\tcase $option in\n",
		command == arguments->program ? "''" : command->name);
	for (int id = 0; id < OPTION_COUNT; id++) {
		struct option_row row = options_row((enum option_id)id);

		if (!is_shown(&row, command) || row.takes == no_argument)
			continue;
		fprintf(out, "\t\t--%s", row.name);
		if (row.letter)
			fprintf(out, " | -%c", row.letter);
		fputs(") words='", out);
		put_words(out, row.check.words ? row.check.words : "");
		fputs("' ;;\n", out);
	}
	/* If the operands are files, options are offered only once a dash is typed. */
	fprintf(out, "\t\t*) %swords='",
		has_files(command, arguments) ? "[[ $word != -* ]] || " : "");
	for (int id = 0; id < OPTION_COUNT; id++) {
		struct option_row row = options_row((enum option_id)id);

		if (is_shown(&row, command))
			fprintf(out, "--%s%s ", row.name,
				row.takes == required_argument ? "=" : "");
	}
	if (!has_files(command, arguments))
		put_operands(out, command, arguments);
	fputs("' ;;\n\t\tesac\n\t\t;;\n", out);
}

int completion_print_bash(FILE *out, const struct arguments *arguments)
{
	fputs("# Completion of streamtrace's command lines for bash: streamtrace help "
	      "--completion=bash\n"
	      "_streamtrace()\n"
	      "{\n"
	      "\tlocal word=${COMP_WORDS[COMP_CWORD]} option='' command='' words='' i\n"
	      "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	      "\t\tcase ${COMP_WORDS[i]} in\n"
	      "\t\t-* | =) ;;\n"
	      "\t\t*)\n"
	      "\t\t\tcommand=${COMP_WORDS[i]}\n"
	      "\t\t\tbreak\n"
	      "\t\t\t;;\n"
	      "\t\tesac\n"
	      "\tdone\n"
	      "\t# The word of --format=WORD and of -o WORD, however it is being typed.\n"
	      "\tif [[ $word == = ]]; then\n"
	      "\t\toption=${COMP_WORDS[COMP_CWORD - 1]} word=''\n"
	      "\telif ((COMP_CWORD > 2)) && [[ ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then\n"
	      "\t\toption=${COMP_WORDS[COMP_CWORD - 2]}\n"
	      "\telif [[ ${COMP_WORDS[COMP_CWORD - 1]} == -* ]]; then\n"
	      "\t\toption=${COMP_WORDS[COMP_CWORD - 1]}\n"
	      "\tfi\n"
	      "\tcase $command in\n",
	      out);
	put_bash_branch(out, arguments->program, arguments);
	for (const struct command *const *command = arguments->commands; *command; command++)
		put_bash_branch(out, *command, arguments);
	fputs("\tesac\n"
	      "\t# Where no word fits, files are offered.\n"
	      "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
	      "\tif [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then\n"
	      "\t\tcompopt -o nospace 2>/dev/null || :\n"
	      "\tfi\n"
	      "}\n"
	      "complete -o default -F _streamtrace streamtrace\n",
	      out);
	return EXIT_FINE;
}

/* Inside of '...[TEXT]': what would end the brackets, the quotes or the line is escaped. */
static void put_zsh_text(FILE *out, const char *text)
{
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", out);
		else if (*text == '\n')
			fputc(' ', out);
		else
			fprintf(out, strchr("[]:\\", *text) ? "\\%c" : "%c", *text);
}

/* Ends the text behind its first clause: a menu has a line for each option. */
static void cut_to_clause(char *text)
{
	static const char *const ends[] = {";", ": ", ". ", " ("};

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		char *end = strstr(text, ends[i]);

		if (end)
			*end = '\0';
	}
}

/* A spec of _arguments, of the option by its name or by its letter. */
static void put_zsh_spec(FILE *out, const struct option_row *row, bool is_letter, const char *text)
{
	if (is_letter)
		fprintf(out, "\t\t\t'-%c%s[", row->letter, row->takes ? "+" : "");
	else
		fprintf(out, "\t\t\t'--%s%s[", row->name,
			row->takes == required_argument	  ? "="
			: row->takes == optional_argument ? "=-"
							  : "");
	put_zsh_text(out, text);
	fputc(']', out);
	if (row->takes != no_argument) {
		fputs(row->takes == optional_argument ? "::" : ":", out);
		put_zsh_text(out, row->check.words ? row->name : row->argument);
		fputs(row->check.words ? ":(" : ":_files", out);
		put_words(out, row->check.words ? row->check.words : "");
		fputs(row->check.words ? ")" : "", out);
	}
	fputs("' \\\n", out);
}

static void put_zsh_option(FILE *out, const struct option_row *row)
{
	char *text = options_describe(row);

	cut_to_clause(text);
	put_zsh_spec(out, row, false, text);
	if (row->letter)
		put_zsh_spec(out, row, true, text);
	free(text);
}

static void put_zsh_options(FILE *out, const struct command *command)
{
	for (int id = 0; id < OPTION_COUNT; id++) {
		struct option_row row = options_row((enum option_id)id);

		if (is_shown(&row, command))
			put_zsh_option(out, &row);
	}
}

static void put_zsh_operands(FILE *out, const struct command *command,
			     const struct arguments *arguments)
{
	if (has_files(command, arguments)) {
		fputs("_files", out);
		return;
	}
	fputc('(', out);
	put_operands(out, command, arguments);
	fputc(')', out);
}

static void put_zsh_branch(FILE *out, const struct command *command,
			   const struct arguments *arguments)
{
	fprintf(out, "\t\t%s)\n\t\t\t_arguments \\\n", command->name);
	put_zsh_options(out, command);
	if (command->runs_program) {
		fputs("\t\t\t'*::program:_normal'\n", out);
	} else {
		fputs("\t\t\t'*:operand:", out);
		put_zsh_operands(out, command, arguments);
		fputs("'\n", out);
	}
	fputs("\t\t\t;;\n", out);
}

int completion_print_zsh(FILE *out, const struct arguments *arguments)
{
	fputs("#compdef streamtrace\n"
	      "# Completion of streamtrace's command lines for zsh: streamtrace help "
	      "--completion=zsh\n"
	      "_streamtrace()\n"
	      "{\n"
	      "\tlocal state line\n"
	      "\tlocal -a commands=(\n",
	      out);
	for (const struct command *const *command = arguments->commands; *command; command++) {
		fprintf(out, "\t\t'%s:", (*command)->name);
		put_zsh_text(out, (*command)->summary);
		fputs("'\n", out);
	}
	fputs("\t)\n"
	      "\t_arguments -C \\\n",
	      out);
	put_zsh_options(out, arguments->program);
	fputs("\t\t\t'1:command:->command' \\\n"
	      "\t\t\t'*::argument:->argument'\n"
	      "\tcase $state in\n"
	      "\tcommand) _describe command commands ;;\n"
	      "\targument)\n"
	      "\t\tcase $line[1] in\n",
	      out);
	for (const struct command *const *command = arguments->commands; *command; command++)
		put_zsh_branch(out, *command, arguments);
	fputs("\t\tesac\n"
	      "\t\t;;\n"
	      "\tesac\n"
	      "}\n"
	      "_streamtrace \"$@\"\n",
	      out);
	return EXIT_FINE;
}
