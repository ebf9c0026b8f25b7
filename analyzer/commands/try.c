#include "base/memory.h"
#include "base/progress.h"
#include "commands/applying.h"
#include "commands/command.h"
#include "commands/reach.h"
#include "commands/recording.h"
#include "commands/scratch_folder.h"
#include "commands/tool_numbers.h"
#include "commands/trial_run.h"
#include "render/render.h"
#include "render/trial_text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is tried, and on what. */
struct trying {
	const struct arguments *arguments;
	bool is_json;
	struct trial_program program;
	struct trial trial;
	bool is_temporary;	/* the recording is not kept */
	char *library;		/* what program.library points to; NULL: nothing is tried */
	const char *kept;	/* the file that is asked for as the recording; NULL: none */
	char *folder;		/* what the recording is in until it is loaded; NULL: nothing */
	struct signals signals; /* while there is a folder, no signal ends this process */
};

static int64_t number_of(const struct arguments *arguments, enum option_id id)
{
	return strtoll(arguments->values[id], NULL, 10);
}

/* Removes the recording if it is not kept. */
static void remove_recording(struct trying *trying)
{
	if (!trying->folder)
		return;
	scratch_folder_remove(trying->folder);
	trying->folder = NULL;
	signals_give_back(&trying->signals);
}

/* "app.tried.db" beside "app.db"; malloc'ed. */
static char *tried_name(const char *kept)
{
	const char *ending = strrchr(kept, '.');

	if (!ending || strchr(ending, '/'))
		ending = kept + strlen(kept);
	return memory_format("%.*s.tried%s", (int)(ending - kept), kept, ending);
}

/* Records the program with the fixes, where something is said of the times, beside a recording that is kept. */
static void record_fixed(struct trying *trying)
{
	struct trial *trial = &trying->trial;
	const bool has_times = trial_has_times(trial_verdict_of(trial));
	char *name = tried_name(trying->kept);
	struct destination output;

	if (!has_times && !access(name, F_OK))
		command_note("%s is of a run before: none with the fixes was recorded", name);
	if (has_times && destination_prepare(&output, name)) {
		const int status = trial_record(&trying->program, trial, &output);

		if (status != trial->status)
			command_note("%s: the program ended with status %d there", name, status);
		destination_free(&output);
	}
	free(name);
}

/* What is predicted is for the fixes that were made. */
static void predict_made(struct trial *trial)
{
	const size_t count = trial->plan.places.count;
	bool *is_made = memory_array(count, sizeof(*is_made));

	if (trial->counts)
		for (size_t i = 0; i < count; i++) {
			is_made[i] = !trial->plan.places.items[i].call || trial->counts[i].applied;
			trial->unmade += !is_made[i];
		}
	if (trial->unmade && trial->unmade < count)
		trial->predicted = trial_plan_predict(&trial->plan, trial->analysis, is_made);
	else
		trial->unmade = 0;
	free(is_made);
}

/* Tries the findings' fixes, as far as there are some. False: it was interrupted, or a program was not started. */
static bool try_fixes(struct trying *trying, const struct applied *applied)
{
	struct trial *trial = &trying->trial;

	trial->plan = trial_plan_make(applied->analysis, applied->findings, applied->count);
	if (!trial->plan.places.count)
		return true;
	progress_step("replaying the run with the fixes");
	trial->predicted = trial_plan_predict(&trial->plan, applied->analysis, NULL);
	progress_end();
	trying->library = launch_find_trial_libraries(trial_plan_needs_touch(&trial->plan));
	if (!trying->library) {
		trial->status = EXIT_UNREADABLE;
		return false;
	}
	command_note("trying fixes at %zu call site%s in up to %zu runs and %lld s",
		     trial->plan.places.count, trial->plan.places.count == 1 ? "" : "s",
		     trial->limits.runs, (long long)(trial->limits.time_ns / 1000000000));
	trying->program.library = trying->library;
	trying->program.needs_asan = reach_find(trying->program.argv[0]).needs_asan;
	trial_run(&trying->program, trial);
	predict_made(trial);
	return trial->end != TRIAL_ASKED && trial->end != TRIAL_NOT_STARTED;
}

