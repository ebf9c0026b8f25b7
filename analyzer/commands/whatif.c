#include "base/progress.h"
#include "commands/applying.h"
#include "commands/command.h"
#include "commands/measure.h"
#include "commands/tool_numbers.h"
#include "findings/whatif_replay.h"
#include "render/output_formats.h"

#include <stdlib.h>

static int show_result(const char *words, whatif_printer print, struct applied *applied)
{
	const int status = applying_choose(words, false, applied);

	if (status != EXIT_FINE)
		return status;
	applied->whatif = whatif_replay(applied->analysis, applied->findings, applied->count);
	if (!print(stdout, applied))
		return command_fail(EXIT_UNREADABLE, "%s: out of memory", applied->trace->path);
	return EXIT_FINE;
}

static int whatif_main(const struct arguments *arguments)
{
	const struct output_format *format =
		output_format_find(arguments->values[OPTION_WHATIF_FORMAT]);
	struct measuring measuring = measure_begin(arguments->is_given[OPTION_NO_MEASURE]);
	struct applied applied = {0};
	struct analysis *analysis;
	struct trace *trace;
	int status;

	if (!arguments->is_given[OPTION_APPLY] || !arguments->operand_count)
		return command_fail(EXIT_USAGE,
				    "whatif needs --apply and a trace: see streamtrace whatif "
				    "--help");
	trace = command_load(arguments->operands[0]);
	if (!trace)
		return EXIT_UNREADABLE;
	progress_step("measuring this machine");
	measure_apply(&measuring, trace, NULL);
	measure_free(&measuring);
	tool_numbers_apply(trace, !arguments->is_given[OPTION_NO_MEASURE], NULL);
	progress_step("replaying the run");
	analysis = arguments->is_given[OPTION_EXACT] ? analysis_run(trace)
						     : analysis_run_sampled(trace);
	progress_end();
	applied.trace = trace;
	applied.analysis = analysis;
	status = show_result(arguments->values[OPTION_APPLY], format->whatif, &applied);
	free(applied.findings);
	analysis_free(analysis);
	trace_close(trace);
	return status;
}

const struct command command_whatif = {
	.name = "whatif",
	.summary = "show a traced run with fixes applied",
	.operands = "--apply=FIX[,FIX]... TRACE",
	.description = "Replays a trace with fixes applied, as the report does, and shows "
		       "the resulting run.",
	.example = "streamtrace whatif --apply=1 app.db",
	.is_one = true,
	.schema = whatif_schema,
	.main = whatif_main,
};
