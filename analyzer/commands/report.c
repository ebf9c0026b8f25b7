#include "commands/command.h"
#include "commands/filters.h"
#include "commands/measure.h"
#include "commands/tool_numbers.h"

#include "base/progress.h"
#include "render/render.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* What the reports of a command have in common. */
struct reporting {
	const struct renderer *renderer;
	struct rendering rendering;
	struct selection selection;
	struct measuring measuring;
	bool all;
};

/* Reports on one trace. False: said why. */
static bool report_trace(const char *path, struct reporting *reporting)
{
	struct trace *trace = command_load(path);
	struct analysis *analysis;
	bool ok;

	if (!trace)
		return false;
	progress_step("measuring this machine");
	measure_apply(&reporting->measuring, trace, NULL);
	tool_numbers_apply(trace, reporting->measuring.left_ms > 0, NULL);
	progress_step("replaying the run");
	analysis = analysis_run(trace);
	progress_end();
	selection_apply(&reporting->selection, trace, analysis, reporting->all);
	ok = reporting->renderer->report(&reporting->rendering, trace, analysis, reporting->all);
	if (!ok)
		command_fail(EXIT_UNREADABLE, "%s: out of memory", path);
	analysis_free(analysis);
	trace_close(trace);
	return ok;
}

/* Whether FILE is one of the traces: opening it would empty that. */
static bool is_trace(const char *file, const struct arguments *arguments)
{
	struct stat status, trace;

	if (stat(file, &status))
		return false;
	for (int i = 0; i < arguments->operand_count; i++)
		if (!stat(arguments->operands[i], &trace) && trace.st_dev == status.st_dev &&
		    trace.st_ino == status.st_ino)
			return true;
	return false;
}

static int report_main(const struct arguments *arguments)
{
	struct reporting reporting = {
		.renderer = render_find(arguments->values[OPTION_FORMAT]),
		.rendering = {.out = stdout, .trace_count = (size_t)arguments->operand_count},
		.all = arguments->is_given[OPTION_ALL],
	};
	int status = EXIT_FINE;

	if (arguments->is_given[OPTION_JSON_SCHEMA]) {
		fputs(report_schema, stdout);
		return EXIT_FINE;
	}
	if (!arguments->operand_count)
		return command_fail(EXIT_USAGE,
				    "report needs a trace: see streamtrace report --help");
	if (!filters_read(arguments, &reporting.selection))
		return EXIT_USAGE;
	if (arguments->values[OPTION_REPORT_OUTPUT] &&
	    is_trace(arguments->values[OPTION_REPORT_OUTPUT], arguments))
		return command_fail(EXIT_USAGE, "%s: is the trace: the report would replace it",
				    arguments->values[OPTION_REPORT_OUTPUT]);
	if (reporting.renderer->is_one && arguments->operand_count > 1)
		return command_fail(EXIT_USAGE, "report: --format=%s takes one trace",
				    reporting.renderer->name);
	if (arguments->values[OPTION_REPORT_OUTPUT] &&
	    !freopen(arguments->values[OPTION_REPORT_OUTPUT], "w", stdout))
		return command_fail(EXIT_UNREADABLE, "%s: %s",
				    arguments->values[OPTION_REPORT_OUTPUT], strerror(errno));
	reporting.measuring = measure_begin(arguments->is_given[OPTION_NO_MEASURE]);
	for (int i = 0; i < arguments->operand_count; i++) {
		reporting.renderer->begin(&reporting.rendering);
		if (!report_trace(arguments->operands[i], &reporting))
			status = EXIT_UNREADABLE;
	}
	measure_free(&reporting.measuring);
	if (!reporting.renderer->end(&reporting.rendering))
		status = command_fail(EXIT_UNREADABLE, "out of memory");
	return status;
}

const struct command command_report = {
	.name = "report",
	.summary = "show where a traced program lost overlap",
	.operands = "TRACE...",
	.description =
		"Shows where a traced program lost overlap, in which line, and what a fix would "
		"save. Several traces give one report after the other.",
	.example = "streamtrace report app.db",
	.main = report_main,
};
