#include "commands/completion.h"

#include "base/memory.h"
#include "commands/options.h"
#include "findings/detector_table.h"
#include "races/races.h"

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

/* The words that the option's value is made of; of --deny and --apply the findings' ids. */
static bool has_ids(int id)
{
	return id == OPTION_DENY || id == OPTION_APPLY;
}

static void put_value_words(FILE *out, int id)
{
	struct option_row row = options_row((enum option_id)id);

	if (has_ids(id)) {
		fputs("all ", out);
		put_ids(out);
		for (int i = 0; id == OPTION_DENY && i < RACE_CERTAINTIES; i++)
			fprintf(out, " %s", race_id(i));
	} else if (row.check.words) {
		put_words(out, row.check.words);
	}
}

/* The value is the name of a baseline. */
static bool has_baselines(int id)
{
	return id == OPTION_AGAINST;
}

/* The command whose operands are "save NAME TRACE..." or "list". */
static bool is_of_baselines(const struct command *command)
{
	return !strcmp(command->name, "baseline");
}

#define BASELINE_VERBS "save list"

/* In each shell, the lines of `streamtrace baseline list` without what follows the names. */
#define LIST_BASELINES "streamtrace baseline list 2>/dev/null"

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
		if (has_baselines(id)) {
			fputs(") words=$(_streamtrace_baselines) ;;\n", out);
			continue;
		}
		fputs(") words='", out);
		put_value_words(out, id);
		fputs("' ;;\n", out);
	}
	if (is_of_baselines(command))
		fputs("\t\t'') case ${program:-0} in\n"
		      "\t\t\t0) words='" BASELINE_VERBS "' ;;\n"
		      "\t\t\t1) [[ ${COMP_WORDS[COMP_CWORD - 1]} != save ]] || "
		      "words=$(_streamtrace_baselines) ;;\n"
		      "\t\t\tesac ;;&\n",
		      out);
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