/* The row of a part that was tried. The caller frees its place. */
static struct trace_trial row_of(const struct trial *trial, const struct trial_part *part,
				 const char *outcome)
{
	const enum trial_verdict verdict = trial_verdict_of(trial);
	const struct trial_interval *saved = &trial->figures.saved;
	struct trace_trial row = {
		.finding = part->finding->id,
		.place = render_sites(trial->trace, part->finding),
		.fix = trial_fix_name(part->fix),
		.verdict = trial_verdict_name(verdict),
		.outcome = outcome,
		.predicted_low_ns = trial->predicted.low_ns,
		.predicted_ns = trial->predicted.estimate_ns,
		.predicted_high_ns = trial->predicted.high_ns,
		.has_saving = trial_has_times(verdict),
	};

	if (row.has_saving) {
		row.tried_low_ns = saved->low_ns;
		row.tried_ns = saved->estimate_ns;
		row.tried_high_ns = saved->high_ns;
	}
	return row;
}

/* Keeps in the trace what came out. */
static void store_trial(const struct trying *trying, struct trace *trace)
{
	const struct trial_plan *plan = &trying->trial.plan;
	struct trace_trial *rows = memory_array(plan->parts.count, sizeof(*rows));
	char *outcome = trial_text_outcome(&trying->trial), *error;
	size_t count = 0;

	for (size_t i = 0; i < plan->parts.count; i++)
		if (plan->parts.items[i].fix != TRIAL_FIX_COUNT)
			rows[count++] = row_of(&trying->trial, &plan->parts.items[i], outcome);
	if (count && trace_store_trials(trace, rows, count, &error)) {
		command_note("what came out is not kept in the trace: %s", error);
		free(error);
	}
	for (size_t i = 0; i < count; i++)
		free((char *)rows[i].place);
	free(outcome);
	free(rows);
}

/* Returns the exit status. */
static int try_findings(struct trying *trying, struct trace *trace, const struct analysis *analysis)
{
	struct trial *trial = &trying->trial;
	struct applied applied = {.trace = trace, .analysis = analysis};
	int status = applying_choose(trying->arguments->values[OPTION_APPLY], trying->is_temporary,
				     &applied);

	trial->trace = trace;
	trial->analysis = analysis;
	if (status == EXIT_FINE) {
		const bool is_made = try_fixes(trying, &applied);

		status = trial->status;
		if (is_made &&
		    !(trying->is_json ? print_trial_json : print_trial_text)(stdout, trial))
			status = command_fail(EXIT_UNREADABLE, "%s: out of memory", trace->path);
		if (is_made && trial->runs && !trying->is_temporary)
			store_trial(trying, trace);
		if (is_made && trying->library && trying->kept)
			record_fixed(trying);
	}
	free(trying->library);
	trial_plan_free(&trial->plan);
	free(trial->counts);
	free(applied.findings);
	return status;
}

/* Tries fixes of the findings of the trace at path. */
static int try_trace(struct trying *trying, const char *path)
{
	const bool measures = !trying->arguments->is_given[OPTION_NO_MEASURE];
	struct measuring measuring = measure_begin(!measures);
	struct trace *trace = command_load(path);
	struct analysis *analysis;
	int status;

	remove_recording(trying);
	if (!trace)
		return EXIT_UNREADABLE;
	progress_step("measuring this machine");
	measure_apply(&measuring, trace, NULL);
	measure_free(&measuring);
	tool_numbers_apply(trace, measures, NULL);
	progress_step("replaying the run");
	analysis = trying->arguments->is_given[OPTION_EXACT] ? analysis_run(trace)
							     : analysis_run_sampled(trace);
	progress_end();
	status = try_findings(trying, trace, analysis);
	analysis_free(analysis);
	trace_close(trace);
	return status;
}

