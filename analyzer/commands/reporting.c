#include "commands/reporting.h"

#include "base/memory.h"
#include "base/progress.h"
#include "base/regular_file.h"
#include "commands/command.h"
#include "commands/job_reporting.h"
#include "commands/measure.h"
#include "commands/targets.h"
#include "commands/tool_numbers.h"
#include "findings/not_seen.h"
#include "findings/sources.h"
#include "findings/steady.h"
#include "incident/incident.h"
#include "rewrite/rewrite.h"
#include "trace/texts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NUMBERS_MOST 1000

static const struct renderer *renderer_of(const struct reporting *reporting)
{
	return reporting->shows_host ? reporting->format->host : reporting->format->report;
}

/* NULL: it cannot be reported on, and why was printed. */
static struct trace *load_trace(const struct reporting *reporting, const char *path)
{
	struct trace *trace = command_load(path);
	char *error = trace && reporting->shows_host ? trace_text_no_host_states(trace) : NULL;

	if (!error)
		return trace;
	command_fail(EXIT_UNREADABLE, "%s: %s", trace->path, error);
	free(error);
	trace_close(trace);
	return NULL;
}

static bool is_empty(const struct trace *trace)
{
	char *nothing = not_seen_nothing(trace);

	free(nothing);
	return nothing != NULL;
}

/* Reports on one trace. False: said why. *has_calls is set if it has any. */
static bool report_trace(const struct reporting *reporting, struct rendering *rendering,
			 struct measuring *measuring, const char *path, bool *has_calls)
{
	struct trace *trace = load_trace(reporting, path);
	struct analysis *analysis;
	bool ok;

	if (!trace)
		return false;
	*has_calls |= !is_empty(trace);
	progress_step("measuring this machine");
	measure_apply(measuring, trace, NULL);
	tool_numbers_apply(trace, measuring->left_ms > 0, NULL);
	progress_step("replaying the run");
	analysis = reporting->is_exact || selection_asks_instances(&reporting->selection) ||
				   renderer_of(reporting)->shows_run
			   ? analysis_run(trace)
			   : analysis_run_sampled(trace);
	progress_end();
	selection_note(&reporting->selection, trace, &analysis->not_seen);
	analysis->selected =
		selection_apply(&reporting->selection, trace, analysis, reporting->all);
	analysis->steady = steady_find(trace, reporting->step);
	analysis->incident = incident_make(trace->whole ? trace->whole : trace);
	if (reporting->step && !analysis->steady)
		command_note("%s: nothing that comes twice matches --step=%s", trace->path,
			     reporting->step);
	trace->source_folders = reporting->source_folders;
	if (reporting->shows_source)
		analysis->sources = sources_read(trace, analysis);
	if (reporting->shows_edits)
		analysis->edits = rewrite_findings(trace, analysis);
	ok = renderer_of(reporting)->report(rendering, trace, analysis, reporting->all);
	if (!ok)
		command_fail(EXIT_UNREADABLE, "%s: out of memory", path);
	analysis_free(analysis);
	trace_close(trace);
	return ok;
}

int reporting_traces(const struct reporting *reporting, FILE *out, const char *const *paths,
		     size_t count, bool *is_made)
{
	const struct renderer *renderer = renderer_of(reporting);
	struct rendering rendering = {.out = out, .trace_count = count};
	struct measuring measuring = measure_begin(!reporting->measures);
	bool has_calls = false;
	int status = EXIT_FINE;

	*is_made = false;
	for (size_t i = 0; i < count; i++) {
		renderer->begin(&rendering);
		if (report_trace(reporting, &rendering, &measuring, paths[i], &has_calls))
			*is_made = true;
		else
			status = EXIT_UNREADABLE;
	}
	measure_free(&measuring);
	if (status == EXIT_FINE && !has_calls)
		status = EXIT_EMPTY;
	if (!renderer->end(&rendering)) {
		*is_made = false;
		status = command_fail(EXIT_UNREADABLE, "out of memory");
	}
	return status;
}

/* The report of a job, where they are of one; else a report each. */
static int report_processes(const struct reporting *reporting, FILE *out, char *const *paths,
			    size_t count, bool *is_made)
{
	const struct job_reporting of_job = {.print = reporting->format->job,
					     .all = reporting->all,
					     .is_exact = reporting->is_exact};
	struct job_files files;
	int status;

	if (count < 2 || !of_job.print)
		return reporting_traces(reporting, out, (const char *const *)paths, count, is_made);
	if (job_files_find(&files, paths, count) && files.is_job)
		status = job_reporting_files(&of_job, out, &files, is_made);
	else
		status = reporting_traces(reporting, out, (const char *const *)paths, count,
					  is_made);
	job_files_free(&files);
	return status;
}

/* "folder/app.json" for "folder/app.db", "folder/app.2.json" with the number 2; malloc'ed. */
static char *name_beside(const char *path, const struct output_format *format, int number)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');
	int stem = dot && dot > base ? (int)(dot - path) : (int)strlen(path);

	return number == 1 ? memory_format("%.*s.%s", stem, path, format->name)
			   : memory_format("%.*s.%d.%s", stem, path, number, format->name);
}

/* Whether nothing is at the name, or nothing in the file, or an earlier report. */
static bool is_free(const char *name, const struct output_format *format)
{
	char bytes[OUTPUT_FORMAT_OPENING_BYTES];
	struct stat status;
	int file;
	ssize_t size;

	if (stat(name, &status))
		return errno == ENOENT;
	file = regular_file_open(name);
	size = file >= 0 ? pread(file, bytes, sizeof(bytes), 0) : -1;
	if (file >= 0)
		close(file);
	return !size || (size > 0 && output_format_opens(format, bytes, (size_t)size));
}

/* A file of somebody else stays, which is said. malloc'ed; NULL: there are too many of them. */
static char *choose_name(const char *path, const struct output_format *format)
{
	char *first = name_beside(path, format, 1), *name = NULL;

	for (int number = 1; number <= NUMBERS_MOST && !name; number++) {
		name = name_beside(path, format, number);
		if (is_free(name, format)) {
			if (number > 1)
				command_note("%s is no report, and stays", first);
		} else {
			free(name);
			name = NULL;
		}
	}
	if (!name)
		command_fail(EXIT_UNREADABLE, "%s: other files have this name and the next ones",
			     first);
	free(first);
	return name;
}

static int write_beside(const struct reporting *reporting, char *const *paths, size_t count)
{
	char *name = choose_name(paths[0], reporting->format);
	int status = EXIT_UNREADABLE;
	struct target target;
	bool is_made;

	if (name && target_open(&target, name) == EXIT_FINE) {
		status = report_processes(reporting, target.out, paths, count, &is_made);
		is_made &= target_close(&target, is_made, EXIT_FINE) == EXIT_FINE;
		if (is_made)
			command_note("wrote %s", name);
		else
			status = EXIT_UNREADABLE;
	}
	free(name);
	return status;
}

int reporting_beside(const struct reporting *reporting, char *const *paths, size_t count)
{
	bool is_made;

	if (!count)
		return EXIT_FINE;
	return reporting->format->openings[0]
		       ? write_beside(reporting, paths, count)
		       : report_processes(reporting, stdout, paths, count, &is_made);
}
