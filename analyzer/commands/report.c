#include "commands/command.h"
#include "commands/filters.h"
#include "commands/job_reporting.h"
#include "commands/operands.h"
#include "commands/reporting.h"
#include "commands/targets.h"
#include "facts/check.h"

#include <string.h>
#include <unistd.h>

/* EXIT_FINE, or why not, which was printed. */
static int open_report(struct target *target, const char *file, char *const *paths, size_t count)
{
	int status = targets_check(&file, 1, (const char *const *)paths, count);

	return status == EXIT_FINE ? target_open(target, file) : status;
}

static int report_file(const struct reporting *reporting, const char *file,
		       const struct operands *traces)
{
	struct target target;
	bool is_made = false;
	int status = open_report(&target, file, traces->paths, traces->count);

	if (status != EXIT_FINE)
		return status;
	status = reporting_traces(reporting, target.out, (const char *const *)traces->paths,
				  traces->count, &is_made);
	return target_close(&target, is_made, status);
}

static int report_files(const struct job_reporting *reporting, const char *file,
			struct job_files *files)
{
	struct target target;
	bool is_made = false;
	int status = open_report(&target, file, files->paths, files->count);

	if (status != EXIT_FINE)
		return status;
	status = job_reporting_files(reporting, target.out, files, &is_made);
	return target_close(&target, is_made, status);
}

/* Findings are chosen in the reports of single processes. */
static bool has_filter(const struct arguments *arguments)
{
	static const enum option_id filters[] = {OPTION_TOP,	OPTION_MIN,  OPTION_SITE,
						 OPTION_KERNEL, OPTION_NVTX, OPTION_STREAM,
						 OPTION_DEVICE, OPTION_TIME};

	for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++)
		if (arguments->is_given[filters[i]])
			return true;
	return false;
}

/* False: that table cannot be printed so, which was said. */
static bool can_show_host(const struct arguments *arguments, const struct output_format *format)
{
	if (!format->host)
		command_fail(EXIT_USAGE, "report --host has no --format=%s", format->name);
	else if (has_filter(arguments))
		command_fail(EXIT_USAGE, "report --host shows no findings to choose from");
	return format->host && !has_filter(arguments);
}

/* False: that report does not show what the option adds to findings, which was said. formats: "|text|json". */
static bool can_show(const struct arguments *arguments, const struct output_format *format,
		     const char *option, const char *formats)
{
	const struct check names = {.words = formats};

	if (arguments->is_given[OPTION_HOST])
		return command_fail(EXIT_USAGE,
				    "report --host shows no findings: --%s has nothing to add",
				    option) == EXIT_FINE;
	return check_word(&names, format->name) >= 0 ||
	       command_fail(EXIT_USAGE, "report --%s has no --format=%s", option, format->name) ==
		       EXIT_FINE;
}

/* False: it is no job, and nothing is done. */
static bool report_job(const struct arguments *arguments, const struct output_format *format,
		       int *status)
{
	const struct job_reporting reporting = {.print = format->job,
						.all = arguments->is_given[OPTION_ALL],
						.is_exact = arguments->is_given[OPTION_EXACT]};
	const char *file = arguments->values[OPTION_REPORT_OUTPUT];
	struct job_files files;
	bool is_job;

	if (arguments->is_given[OPTION_EACH] || arguments->is_given[OPTION_HOST] ||
	    arguments->is_given[OPTION_SOURCE] || arguments->is_given[OPTION_EDIT] ||
	    arguments->is_given[OPTION_STEP] || has_filter(arguments) || !reporting.print)
		return false;
	is_job = job_files_find(&files, arguments->operands, (size_t)arguments->operand_count) &&
		 files.is_job;
	if (is_job)
		*status = report_files(&reporting, file, &files);
	job_files_free(&files);
	return is_job;
}

/* Without --format the name of the file tells. */
static const struct output_format *format_of(const struct arguments *arguments)
{
	const char *file = arguments->values[OPTION_REPORT_OUTPUT];
	const char *ending = file ? strrchr(file, '.') : NULL;
	const struct output_format *format = ending && !arguments->is_given[OPTION_FORMAT]
						     ? output_format_find(ending + 1)
						     : NULL;

	return format && format->report ? format
					: output_format_find(arguments->values[OPTION_FORMAT]);
}

static const char *find_schema(const char *word)
{
	return !strcmp(word, "job")	? job_schema
	       : !strcmp(word, "error") ? error_schema
					: report_schema;
}

static int report_main(const struct arguments *arguments)
{
	const char *file = arguments->values[OPTION_REPORT_OUTPUT];
	struct reporting reporting = {
		.format = format_of(arguments),
		.all = arguments->is_given[OPTION_ALL],
		.measures = !arguments->is_given[OPTION_NO_MEASURE],
		.shows_source = arguments->is_given[OPTION_SOURCE],
		.shows_edits = arguments->is_given[OPTION_EDIT],
		.source_folders = arguments->values[OPTION_SOURCE_FOLDERS],
		.shows_host = arguments->is_given[OPTION_HOST],
		.is_exact = arguments->is_given[OPTION_EXACT],
		.step = arguments->values[OPTION_STEP],
	};
	struct operands traces;
	int status;

	if (arguments->is_given[OPTION_JSON_SCHEMA]) {
		fputs(find_schema(arguments->values[OPTION_JSON_SCHEMA]), stdout);
		return EXIT_FINE;
	}
	if (!arguments->operand_count)
		return command_fail(EXIT_USAGE,
				    "report needs a trace: see streamtrace report --help");
	if (!filters_read(arguments, &reporting.selection) ||
	    (reporting.shows_host && !can_show_host(arguments, reporting.format)) ||
	    (reporting.shows_source &&
	     !can_show(arguments, reporting.format, "source", "text|json|html")) ||
	    (reporting.shows_edits && !can_show(arguments, reporting.format, "edit", "text|json")))
		return EXIT_USAGE;
	if (report_job(arguments, reporting.format, &status))
		return status;
	status = EXIT_UNREADABLE;
	if (operands_expand(&traces, arguments->operands, (size_t)arguments->operand_count))
		/* A page is nothing for a terminal. */
		status = !file && reporting.format == output_format_find("html") && isatty(1)
				 ? reporting_beside(&reporting, traces.paths, traces.count)
				 : report_file(&reporting, file, &traces);
	operands_free(&traces);
	return status;
}

const struct command command_report = {
	.name = "report",
	.summary = "show where a traced program lost overlap",
	.operands = "TRACE|FOLDER...",
	.description =
		"Shows where a traced program lost overlap, in which line, and what a fix would "
		"save. A folder stands for the traces of its newest run. Several processes of one "
		"job (torchrun, mpirun, srun, or one streamtrace run) give one report: a line a "
		"rank, who the others wait for, and findings by line over ranks. Traces that have "
		"nothing to do with each other give one list of findings, and a report each.",
	.example = "streamtrace report app.db\n"
		   "streamtrace report FOLDER\n"
		   "streamtrace report --top=3 --min=1% app.db\n"
		   "streamtrace report --site=train.py --time=1s..2s app.db\n"
		   "streamtrace report --host app.db\n"
		   "streamtrace report --format=html -o report.html app.*.db",
	.main = report_main,
};
