#include "base/format.h"
#include "commands/baseline_files.h"
#include "commands/gates.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".json"

static int save_operands(const struct arguments *arguments, const char *name,
			 const struct operands *traces)
{
	struct asking asking;
	int status = gates_begin(&asking, arguments, "baseline", &(struct operands){0}, traces);

	if (status == EXIT_FINE)
		status = baseline_files_write(name, (const struct gate_run *const *)asking.runs,
					      traces->count);
	gates_free(&asking);
	return status;
}

static int save_baseline(const struct arguments *arguments)
{
	struct operands traces;
	int status = EXIT_UNREADABLE;

	if (arguments->operand_count < 3)
		return command_fail(EXIT_USAGE, "baseline save needs a name and a trace: see "
						"streamtrace baseline --help");
	if (!baseline_files_check_name(arguments->operands[1]))
		return EXIT_USAGE;
	if (operands_expand(&traces, arguments->operands + 2, (size_t)arguments->operand_count - 2))
		status = save_operands(arguments, arguments->operands[1], &traces);
	operands_free(&traces);
	return status;
}

static int is_baseline(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return *entry->d_name != '.' && length > strlen(SUFFIX) &&
	       !strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX);
}

/* "main: 2 runs of app on NVIDIA H200, 1.53 s, saves 897 ms (58.4 %)": the figures of the first run. */
static int print_baseline(const char *name)
{
	struct saved_runs saved;
	int status = baseline_files_read(&saved, name);
	const struct gate_run *run;
	struct format time, lost, share;

	if (status != EXIT_FINE)
		return status;
	run = saved.runs[0];
	printf("%s: %zu run%s of %s on %s, %s", name, saved.count, saved.count == 1 ? "" : "s",
	       run->program ? run->program : "an unknown program",
	       run->device ? run->device : "an unknown GPU", format_time(&time, run->untraced_ns));
	if (run->has_estimates)
		printf(", %s (%s) to be won back", format_time(&lost, run->lost.estimate_ns),
		       format_percent(&share, run->lost.estimate_ns, run->untraced_ns));
	putchar('\n');
	saved_runs_free(&saved);
	return EXIT_FINE;
}

static int list_baselines(const struct arguments *arguments)
{
	struct dirent **entries = NULL;
	char *folder;
	int count, status = EXIT_FINE;

	if (arguments->operand_count > 1)
		return command_fail(EXIT_USAGE, "baseline list: unexpected argument '%s'",
				    arguments->operands[1]);
	folder = baseline_files_folder();
	if (!folder)
		return EXIT_UNREADABLE;
	count = scandir(folder, &entries, is_baseline, alphasort);
	if (count <= 0)
		command_note("%s: no baselines", folder);
	for (int i = 0; i < count; i++) {
		entries[i]->d_name[strlen(entries[i]->d_name) - strlen(SUFFIX)] = '\0';
		if (print_baseline(entries[i]->d_name) != EXIT_FINE)
			status = EXIT_UNREADABLE;
		free(entries[i]);
	}
	free(entries);
	free(folder);
	return status;
}

static int baseline_main(const struct arguments *arguments)
{
	const char *word = arguments->operands[0];

	if (!strcmp(word, "save"))
		return save_baseline(arguments);
	if (!strcmp(word, "list"))
		return list_baselines(arguments);
	return command_fail(EXIT_USAGE, "baseline: '%s' is neither save nor list", word);
}

const struct command command_baseline = {
	.name = "baseline",
	.summary = "keep what traces show, to compare later ones with",
	.operands = "save NAME TRACE|FOLDER... | list",
	.needs = "the word save or list",
	.description =
		"Saves what diff and check need of traces, without the traces: some 10 kB of JSON "
		"each, a finding a line, for the repository. NAME.json is in "
		".streamtrace/baselines of the git repository that the current folder is in; "
		"without one in $XDG_DATA_HOME/streamtrace/baselines (~/.local/share). A baseline "
		"of that name is replaced.",
	.example = "streamtrace baseline save main base.*.db\n"
		   "streamtrace diff --against=main app.db\n"
		   "streamtrace check --against=main app.db",
	.main = baseline_main,
};
