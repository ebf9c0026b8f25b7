/*
 * Summaries of a job of many ranks, for the time and memory that its report takes:
 *
 *	job_scale RANKS COLLECTIVES FOLDER
 *	/usr/bin/time -v streamtrace report FOLDER
 *
 * Each rank has nine findings, of which one is its own line's, so many collectives on one communicator, and a
 * joint model of 512 of them with the fixes of eight findings. Rank 3 comes 1 ms late.
 */
#include "job_case.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define FINDINGS     9
#define MODEL_EVENTS 512
#define MODEL_GROUPS 8
#define STEP_NS	     (10 * MS)

static struct paths_edges make_edges(int64_t rank, int64_t saved_ns)
{
	struct paths_edges edges = {memory_array(3 * (MODEL_EVENTS + 1), sizeof(*edges.items)), 0};

	for (uint32_t event = 0; event <= MODEL_EVENTS; event++) {
		uint32_t to = event == MODEL_EVENTS ? PATHS_END : event;

		for (uint32_t back = 3; back > 0; back--)
			if (event >= back)
				edges.items[edges.count++] = (struct paths_edge){
					to, event - back,
					back * STEP_NS - saved_ns + rank % 1000 - (back > 1)};
		if (!event)
			edges.items[edges.count++] = (struct paths_edge){to, PATHS_BEGIN, STEP_NS};
	}
	return edges;
}

static void add_group(struct paths *paths, const char *id, const char *where, int64_t rank)
{
	paths->groups[paths->group_count++] = (struct paths_group){
		memory_format("%s", id), memory_format("%s", where), 1,
		make_edges(rank, 1000),	 make_edges(rank, 0),	     make_edges(rank, 2000),
		make_edges(rank, 3000)};
}

static struct paths *make_paths(const struct summary *summary, uint32_t ranks)
{
	struct paths *paths = memory_array(1, sizeof(*paths));

	paths->events = memory_array(MODEL_EVENTS, sizeof(*paths->events));
	for (uint32_t i = 0; i < MODEL_EVENTS; i++)
		paths->events[paths->event_count++] =
			(struct paths_event){7, PATHS_ALL, i, ranks, 1, MS};
	paths->traced = make_edges(summary->rank, 0);
	paths->untraced = make_edges(summary->rank, 0);
	paths->uncrowded = make_edges(summary->rank, 0);
	paths->groups = memory_array(MODEL_GROUPS + 1, sizeof(*paths->groups));
	add_group(paths, "", "", summary->rank);
	for (size_t i = 0; i < MODEL_GROUPS; i++)
		add_group(paths, summary->findings[i].id, summary->findings[i].where,
			  summary->rank);
	paths->ranks = 1;
	paths->kernels = paths->all_kernels = MODEL_EVENTS;
	paths->end_ns = MODEL_EVENTS * (STEP_NS + MS);
	return paths;
}

static struct summary *make(int64_t rank, uint32_t ranks, uint32_t collectives)
{
	struct summary *summary = job_case_summary(rank, (int64_t)collectives * STEP_NS);
	char text[64];

	snprintf(text, sizeof(text), "node%lld", (long long)rank / 8);
	summary->host = arena_text(&summary->texts, text);
	summary->run = arena_text(&summary->texts, "slurm:17.0");
	summary->ranks = ranks;
	for (int i = 0; i < FINDINGS; i++) {
		snprintf(text, sizeof(text), "train/step_%d.py:%lld", i,
			 i + 1 == FINDINGS ? (long long)rank : 100);
		job_case_finding(summary, "pageable-copy", text, (10 + i) * MS + rank);
	}
	job_case_communicator(summary, 7, ranks);
	for (uint32_t i = 0; i < collectives; i++)
		job_case_arrival(summary, i, MS + (rank == 3 ? 0 : MS) + rank % 100, 0);
	summary->paths = make_paths(summary, ranks);
	return summary;
}

int main(int argc, char **argv)
{
	uint32_t ranks, collectives;

	if (argc != 4)
		errx(2, "usage: job_scale RANKS COLLECTIVES FOLDER");
	ranks = (uint32_t)strtoul(argv[1], NULL, 10);
	collectives = (uint32_t)strtoul(argv[2], NULL, 10);
	mkdir(argv[3], 0777);
	for (uint32_t rank = 0; rank < ranks; rank++) {
		struct summary *summary = make(rank, ranks, collectives);
		char *path = memory_format("%s/rank.%u.summary.db", argv[3], rank), *error = NULL;

		if (summary_write(summary, path, &error))
			errx(1, "%s: %s", path, error);
		summary_free(summary);
		free(path);
	}
	return 0;
}
