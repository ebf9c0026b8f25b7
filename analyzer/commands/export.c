#include "commands/command.h"
#include "commands/measure.h"
#include "commands/tool_numbers.h"

#include "base/format.h"
#include "base/progress.h"
#include "export/export.h"
#include "findings/headline.h"
#include "findings/whatif.h"
#include "replay/evidence.h"
#include "replay/retimed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* A device or a pipe stays. */
static void remove_file(const char *path)
{
	struct stat status;

	if (lstat(path, &status) == 0 && S_ISREG(status.st_mode))
		unlink(path);
}

/* NULL, or why not: SQLite does not say it in such words. */
static char *create_file(const char *path)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (file < 0)
		return strdup(strerror(errno));
	close(file);
	return NULL;
}

/* NULL, or why the file could not be written: malloc'ed. */
static char *write_stream(const struct exporter *exporter, const struct exporting *exporting,
			  const char *path)
{
	FILE *out = fopen(path, "we");
	int is_failed;

	if (!out)
		return strdup(strerror(errno));
	errno = 0;
	exporter->write(exporting, out);
	is_failed = ferror(out);
	if (!fclose(out) && !is_failed)
		return NULL;
	return strdup(errno ? strerror(errno) : "could not be written");
}

static int write_all(const struct exporter *exporter, const struct exporting *exporting,
		     const char *path)
{
	struct stat status;
	struct format size;
	char *error;

	progress_step("writing");
	remove_file(path);
	error = exporter->write_file ? create_file(path) : write_stream(exporter, exporting, path);
	if (!error && exporter->write_file)
		error = exporter->write_file(exporting, path);
	progress_end();
	if (error) {
		remove_file(path);
		command_fail(EXIT_UNREADABLE, "%s: %s", path, error);
		free(error);
		return EXIT_UNREADABLE;
	}
	command_note("wrote %s, %s: times count from %lld.%09lld s since 1970", path,
		     format_bytes(&size, stat(path, &status) ? 0 : (uint64_t)status.st_size),
		     (long long)(exporting->origin_ns / 1000000000),
		     (long long)(exporting->origin_ns % 1000000000));
	return EXIT_FINE;
}

/* The run with the fixes in; NULL: see struct exporting. */
static struct retimed *replay_after(const struct analysis *analysis, struct edits **edits)
{
	*edits = analysis->has_estimates ? whatif_edits(analysis) : NULL;
	return *edits ? retimed_build(analysis->timeline, *edits) : NULL;
}

/* With the findings, and the run after their fixes. */
static int export_findings(const struct exporter *exporter, struct exporting *exporting,
			   const char *path)
{
	struct analysis *analysis;
	struct retimed *after;
	struct edits *edits;
	int status;

	progress_step("replaying the run");
	analysis = analysis_run(exporting->trace);
	after = replay_after(analysis, &edits);
	exporting->model = analysis->model;
	exporting->analysis = analysis;
	exporting->after = after;
	status = write_all(exporter, exporting, path);
	retimed_free(after);
	if (edits)
		edits_free(edits);
	analysis_free(analysis);
	return status;
}

static int export_waits(const struct exporter *exporter, struct exporting *exporting,
			const char *path)
{
	struct model *model = model_build(exporting->trace);
	struct timeline *timeline = timeline_build(model);
	struct evidence *evidence = evidence_build(timeline);
	int status;

	timeline_free(timeline);
	model->evidence = evidence;
	exporting->model = model;
	status = write_all(exporter, exporting, path);
	evidence_free(evidence);
	model_free(model);
	return status;
}

static int export_trace(const struct exporter *exporter, const struct trace *trace,
			const char *path)
{
	struct exporting exporting = {.trace = trace};
	struct analysis headline = {0};

	headline_measure(&headline, trace);
	exporting.origin_ns = headline.origin_ns;
	exporting.wall_ns = headline.wall_ns;
	switch (exporter->need) {
	case EXPORT_FINDINGS:
		return export_findings(exporter, &exporting, path);
	case EXPORT_WAITS:
		return export_waits(exporter, &exporting, path);
	default:
		return write_all(exporter, &exporting, path);
	}
}

static int export_main(const struct arguments *arguments)
{
	const char *format = arguments->values[OPTION_EXPORT_FORMAT];
	const char *path = arguments->values[OPTION_EXPORT_OUTPUT];
	struct measuring measuring;
	struct trace *trace;
	int status;

	if (!format || !path || !*path)
		return command_fail(EXIT_USAGE, "export needs --format and --output: see "
						"streamtrace export --help");
	if (is_same_file(path, arguments->operands[0]))
		return command_fail(EXIT_USAGE, "%s: the export would overwrite the trace", path);
	trace = command_load(arguments->operands[0]);
	if (!trace)
		return EXIT_UNREADABLE;
	measuring = measure_begin(true);
	measure_apply(&measuring, trace, NULL);
	measure_free(&measuring);
	tool_numbers_apply(trace, false, NULL);
	status = export_trace(export_find(format), trace, path);
	trace_close(trace);
	return status;
}

const struct command command_export = {
	.name = "export",
	.summary = "write a trace for another tool",
	.operands = "--format=FORMAT --output=FILE TRACE",
	.needs = "a trace",
	.description =
		"Writes a trace as another tool reads it: perfetto for ui.perfetto.dev, with what "
		"waited for what and with the run after the fixes; kineto, as PyTorch's profiler "
		"writes it, for Holistic Trace Analysis; nsys, an SQLite export of Nsight Systems, "
		"for nsys stats and nsys analyze; csv, calls and operations, for a spreadsheet.",
	.example = "streamtrace export --format=perfetto -o app.pftrace app.db",
	.is_one = true,
	.main = export_main,
};
