#include "commands/command.h"
#include "commands/filters.h"
#include "commands/reporting.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

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
	const char *file = arguments->values[OPTION_REPORT_OUTPUT];
	struct reporting reporting = {
		.renderer = render_find(arguments->values[OPTION_FORMAT]),
		.all = arguments->is_given[OPTION_ALL],
		.measures = !arguments->is_given[OPTION_NO_MEASURE],
		.is_exact = arguments->is_given[OPTION_EXACT],
	};

	if (arguments->is_given[OPTION_JSON_SCHEMA]) {
		fputs(report_schema, stdout);
		return EXIT_FINE;
	}
	if (!arguments->operand_count)
		return command_fail(EXIT_USAGE,
				    "report needs a trace: see streamtrace report --help");
	if (!filters_read(arguments, &reporting.selection))
		return EXIT_USAGE;
	if (file && is_trace(file, arguments))
		return command_fail(EXIT_USAGE, "%s: is the trace: the report would replace it",
				    file);
	if (file && !freopen(file, "w", stdout))
		return command_fail(EXIT_UNREADABLE, "%s: %s", file, strerror(errno));
	return reporting_traces(&reporting, stdout, (const char *const *)arguments->operands,
				(size_t)arguments->operand_count);
}

const struct command command_report = {
	.name = "report",
	.summary = "show where a traced program lost overlap",
	.operands = "TRACE...",
	.description =
		"Shows where a traced program lost overlap, in which line, and what a fix would "
		"save. Several traces give one list of findings, and a report each.",
	.example = "streamtrace report app.db\n"
		   "streamtrace report --top=3 --min=1% app.db\n"
		   "streamtrace report --site=train.py --time=1s..2s app.db\n"
		   "streamtrace report --format=html -o report.html app.*.db",
	.main = report_main,
};
