#include "job/merge.h"

#include "base/printable.h"

#include <stdlib.h>
#include <string.h>

struct job *job_create(void)
{
	return memory_array(1, sizeof(struct job));
}

static int compare_texts(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Whether they are of the same process: 0. */
static int compare_processes(const struct summary *a, const struct summary *b)
{
	int order = compare_numbers((int64_t)((uint64_t)a->rank & INT64_MAX),
				    (int64_t)((uint64_t)b->rank & INT64_MAX));

	order = order ? order : compare_texts(a->host, b->host);
	order = order ? order : compare_numbers(a->process_id, b->process_id);
	return order ? order : compare_numbers(a->start_ns, b->start_ns);
}

struct job *job_of_summary(struct summary *summary)
{
	struct job *job = job_create();
	struct job_member *member = memory_array(1, sizeof(*member));

	member->id = summary_member_id(summary);
	member->summary = summary;
	job->collectives =
		collectives_of(summary, member->id, &member->presences, &member->presence_count);
	job->paths = summary->paths;
	job->clocks = clock_ends_of(summary);
	summary->paths = NULL;
	free(summary->arrivals);
	summary->arrivals = NULL;
	summary->arrival_count = 0;
	job->members = member;
	job->member_count = 1;
	return job;
}

struct job *job_of_unread(const char *path, const char *why)
{
	struct job *job = job_create();

	job->unread = memory_array(1, sizeof(*job->unread));
	job->unread->path = memory_format("%s", path);
	job->unread->why = memory_format("%s", why);
	printable_make(job->unread->path);
	printable_make(job->unread->why);
	job->unread_count = 1;
	return job;
}

const struct job_unread *job_find_failed(const struct job *job, size_t *count)
{
	const struct job_unread *first = NULL;

	*count = 0;
	for (size_t i = 0; i < job->unread_count; i++)
		if (!job->unread[i].is_readable && !(*count)++)
			first = &job->unread[i];
	return first;
}

static void free_member(struct job_member *member)
{
	summary_free(member->summary);
	free(member->presences);
}

/* Keeps one of two members that are the same process: the one with the first path. */
static struct job_member keep_one(struct job *merged, struct job_member *a, struct job_member *b)
{
	bool is_first = compare_texts(a->summary->trace, b->summary->trace) <= 0;

	merged->doubled++;
	free_member(is_first ? b : a);
	return is_first ? *a : *b;
}

static void merge_members(struct job *merged, struct job *a, struct job *b)
{
	size_t i = 0, j = 0, count = a->member_count + b->member_count;

	merged->members = memory_array(count ? count : 1, sizeof(*merged->members));
	while (i < a->member_count || j < b->member_count) {
		struct job_member *to = &merged->members[merged->member_count++];
		int order = i == a->member_count   ? 1
			    : j == b->member_count ? -1
						   : compare_processes(a->members[i].summary,
								       b->members[j].summary);

		if (order == 0)
			*to = keep_one(merged, &a->members[i++], &b->members[j++]);
		else
			*to = order < 0 ? a->members[i++] : b->members[j++];
	}
}

static int compare_unread(const struct job_unread *a, const struct job_unread *b)
{
	int order = strcmp(a->path, b->path);

	return order ? order : strcmp(a->why, b->why);
}

static void merge_unread(struct job *merged, struct job *a, struct job *b)
{
	size_t i = 0, j = 0, count = a->unread_count + b->unread_count;

	merged->unread = memory_array(count ? count : 1, sizeof(*merged->unread));
	while (i < a->unread_count || j < b->unread_count) {
		bool is_a =
			i < a->unread_count &&
			(j == b->unread_count || compare_unread(&a->unread[i], &b->unread[j]) <= 0);

		merged->unread[merged->unread_count++] = is_a ? a->unread[i++] : b->unread[j++];
	}
}

static struct paths *merge_paths(struct paths *a, struct paths *b)
{
	return a && b ? paths_merge(a, b) : a ? a : b;
}

struct job *job_merge(struct job *a, struct job *b)
{
	struct job *merged = job_create();

	merged->doubled = a->doubled + b->doubled;
	merge_members(merged, a, b);
	merge_unread(merged, a, b);
	merged->paths = merge_paths(a->paths, b->paths);
	merged->collectives = collectives_merge(a->collectives, b->collectives);
	merged->clocks = clock_ends_merge(a->clocks, b->clocks);
	free(a->members);
	free(a->unread);
	free(a);
	free(b->members);
	free(b->unread);
	free(b);
	return merged;
}

void job_pile_add(struct job_pile *pile, struct job *job)
{
	size_t i = 0;

	for (; i + 1 < sizeof(pile->jobs) / sizeof(*pile->jobs) && pile->jobs[i]; i++) {
		job = job_merge(pile->jobs[i], job);
		pile->jobs[i] = NULL;
	}
	pile->jobs[i] = job;
}

struct job *job_pile_take(struct job_pile *pile)
{
	struct job *all = job_create();

	for (size_t i = 0; i < sizeof(pile->jobs) / sizeof(*pile->jobs); i++) {
		if (!pile->jobs[i])
			continue;
		all = job_merge(pile->jobs[i], all);
		pile->jobs[i] = NULL;
	}
	return all;
}

void job_free(struct job *job)
{
	if (!job)
		return;
	for (size_t i = 0; i < job->member_count; i++)
		free_member(&job->members[i]);
	for (size_t i = 0; i < job->unread_count; i++) {
		free(job->unread[i].path);
		free(job->unread[i].why);
	}
	collectives_free(&job->collectives);
	clock_ends_free(&job->clocks);
	paths_free(job->paths);
	free(job->members);
	free(job->unread);
	free(job);
}