static void print_bash(FILE *out, const struct arguments *arguments)
{
	fputs("# Completion of streamtrace's command lines for bash: streamtrace help "
	      "--completion=bash\n"
	      "_streamtrace_baselines()\n"
	      "{\n"
	      "\t" LIST_BASELINES " | sed 's/: .*//' || :\n"
	      "}\n"
	      "_streamtrace()\n"
	      "{\n"
	      "\tlocal word=${COMP_WORDS[COMP_CWORD]} option='' command='' words='' program='' "
	      "list='' i\n"
	      "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	      "\t\tcase ${COMP_WORDS[i]} in\n"
	      "\t\t-* | =) ;;\n"
	      "\t\t*)\n"
	      "\t\t\t[[ -z $command || ${COMP_WORDS[i - 1]} == [=] || ${COMP_WORDS[i - 1]} == -o "
	      "]] "
	      "|| program=$((program + 1))\n"
	      "\t\t\tcommand=${command:-${COMP_WORDS[i]}}\n"
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
	      "\tif [[ $command == run && -z $program && -z $option && $word != -* ]]; then\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -c -- \"$word\")\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\t# The last word of --deny=WORD,WORD.\n"
	      "\tif [[ -n $option && $word == *,* ]]; then\n"
	      "\t\tlist=${word%,*},\n"
	      "\tfi\n"
	      "\t# Where no word fits, files are offered.\n"
	      "\tmapfile -t COMPREPLY < <(compgen -P \"$list\" -W \"$words\" -- \"${word##*,}\")\n"
	      "\tif [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then\n"
	      "\t\tcompopt -o nospace 2>/dev/null || :\n"
	      "\tfi\n"
	      "}\n"
	      "complete -o default -F _streamtrace streamtrace\n",
	      out);
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
static void put_zsh_spec(FILE *out, int id, bool is_letter, const char *text)
{
	const struct option_row one = options_row((enum option_id)id), *row = &one;
	const bool has_words = row->check.words;

	if (is_letter)
		fprintf(out, "\t\t\t'-%c%s[", row->letter, row->takes ? "+" : "");
	else
		fprintf(out, "\t\t\t'--%s%s[", row->name,
			row->takes == required_argument	  ? "="
			: row->takes == optional_argument ? "=-"
							  : "");
	put_zsh_text(out, text);
	fputc(']', out);
	if (has_ids(id)) {
		fprintf(out, ":%s: _values -s , %s ", row->name, row->name);
		put_value_words(out, id);
	} else if (has_baselines(id)) {
		fprintf(out, ":%s:_streamtrace_baselines", row->name);
	} else if (row->takes != no_argument) {
		fputs(row->takes == optional_argument ? "::" : ":", out);
		put_zsh_text(out, has_words ? row->name : row->argument);
		fputs(has_words ? ":(" : ":_files", out);
		put_value_words(out, id);
		fputs(has_words ? ")" : "", out);
	}
	fputs("' \\\n", out);
}

static void put_zsh_option(FILE *out, int id)
{
	const struct option_row row = options_row((enum option_id)id);
	char *text = options_describe(&row);

	cut_to_clause(text);
	put_zsh_spec(out, id, false, text);
	if (row.letter)
		put_zsh_spec(out, id, true, text);
	free(text);
}

static void put_zsh_options(FILE *out, const struct command *command)
{
	for (int id = 0; id < OPTION_COUNT; id++) {
		struct option_row row = options_row((enum option_id)id);

		if (is_shown(&row, command))
			put_zsh_option(out, id);
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
	} else if (is_of_baselines(command)) {
		fputs("\t\t\t'1:word:(" BASELINE_VERBS ")' \\\n"
		      "\t\t\t'2:baseline:_streamtrace_baselines' \\\n"
		      "\t\t\t'*:trace:_files'\n",
		      out);
	} else {
		fputs("\t\t\t'*:operand:", out);
		put_zsh_operands(out, command, arguments);
		fputs("'\n", out);
	}
	fputs("\t\t\t;;\n", out);
}

static void print_zsh(FILE *out, const struct arguments *arguments)
{
	fputs("#compdef streamtrace\n"
	      "# Completion of streamtrace's command lines for zsh: streamtrace help "
	      "--completion=zsh\n"
	      "_streamtrace_baselines()\n"
	      "{\n"
	      "\tcompadd - ${${(f)\"$(" LIST_BASELINES ")\"}%%: *}\n"
	      "}\n"
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
}

/* Between single quotes. */
static void put_fish_text(FILE *out, const char *text)
{
	for (; *text; text++)
		if (*text == '\'' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else
			fputc(*text == '\n' ? ' ' : *text, out);
}

static void put_fish_option(FILE *out, const char *when, int id)
{
	const struct option_row row = options_row((enum option_id)id);
	char *text = options_describe(&row);

	cut_to_clause(text);
	fprintf(out, "complete -c streamtrace -n '%s' -l %s", when, row.name);
	if (row.letter)
		fprintf(out, " -s %c", row.letter);
	if (has_ids(id)) {
		fputs(" -x -a '(__fish_complete_list , __streamtrace_ids)'", out);
	} else if (has_baselines(id)) {
		fputs(" -x -a '(__streamtrace_baselines)'", out);
	} else if (row.check.words) {
		fputs(" -x -a '", out);
		put_value_words(out, id);
		fputc('\'', out);
	} else if (row.takes == required_argument) {
		fputs(" -r", out);
	}
	fputs(" -d '", out);
	put_fish_text(out, text);
	fputs("'\n", out);
	free(text);
}

static void put_fish_command(FILE *out, const struct command *command,
			     const struct arguments *arguments)
{
	const bool is_program = command == arguments->program;
	char *when = is_program ? memory_format("__fish_use_subcommand")
				: memory_format("__fish_seen_subcommand_from %s", command->name);

	for (int id = 0; id < OPTION_COUNT; id++) {
		struct option_row row = options_row((enum option_id)id);

		if (is_shown(&row, command))
			put_fish_option(out, when, id);
	}
	if (!is_program && command->runs_program) {
		fprintf(out,
			"complete -c streamtrace -n '%s' -x -a '(__fish_complete_subcommand)'\n",
			when);
	} else if (is_of_baselines(command)) {
		fprintf(out,
			"complete -c streamtrace -n '%s; and not "
			"__fish_seen_subcommand_from " BASELINE_VERBS "' -x -a '" BASELINE_VERBS
			"'\n"
			"complete -c streamtrace -n '%s; and __fish_seen_subcommand_from save' -a "
			"'(__streamtrace_baselines)'\n",
			when, when);
	} else if (!is_program && !has_files(command, arguments)) {
		fprintf(out, "complete -c streamtrace -n '%s' -x -a '", when);
		put_operands(out, command, arguments);
		fputs("'\n", out);
	}
	free(when);
}

static void print_fish(FILE *out, const struct arguments *arguments)
{
	fputs("# Completion of streamtrace's command lines for fish: streamtrace help "
	      "--completion=fish\n",
	      out);
	fputs("function __streamtrace_ids\n"
	      "\tprintf '%s\\n' ",
	      out);
	put_value_words(out, OPTION_DENY);
	fputs("\nend\n"
	      "function __streamtrace_baselines\n"
	      "\t" LIST_BASELINES " | string replace -r ': .*' ''\n"
	      "end\n",
	      out);
	for (const struct command *const *command = arguments->commands; *command; command++) {
		fprintf(out, "complete -c streamtrace -n __fish_use_subcommand -a %s -d '",
			(*command)->name);
		put_fish_text(out, (*command)->summary);
		fputs("'\n", out);
	}
	put_fish_command(out, arguments->program, arguments);
	for (const struct command *const *command = arguments->commands; *command; command++)
		put_fish_command(out, *command, arguments);
}

int completion_print(FILE *out, const struct arguments *arguments, const char *shell)
{
	if (!strcmp(shell, "zsh"))
		print_zsh(out, arguments);
	else if (!strcmp(shell, "fish"))
		print_fish(out, arguments);
	else
		print_bash(out, arguments);
	return EXIT_FINE;
}
