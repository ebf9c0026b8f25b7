#include "base/format.h"
#include "base/printable.h"
#include "commands/baseline_files.h"
#include "commands/gates.h"
#include "render/json_parts.h"
#include "render/render.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".json"

static int is_baseline(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return *entry->d_name != '.' && length > strlen(SUFFIX) &&
	       !strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX);
}

/* "main: 2 runs of app on NVIDIA H200, 1.53 s, saves 897 ms (58.4 %)": the figures of the first run. */
static void print_baseline(const char *name, const struct saved_runs *saved)
{
	const struct gate_run *run = saved->runs[0];
	struct format time, lost, share;

	printf("%s: %zu run%s of %s on %s, %s", name, saved->count, saved->count == 1 ? "" : "s",
	       run->program ? run->program : "an unknown program",
	       run->device ? run->device : "an unknown GPU", format_time(&time, run->untraced_ns));
	if (run->has_estimates)
		printf(", %s (%s) to be won back", format_time(&lost, run->lost.estimate_ns),
		       format_percent(&share, run->lost.estimate_ns, run->untraced_ns));
	putchar('\n');
}

static json_t *baseline_object(const char *name, const struct saved_runs *saved)
{
	const struct gate_run *run = saved->runs[0];

	return json_pack("{s:s, s:I, s:o, s:o, s:I, s:o}", "name", name, "runs",
			 (json_int_t)saved->count, "program", text_or_null(run->program), "device",
			 text_or_null(run->device), "untraced_ns", (json_int_t)run->untraced_ns,
			 "lost_overlap_ns",
			 run->has_estimates ? interval_object(&run->lost) : json_null());
}

/* Prints the baseline, or adds it to the array if that is not NULL. Returns the exit status. */
static int show_baseline(const char *name, json_t *array)
{
	struct saved_runs saved;
	int status = baseline_files_read(&saved, name);

	if (status != EXIT_FINE)
		return status;
	if (array)
		json_array_append_new(array, baseline_object(name, &saved));
	else
		print_baseline(name, &saved);
	saved_runs_free(&saved);
	return EXIT_FINE;
}

/* Shows the baselines of the folder. Returns the exit status. */
static int show_baselines(struct dirent *const *entries, int count, json_t *array)
{
	int status = EXIT_FINE;

	for (int i = 0; i < count; i++) {
		entries[i]->d_name[strlen(entries[i]->d_name) - strlen(SUFFIX)] = '\0';
		if (show_baseline(entries[i]->d_name, array) != EXIT_FINE)
			status = EXIT_UNREADABLE;
	}
	return status;
}

/* Prints the array, if it has a baseline or nothing failed, and releases it. Returns status, or why not. */
static int print_baselines(json_t *array, int status)
{
	char *folder = baseline_files_folder();
	json_t *object;

	if (!folder || (status != EXIT_FINE && !json_array_size(array))) {
		json_decref(array);
		free(folder);
		return EXIT_UNREADABLE;
	}
	printable_make(folder);
	object = json_pack("{s:i, s:s, s:o}", "schema_version", JSON_SCHEMA_VERSION, "folder",
			   folder, "baselines", array);
	free(folder);
	return print_json(stdout, object) ? status : command_fail(EXIT_UNREADABLE, "out of memory");
}

static int list_baselines(bool is_json)
{
	struct dirent **entries = NULL;
	char *folder = baseline_files_folder();
	json_t *array = folder && is_json ? json_array() : NULL;
	int count, status;

	if (!folder)
		return EXIT_UNREADABLE;
	count = scandir(folder, &entries, is_baseline, alphasort);
	if (count <= 0 && !is_json)
		command_note("%s: no baselines", folder);
	status = show_baselines(entries, count, array);
	if (array)
		status = print_baselines(array, status);
	for (int i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
	free(folder);
	return status;
}

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

/* As `list` shows it. */
static int show_saved(const char *name)
{
	json_t *array = json_array();
	int status = show_baseline(name, array);

	return print_baselines(array, status);
}

static int save_baseline(const struct arguments *arguments, bool is_json)
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
	return status == EXIT_FINE && is_json ? show_saved(arguments->operands[1]) : status;
}

static int baseline_main(const struct arguments *arguments)
{
	const bool is_json = !strcmp(arguments->values[OPTION_PLAIN_FORMAT], "json");
	const char *word = arguments->operands[0];

	if (!strcmp(word, "save"))
		return save_baseline(arguments, is_json);
	if (!strcmp(word, "list") && arguments->operand_count > 1)
		return command_fail(EXIT_USAGE, "baseline list: unexpected argument '%s'",
				    arguments->operands[1]);
	if (!strcmp(word, "list"))
		return list_baselines(is_json);
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
	.schema = baseline_schema,
	.main = baseline_main,
};
