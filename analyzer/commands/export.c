#include "base/format.h"
#include "base/output.h"
#include "base/progress.h"
#include "commands/command.h"
#include "commands/export_parts.h"
#include "commands/measure.h"
#include "commands/targets.h"
#include "commands/tool_numbers.h"
#include "export/exporters.h"
#include "findings/headline.h"
#include "findings/steady.h"
#include "findings/whatif_run.h"
#include "replay/observed.h"
#include "replay/retiming/retimed.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>

/* What is exported, and where to. */
struct exported {
	const struct exporter *exporter;
	struct target target;
	uint64_t bytes; /* that are to be written, where they were counted */
	size_t written; /* traces */
	bool is_wrong;	/* one of them cannot be in that format, which was printed */
};

static ssize_t count_bytes(void *context, const char *bytes, size_t size)
{
	(void)bytes;
	*(uint64_t *)context += size;
	return (ssize_t)size;
}

/* What a row takes at most, but for one text, and what a byte of that becomes in JSON; and from when on it is said. */
#define ROW_BYTES    1024
#define ESCAPED_MOST 6
#define LARGE_BYTES  ((uint64_t)1000000000)

/* Says how large the file will be, if it may be large: it is made twice then, the first time to count its
 * bytes. One text can be repeated in each row: 7,000 kernels with a name of 64 KB are half a gigabyte. */
static void say_size(struct exported *exported, const struct exporting *exporting)
{
	const struct trace *trace = exporting->trace;
	size_t rows = trace->call_count + trace->operation_count + trace->range_count;
	bool was_said = exported->bytes >= LARGE_BYTES;
	struct format size;
	FILE *counter;

	if (rows * (ROW_BYTES + ESCAPED_MOST * trace_longest_text(trace)) < LARGE_BYTES)
		return;
	progress_step("counting bytes");
	counter = fopencookie(&exported->bytes, "w", (cookie_io_functions_t){.write = count_bytes});
	if (!counter)
		return;
	exported->exporter->write(exporting, counter);
	fclose(counter);
	progress_end();
	if (exported->bytes >= LARGE_BYTES && !was_said)
		command_note("%s: will have %s%s", exported->target.path,
			     format_bytes(&size, exported->bytes),
			     exporting->part + 1 < exporting->part_count ? " and more" : "");
}

/* By name, as SQLite does. NULL, or why not: malloc'ed. */
static char *write_file(struct exported *exported, const struct exporting *exporting)
{
	const char *path = output_unfinished(exported->target.output);

	return path ? exported->exporter->write_file(exporting, path)
		    : memory_format("is no regular file, which --format=%s needs",
				    exported->exporter->name);
}

/* Failures to write show when the target is closed. */
static void write_part(struct exported *exported, const struct exporting *exporting)
{
	char *error = NULL;

	if (exported->exporter->write && !exported->exporter->is_sum)
		say_size(exported, exporting);
	progress_step("writing");
	if (exported->exporter->write)
		exported->exporter->write(exporting, exported->target.out);
	else
		error = write_file(exported, exporting);
	progress_end();
	if (error)
		command_fail(EXIT_UNREADABLE, "%s: %s", exported->target.path, error);
	exported->is_wrong = error;
	free(error);
}

/* The run with the fixes in; NULL: see struct exporting. */
static struct retimed *replay_after(const struct analysis *analysis, struct edits **edits)
{
	*edits = analysis->check.has_estimates
			 ? whatif_edits(analysis, &analysis->findings, DOUBT_WEIGH)
			 : NULL;
	return *edits ? retimed_build(analysis->observed.timeline, *edits) : NULL;
}

/* With the findings, and the run after their fixes. */
static void export_findings(struct exported *exported, struct exporting *exporting)
{
	struct analysis *analysis;
	struct retimed *after;
	struct edits *edits = NULL;

	progress_step("replaying the run");
	analysis = analysis_run(exporting->trace);
	after = exporting->part_count == 1 ? replay_after(analysis, &edits) : NULL;
	exporting->observed = &analysis->observed;
	exporting->analysis = analysis;
	exporting->after = after;
	write_part(exported, exporting);
	retimed_free(after);
	if (edits)
		edits_free(edits);
	analysis_free(analysis);
}

static void export_waits(struct exported *exported, const struct exporting *exporting)
{
	struct observed observed = observed_build_waits(model_build(exporting->trace));
	struct exporting with_waits = *exporting;

	with_waits.observed = &observed;
	write_part(exported, &with_waits);
	observed_free(&observed);
}

static void export_trace(struct exported *exported, struct exporting *exporting)
{
	const struct headline headline = headline_measure(exporting->trace);
	struct steady *steady = exported->exporter->need < EXPORT_WAITS
					? NULL
					: steady_find(exporting->trace, NULL);

	exporting->steps = steady ? &steady->steps : NULL;
	exporting->origin_ns = headline.origin_ns;
	exporting->wall_ns = headline.wall_ns;
	switch (exported->exporter->need) {
	case EXPORT_FINDINGS:
		export_findings(exported, exporting);
		break;
	case EXPORT_WAITS:
		export_waits(exported, exporting);
		break;
	default:
		write_part(exported, exporting);
	}
	steady_free(steady);
	exported->written++;
}

static void say_cut(const struct trace *trace)
{
	size_t count = trace_cut_texts(trace);

	if (count)
		command_note("%s: %zu text%s of more than 64 KB %s cut", trace->path, count,
			     count == 1 ? "" : "s", count == 1 ? "was" : "were");
}

