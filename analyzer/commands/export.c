#include "commands/command.h"
#include "commands/export_parts.h"
#include "commands/measure.h"
#include "commands/overwriting.h"
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
	FILE *out = fopen(path, exporting->part ? "ae" : "we");
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

static void say_written(const char *path, int64_t origin_ns)
{
	struct stat status;
	struct format size;

	command_note("wrote %s, %s: times count from %lld.%09lld s since 1970", path,
		     format_bytes(&size, stat(path, &status) ? 0 : (uint64_t)status.st_size),
		     (long long)(origin_ns / 1000000000), (long long)(origin_ns % 1000000000));
}

static int write_all(const struct exporter *exporter, const struct exporting *exporting,
		     const char *path)
{
	char *error;

	progress_step("writing");
	if (!exporting->part)
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
	if (exporting->part_count == 1)
		say_written(path, exporting->origin_ns);
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
	struct edits *edits = NULL;
	int status;

	progress_step("replaying the run");
	analysis = analysis_run(exporting->trace);
	after = exporting->part_count == 1 ? replay_after(analysis, &edits) : NULL;
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

static int export_trace(const struct exporter *exporter, struct exporting *exporting,
			const char *path)
{
	struct analysis headline = {0};

	headline_measure(&headline, exporting->trace);
	exporting->origin_ns = headline.origin_ns;
	exporting->wall_ns = headline.wall_ns;
	switch (exporter->need) {
	case EXPORT_FINDINGS:
		return export_findings(exporter, exporting, path);
	case EXPORT_WAITS:
		return export_waits(exporter, exporting, path);
	default:
		return write_all(exporter, exporting, path);
	}
}

/* Of several each in turn, so that the memory is that of one. The first that cannot be written is the last:
 * the file is gone then. */
static int export_parts(const struct exporter *exporter, const struct export_parts *parts,
			const char *path)
{
	int status = EXIT_FINE;
	size_t written = 0;
	bool is_failed = false;

	for (size_t i = 0; i < parts->count && !is_failed; i++) {
		struct exporting exporting = {.part = written,
					      .part_count = parts->count,
					      .process_id = parts->items[i].process_id,
					      .clock = parts->items[i].clock};
		struct trace *trace = command_load(parts->items[i].path);
		struct measuring measuring = measure_begin(true);

		if (!trace) {
			status = EXIT_UNREADABLE;
			continue;
		}
		measure_apply(&measuring, trace, NULL);
		measure_free(&measuring);
		tool_numbers_apply(trace, false, NULL);
		exporting.trace = trace;
		is_failed = export_trace(exporter, &exporting, path) != EXIT_FINE;
		written++;
		trace_close(trace);
	}
	return is_failed ? EXIT_UNREADABLE : status;
}

/* False: said why. */
static bool check_paths(const struct exporter *exporter, const char *path,
			const struct operands *traces)
{
	if (traces->count > 1 && !exporter->joins) {
		command_fail(EXIT_USAGE, "--format=%s is of one trace, and these are %zu",
			     exporter->name, traces->count);
		return false;
	}
	if (overwrites_trace(path, traces->paths, traces->count)) {
		command_fail(EXIT_USAGE, "%s: the export would overwrite the trace", path);
		return false;
	}
	return true;
}

static int export_all(const struct exporter *exporter, const char *path,
		      const struct operands *traces)
{
	struct export_parts parts;
	struct stat status;
	struct format size;
	bool is_whole;
	int result;

	if (!check_paths(exporter, path, traces))
		return EXIT_USAGE;
	is_whole = export_parts_find(&parts, traces);
	result = export_parts(exporter, &parts, path);
	if (parts.count > 1 && result == EXIT_FINE)
		command_note(
			"wrote %s, %s: %zu processes", path,
			format_bytes(&size, stat(path, &status) ? 0 : (uint64_t)status.st_size),
			parts.count);
	export_parts_free(&parts);
	return is_whole ? result : EXIT_UNREADABLE;
}

static int export_main(const struct arguments *arguments)
{
	const char *format = arguments->values[OPTION_EXPORT_FORMAT];
	const char *path = arguments->values[OPTION_EXPORT_OUTPUT];
	struct operands traces;
	int status = EXIT_UNREADABLE;

	if (!format || !path || !*path)
		return command_fail(EXIT_USAGE, "export needs --format and --output: see "
						"streamtrace export --help");
	if (operands_expand(&traces, arguments->operands, (size_t)arguments->operand_count))
		status = export_all(export_find(format), path, &traces);
	operands_free(&traces);
	return status;
}

const struct command command_export = {
	.name = "export",
	.summary = "write a trace for another tool",
	.operands = "--format=FORMAT --output=FILE TRACE|FOLDER...",
	.needs = "a trace",
	.description =
		"Writes a trace as another tool reads it: perfetto for ui.perfetto.dev, with what "
		"waited for what and with the run after the fixes; kineto, as PyTorch's profiler "
		"writes it, for Holistic Trace Analysis; nsys, an SQLite export of Nsight Systems, "
		"for nsys stats and nsys analyze; csv, calls and operations, for a spreadsheet. "
		"Perfetto takes several traces, or a folder of them, as a process each, named by "
		"its rank. Times of several machines are those of one clock, by the ends of "
		"collectives; without these a machine is left out, and the status is 3.",
	.example = "streamtrace export --format=perfetto -o app.pftrace app.db\n"
		   "streamtrace export --format=perfetto -o job.pftrace traces/",
	.main = export_main,
};
