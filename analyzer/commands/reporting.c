#include "commands/reporting.h"

#include "base/memory.h"
#include "base/progress.h"
#include "commands/command.h"
#include "commands/job_reporting.h"
#include "commands/measure.h"
#include "commands/tool_numbers.h"
#include "render/job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Reports on one trace. False: said why. */
static bool report_trace(const struct reporting *reporting, struct rendering *rendering,
			 struct measuring *measuring, const char *path)
{
	struct trace *trace = command_load(path);
	struct analysis *analysis;
	bool ok;

	if (!trace)
		return false;
	progress_step("measuring this machine");
	measure_apply(measuring, trace, NULL);
	tool_numbers_apply(trace, measuring->left_ms > 0, NULL);
	progress_step("replaying the run");
	analysis = reporting->is_exact || selection_asks_instances(&reporting->selection) ||
				   reporting->renderer->shows_run
			   ? analysis_run(trace)
			   : analysis_run_sampled(trace);
	progress_end();
	selection_apply(&reporting->selection, trace, analysis, reporting->all);
	ok = reporting->renderer->report(rendering, trace, analysis, reporting->all);
	if (!ok)
		command_fail(EXIT_UNREADABLE, "%s: out of memory", path);
	analysis_free(analysis);
	trace_close(trace);
	return ok;
}

int reporting_traces(const struct reporting *reporting, FILE *out, const char *const *paths,
		     size_t count)
{
	struct rendering rendering = {.out = out, .trace_count = count};
	struct measuring measuring = measure_begin(!reporting->measures);
	int status = EXIT_FINE;

	for (size_t i = 0; i < count; i++) {
		reporting->renderer->begin(&rendering);
		if (!report_trace(reporting, &rendering, &measuring, paths[i]))
			status = EXIT_UNREADABLE;
	}
	measure_free(&measuring);
	if (!reporting->renderer->end(&rendering))
		status = command_fail(EXIT_UNREADABLE, "out of memory");
	return status;
}

/* The report of a job, where they are of one; else a report each. */
static int report_processes(const struct reporting *reporting, FILE *out, char *const *paths,
			    size_t count)
{
	const struct job_reporting of_job = {.format = reporting->renderer->name,
					     .all = reporting->all,
					     .is_exact = reporting->is_exact};
	struct job_files files;
	int status;

	if (count < 2 || !job_find_printer(of_job.format))
		return reporting_traces(reporting, out, (const char *const *)paths, count);
	if (job_files_find(&files, paths, count) && files.is_job)
		status = job_reporting_files(&of_job, out, &files);
	else
		status = reporting_traces(reporting, out, (const char *const *)paths, count);
	job_files_free(&files);
	return status;
}

/* "folder/app.json" for "folder/app.db"; malloc'ed. */
static char *name_beside(const char *path, const char *format)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');
	int stem = dot && dot > base ? (int)(dot - path) : (int)strlen(path);

	return memory_format("%.*s.%s", stem, path, format);
}

static int write_beside(const struct reporting *reporting, char *const *paths, size_t count)
{
	char *name = name_beside(paths[0], reporting->renderer->name);
	FILE *file = fopen(name, "w");
	int status = EXIT_UNREADABLE;
	bool is_written;

	if (!file) {
		command_fail(EXIT_UNREADABLE, "%s: %s", name, strerror(errno));
	} else {
		status = report_processes(reporting, file, paths, count);
		is_written = !ferror(file);
		if (fclose(file) || !is_written)
			status = command_fail(EXIT_UNREADABLE, "%s: %s", name,
					      errno ? strerror(errno) : "could not be written");
		else
			command_note("wrote %s", name);
	}
	free(name);
	return status;
}

int reporting_beside(const struct reporting *reporting, char *const *paths, size_t count)
{
	if (!count)
		return EXIT_FINE;
	return strcmp(reporting->renderer->name, "text") == 0
		       ? report_processes(reporting, stdout, paths, count)
		       : write_beside(reporting, paths, count);
}
