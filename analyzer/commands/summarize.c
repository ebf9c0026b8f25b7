#include "commands/collect.h"
#include "commands/command.h"
#include "commands/operands.h"

#include <stdlib.h>

/* Traces, not the summaries beside them: those are made anew. */
static size_t keep_traces(const struct operands *operands, const char **paths)
{
	size_t count = 0;

	for (size_t i = 0; i < operands->count; i++)
		if (!summary_is_at(operands->paths[i]))
			paths[count++] = operands->paths[i];
	return count;
}

static int summarize(const struct arguments *arguments, const struct operands *operands)
{
	const char *folder = arguments->values[OPTION_SUMMARY_FOLDER];
	const struct collect_options options = {.is_exact = arguments->is_given[OPTION_EXACT],
						.folder = folder ? folder : ""};
	const char **paths = memory_array(operands->count + 1, sizeof(*paths));
	size_t count = keep_traces(operands, paths);
	struct job *job = collect_job(&options, paths, count);
	int status = EXIT_FINE;

	for (size_t i = 0; i < job->unread_count; i++)
		status = command_fail(EXIT_UNREADABLE, "%s: %s", job->unread[i].path,
				      job->unread[i].why);
	if (job->member_count)
		command_note("wrote %zu summar%s", job->member_count,
			     job->member_count == 1 ? "y" : "ies");
	job_free(job);
	free(paths);
	return status;
}

static int summarize_main(const struct arguments *arguments)
{
	struct operands operands;
	int status = EXIT_UNREADABLE;

	if (operands_expand(&operands, arguments->operands, (size_t)arguments->operand_count))
		status = summarize(arguments, &operands);
	operands_free(&operands);
	return status;
}

const struct command command_summarize = {
	.name = "summarize",
	.summary = "analyse traces of a job once, for its report elsewhere",
	.operands = "TRACE|FOLDER...",
	.needs = "a trace",
	.description =
		"Writes a summary of each trace: app.summary.db for app.db, below 1 MB, with all "
		"that "
		"the report of a job says of that process. Where traces are large or on several "
		"machines, analyse each where it is, and bring the summaries together: streamtrace "
		"report takes them in place of the traces, and in a folder with both it reads the "
		"summaries.",
	.example = "streamtrace summarize FOLDER\n"
		   "streamtrace summarize -o summaries rank.*.db\n"
		   "streamtrace report summaries",
	.main = summarize_main,
};
