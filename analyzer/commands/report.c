#include "commands/command.h"
#include "commands/measure.h"
#include "commands/tool_numbers.h"

#include "base/progress.h"
#include "render/render.h"

#include <errno.h>
#include <string.h>

/* Reports on one trace. False: said why. */
static bool report_trace(const char *path, const struct renderer *renderer,
			 struct rendering *rendering, bool all, struct measuring *measuring)
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
	analysis = analysis_run(trace);
	progress_end();
	ok = renderer->report(rendering, trace, analysis, all);
	if (!ok)
		command_fail(EXIT_UNREADABLE, "%s: out of memory", path);
	analysis_free(analysis);
	trace_close(trace);
	return ok;
}

static int report_main(const struct arguments *arguments)
{
	const struct renderer *renderer = render_find(arguments->values[OPTION_FORMAT]);
	struct rendering rendering = {.out = stdout,
				      .trace_count = (size_t)arguments->operand_count};
	struct measuring measuring = measure_begin(arguments->is_given[OPTION_NO_MEASURE]);
	int status = EXIT_FINE;

	if (renderer->is_one && arguments->operand_count > 1)
		return command_fail(EXIT_USAGE, "report: --format=%s takes one trace",
				    renderer->name);
	if (arguments->values[OPTION_REPORT_OUTPUT] &&
	    !freopen(arguments->values[OPTION_REPORT_OUTPUT], "w", stdout))
		return command_fail(EXIT_UNREADABLE, "%s: %s",
				    arguments->values[OPTION_REPORT_OUTPUT], strerror(errno));
	for (int i = 0; i < arguments->operand_count; i++) {
		renderer->begin(&rendering);
		if (!report_trace(arguments->operands[i], renderer, &rendering,
				  arguments->is_given[OPTION_ALL], &measuring))
			status = EXIT_UNREADABLE;
	}
	measure_free(&measuring);
	if (!renderer->end(&rendering))
		status = command_fail(EXIT_UNREADABLE, "out of memory");
	return status;
}

const struct command command_report = {
	.name = "report",
	.summary = "show where a traced program lost overlap",
	.operands = "TRACE...",
	.needs = "a trace",
	.description =
		"Shows where a traced program lost overlap, in which line, and what a fix would "
		"save. Several traces give one report after the other.",
	.example = "streamtrace report app.db",
	.main = report_main,
};
