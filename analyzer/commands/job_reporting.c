#include "commands/job_reporting.h"

#include "commands/collect.h"
#include "commands/command.h"

/* Nothing was recorded in any of them. */
static bool is_empty(const struct job *job)
{
	for (size_t i = 0; i < job->member_count; i++)
		if (job->members[i].summary->call_count || job->members[i].summary->operation_count)
			return false;
	return true;
}

int job_reporting_print(const struct job_reporting *reporting, FILE *out, struct job *job,
			bool *is_made)
{
	struct job_report *report = job_report_make(job);
	size_t failed_count;
	const struct job_unread *failed = job_find_failed(job, &failed_count);
	int status = EXIT_FINE;

	if (!reporting->print(out, report, reporting->all))
		status = command_fail(EXIT_UNREADABLE, "out of memory");
	else if (!job->member_count)
		status = command_fail(EXIT_UNREADABLE, "no trace could be read");
	*is_made = status == EXIT_FINE;
	if (*is_made && is_empty(job))
		status = EXIT_EMPTY;
	if (*is_made && failed)
		status = command_fail(
			EXIT_UNREADABLE,
			"%zu file%s could not be read, the report is of the others: %s: %s",
			failed_count, failed_count == 1 ? "" : "s", failed->path, failed->why);
	job_report_free(report);
	job_free(job);
	return status;
}

int job_reporting_files(const struct job_reporting *reporting, FILE *out, struct job_files *files,
			bool *is_made)
{
	const struct collect_options options = {.is_exact = reporting->is_exact};
	struct job *job = collect_job(&options, (const char *const *)files->paths, files->count);

	job = job_merge(files->left_out, job);
	files->left_out = NULL;
	return job_reporting_print(reporting, out, job, is_made);
}
