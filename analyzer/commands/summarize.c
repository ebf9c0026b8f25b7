#include "base/regular_file.h"
#include "base/vector.h"
#include "commands/collect.h"
#include "commands/command.h"
#include "commands/operands.h"
#include "commands/trace_summary.h"
#include "trace/file_kind.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Traces, not the summaries beside them: those are made anew. */
static size_t keep_traces(const struct operands *operands, const char **paths)
{
	size_t count = 0;

	for (size_t i = 0; i < operands->count; i++)
		if (!summary_is_at(operands->paths[i]))
			paths[count++] = operands->paths[i];
	return count;
}

struct named {
	const char *path;
	char *summary;
};

static int compare_named(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->summary, y->summary);

	return order ? order : strcmp(x->path, y->path);
}

/* Traces of one name in several folders have one summary in another: false, and said so. */
static bool check_names(const char *folder, const char *const *paths, size_t count)
{
	VECTOR(struct named) named = {0};
	bool are_apart = true;

	for (size_t i = 0; i < count; i++)
		*vector_add(&named) =
			(struct named){paths[i], trace_summary_name(folder, paths[i])};
	vector_sort(&named, compare_named);
	for (size_t i = 1; i < count && are_apart; i++) {
		const struct named *a = &named.items[i - 1], *b = &named.items[i];

		are_apart = strcmp(a->summary, b->summary) != 0 || is_same_file(a->path, b->path);
		if (!are_apart)
			command_note("%s and %s: the summary of both would be %s", a->path, b->path,
				     a->summary);
	}
	for (size_t i = 0; i < count; i++)
		free(named.items[i].summary);
	vector_free(&named);
	return are_apart;
}

/* What is there is made anew if it is a summary, or empty: false, and said so. */
static bool check_targets(const char *folder, const char *const *paths, size_t count)
{
	bool is_fine = true;

	for (size_t i = 0; i < count && is_fine; i++) {
		char *name = trace_summary_name(folder, paths[i]);
		enum file_kind kind = file_kind_at(name);

		is_fine = kind == FILE_SUMMARY || kind == FILE_EMPTY || access(name, F_OK) != 0;
		if (!is_fine)
			command_note("%s: is no summary, and would be replaced by that of %s", name,
				     paths[i]);
		free(name);
	}
	return is_fine;
}

static int summarize_files(const struct arguments *arguments, const char *const *paths,
			   size_t count)
{
	const char *folder = arguments->values[OPTION_SUMMARY_FOLDER];
	const struct collect_options options = {.is_exact = arguments->is_given[OPTION_EXACT],
						.folder = folder ? folder : ""};
	int status = EXIT_FINE;
	struct job *job;

	if (!count)
		return command_fail(EXIT_UNREADABLE, "only summaries are there, and no trace");
	if (!check_names(options.folder, paths, count) ||
	    !check_targets(options.folder, paths, count))
		return EXIT_USAGE;
	job = collect_job(&options, paths, count);
	for (size_t i = 0; i < job->unread_count; i++)
		status = command_fail(EXIT_UNREADABLE, "%s: %s", job->unread[i].path,
				      job->unread[i].why);
	if (job->member_count)
		command_note("wrote %zu summar%s", job->member_count,
			     job->member_count == 1 ? "y" : "ies");
	job_free(job);
	return status;
}

static int summarize_operands(const struct arguments *arguments, const struct operands *operands)
{
	const char **paths = memory_array(operands->count + 1, sizeof(*paths));
	int status = summarize_files(arguments, paths, keep_traces(operands, paths));

	free(paths);
	return status;
}

static int summarize_main(const struct arguments *arguments)
{
	struct operands operands;
	int status = EXIT_UNREADABLE;

	if (operands_expand(&operands, arguments->operands, (size_t)arguments->operand_count))
		status = summarize_operands(arguments, &operands);
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
		"that the report of a job says of that process. Where traces are large or on "
		"several machines, analyse each where it is, and bring the summaries together: "
		"streamtrace report takes them in place of the traces, and in a folder with both "
		"it reads the summaries.",
	.example = "streamtrace summarize FOLDER\n"
		   "streamtrace summarize -o summaries rank.*.db\n"
		   "streamtrace report summaries",
	.main = summarize_main,
};