/* Records the program as `run` does, then tries fixes. */
static int record_and_try(struct trying *trying, const struct destination *output)
{
	const struct recording recording = {
		.output = output,
		/* Watched results tell whether the host reads them behind a wait that a fix takes away. */
		.launch = {.output_to = trying->program.output_to, .races = "1"},
		.measures = !trying->arguments->is_given[OPTION_NO_MEASURE],
		.reports = true,
		.is_temporary = trying->is_temporary,
	};
	struct finishing finishing;
	int status = recording_run(trying->program.argv, &recording, &finishing);

	trying->trial.status = status;
	trying->program.has_run = true;
	trying->program.took_ns = finishing.took_ns;
	trying->trial.limits.known_ns = finishing.took_ns;
	if (finishing.is_asked)
		command_note("the recording was interrupted: no fix is tried");
	else if (finishing.paths.count > 1)
		command_fail(status,
			     "%zu processes have made CUDA calls: the fixes of one are tried "
			     "with --trace",
			     finishing.paths.count);
	else if (finishing.paths.count)
		status = try_trace(trying, finishing.paths.items[0]);
	finish_free(&finishing);
	return status;
}

static int record_to(struct trying *trying, const char *name)
{
	struct destination output;
	int status;

	if (!destination_prepare(&output, name))
		return EXIT_UNREADABLE;
	if (!trying->is_temporary && !output.is_folder && !strchr(name, '%'))
		trying->kept = name;
	status = record_and_try(trying, &output);
	destination_free(&output);
	return status;
}

static int record_in_scratch(struct trying *trying)
{
	char *name;
	int status;

	signals_take(&trying->signals);
	trying->folder = scratch_folder_make();
	if (!trying->folder)
		return EXIT_UNREADABLE;
	name = memory_format("%s/trace.db", trying->folder);
	status = record_to(trying, name);
	free(name);
	remove_recording(trying);
	return status;
}

static int try_main(const struct arguments *arguments)
{
	struct trying trying = {
		.arguments = arguments,
		.is_temporary = !arguments->is_given[OPTION_TRACE] &&
				!arguments->is_given[OPTION_TRY_OUTPUT],
		.is_json = !strcmp(arguments->values[OPTION_PLAIN_FORMAT], "json"),
		.trial.limits = {.time_ns = number_of(arguments, OPTION_TRY_TIME) * 1000000000,
				 .runs = (size_t)number_of(arguments, OPTION_RUNS)},
	};
	int status;

	if (!arguments->is_given[OPTION_APPLY])
		return command_fail(EXIT_USAGE,
				    "try needs --apply and a program: see streamtrace try --help");
	trying.program.argv = recording_words(arguments);
	trying.program.output_to = trying.is_json ? LAUNCH_ON_ERRORS : LAUNCH_SHOWN;
	trying.program.input_at = lseek(STDIN_FILENO, 0, SEEK_CUR);
	if (arguments->is_given[OPTION_TRACE])
		status = try_trace(&trying, arguments->values[OPTION_TRACE]);
	else if (arguments->is_given[OPTION_TRY_OUTPUT])
		status = record_to(&trying, arguments->values[OPTION_TRY_OUTPUT]);
	else
		status = record_in_scratch(&trying);
	free(trying.program.argv);
	return status;
}

const struct command command_try = {
	.name = "try",
	.summary = "make fixes in the running program, and measure them",
	.operands = "--apply=FIX[,FIX]... [--] PROGRAM [ARGUMENT]...",
	.needs = "a program",
	.description =
		"Records PROGRAM, makes the fixes of findings in the running program, and runs it "
		"untouched and with the fixes in alternation. Shows what was predicted and what "
		"came out. A fix is made only where nothing relies on what it changes. PROGRAM's "
		"output is shown once; the exit status is that of the untouched PROGRAM. Where no "
		"fix can be tried, --trace does not run it, and the exit status is 0.",
	.example = "streamtrace try --apply=1 ./app\n"
		   "streamtrace try --apply=free-sync --trace app.db ./app",
	.schema = try_schema,
	.runs_program = true,
	.main = try_main,
};