/* The trace; NULL: it cannot be exported, and why was printed. */
static struct trace *load_part(const struct exporter *exporter, const char *path)
{
	struct trace *trace = command_load(path);
	char *error = trace && exporter->refuse ? exporter->refuse(trace) : NULL;

	if (!error)
		return trace;
	command_fail(EXIT_UNREADABLE, "%s: %s", trace->path, error);
	free(error);
	trace_close(trace);
	return NULL;
}

/* Exports one trace after the other, so that only one is in memory. Stops at the first that cannot be
 * written. */
static int export_parts(struct exported *exported, const struct export_parts *parts,
			int64_t *origin_ns)
{
	int status = EXIT_FINE;

	for (size_t i = 0; i < parts->count; i++) {
		struct exporting exporting = {.part = exported->written,
					      .part_count = parts->count,
					      .process_id = parts->items[i].process_id,
					      .clock = parts->items[i].clock};
		struct trace *loaded = load_part(exported->exporter, parts->items[i].path);
		struct trace *trace = loaded && loaded->whole ? loaded->whole : loaded;
		struct measuring measuring = measure_begin(true);

		if (!trace) {
			status = EXIT_UNREADABLE;
			continue;
		}
		measure_apply(&measuring, trace, NULL);
		measure_free(&measuring);
		tool_numbers_apply(trace, false, NULL);
		exporting.trace = trace;
		say_cut(trace);
		export_trace(exported, &exporting);
		*origin_ns = exporting.origin_ns;
		trace_close(loaded);
		if (exported->is_wrong)
			return EXIT_UNREADABLE;
		if (ferror(exported->target.out))
			break;
	}
	return status;
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
	return targets_check(&path, 1, (const char *const *)traces->paths, traces->count) ==
	       EXIT_FINE;
}
/* What was written: of one trace when it begins, of several how many they are. */
static void say_written(const struct exported *exported, int64_t origin_ns)
{
	const char *path = exported->target.path;
	struct format size;
	struct stat status;

	if (!path)
		return;
	format_bytes(&size, stat(path, &status) ? 0 : (uint64_t)status.st_size);
	if (exported->exporter->is_sum)
		command_note("wrote %s, %s", path, size.text);
	else if (exported->written > 1)
		command_note("wrote %s, %s: %zu processes", path, size.text, exported->written);
	else
		command_note("wrote %s, %s: times count from %lld.%09lld s since 1970", path,
			     size.text, (long long)(origin_ns / 1000000000),
			     (long long)(origin_ns % 1000000000));
}

static int export_all(const struct exporter *exporter, const char *path,
		      const struct operands *traces)
{
	struct exported exported = {.exporter = exporter};
	struct export_parts parts;
	int64_t origin_ns = 0;
	bool is_whole;
	int status;

	if (!check_paths(exporter, path, traces))
		return EXIT_USAGE;
	status = target_open(&exported.target, path);
	if (status != EXIT_FINE)
		return status;
	is_whole = export_parts_find(&parts, traces, !exporter->is_sum);
	status = export_parts(&exported, &parts, &origin_ns);
	status = target_close(&exported.target, exported.written && !exported.is_wrong, status);
	if (status == EXIT_FINE)
		say_written(&exported, origin_ns);
	export_parts_free(&parts);
	return is_whole ? status : EXIT_UNREADABLE;
}

static int export_main(const struct arguments *arguments)
{
	const char *format = arguments->values[OPTION_EXPORT_FORMAT];
	const char *path = arguments->values[OPTION_EXPORT_OUTPUT];
	const struct exporter *exporter = format ? export_find(format) : NULL;
	struct operands traces;
	int status = EXIT_UNREADABLE;

	if (!exporter || (path ? !*path : !exporter->is_sum))
		return command_fail(EXIT_USAGE, "export needs --format and --output: see "
						"streamtrace export --help");
	if (operands_expand(&traces, arguments->operands, (size_t)arguments->operand_count))
		status = export_all(exporter, path, &traces);
	operands_free(&traces);
	return status;
}

const struct command command_export = {
	.name = "export",
	.summary = "write a trace for another tool",
	.operands = "--format=FORMAT [--output=FILE] TRACE|FOLDER...",
	.needs = "a trace",
	.description =
		"Writes a trace as another tool reads it: perfetto for ui.perfetto.dev, with what "
		"waited for what and with the run after the fixes; kineto, as PyTorch's profiler "
		"writes it, for Holistic Trace Analysis; nsys, an SQLite export of Nsight Systems, "
		"for nsys stats and nsys analyze; csv, calls and operations, for a spreadsheet; "
		"collapsed, host stacks while the GPU was idle because of the host, a line a "
		"stack with its microseconds, for FlameGraph, speedscope and inferno: without "
		"--output to standard output. Perfetto and collapsed take several traces, or a "
		"folder of them, as a process each, named by its rank. Perfetto's times of "
		"several machines are those of one clock, by the ends of collectives; without "
		"these a machine is left out, and the status is 3.",
	.example = "streamtrace export --format=perfetto -o app.pftrace app.db\n"
		   "streamtrace export --format=collapsed app.db | flamegraph.pl >app.svg\n"
		   "streamtrace export --format=perfetto -o job.pftrace traces/",
	.main = export_main,
};
