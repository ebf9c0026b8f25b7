/*
 * Summaries of a job of many ranks, made of the traces of a few (ranks.py): rank_summaries FOLDER RANKS TRACE...
 *
 * Rank r gets the summary of trace r mod n, by the clock of its host, 8 ranks a host: each host's is 50 us
 * further behind. For how long the merging of so many takes.
 */
#include "commands/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { HOST_RANKS = 8, HOST_BEHIND_NS = 50000 };

static void become(struct summary *summary, int64_t rank, int64_t ranks)
{
	int64_t host = rank / HOST_RANKS;
	char *name = memory_format("node%05" PRId64, host);

	summary->rank = rank;
	summary->local_rank = rank % HOST_RANKS;
	summary->ranks = ranks;
	summary->process_id = 10000 + summary->local_rank;
	summary->host = summary->boot_id = arena_text(&summary->texts, name);
	for (size_t i = 0; i < summary->communicator_count; i++) {
		summary->communicators[i].rank = (uint32_t)rank;
		summary->communicators[i].ranks = (uint32_t)ranks;
	}
	for (size_t i = 0; i < summary->arrival_count; i++) {
		struct arrival *arrival = &summary->arrivals[i];

		arrival->call_ns -= host * HOST_BEHIND_NS;
		arrival->ready_ns -= host * HOST_BEHIND_NS;
		arrival->start_ns -= host * HOST_BEHIND_NS;
		arrival->end_ns -= host * HOST_BEHIND_NS;
	}
	free(name);
}

static void fail(const char *path, const char *error)
{
	fprintf(stderr, "rank_summaries: %s: %s\n", path, error);
	exit(1);
}

/* The summary of the trace as bytes, of which each rank's copy is made. */
static void *summarize(const char *path, size_t *size)
{
	char *error = NULL;
	struct summary *summary = collect_summary(path, false, &error);
	void *bytes = summary ? summary_to_bytes(summary, size, &error) : NULL;

	if (!bytes)
		fail(path, error);
	summary_free(summary);
	return bytes;
}

int main(int argc, char **argv)
{
	int64_t ranks = argc > 3 ? strtoll(argv[2], NULL, 10) : 0, traces = argc - 3;

	if (ranks <= 0) {
		fputs("usage: rank_summaries FOLDER RANKS TRACE...\n", stderr);
		return 2;
	}
	mkdir(argv[1], 0777);
	for (int64_t i = 0; i < traces; i++) {
		size_t size;
		void *bytes = summarize(argv[3 + i], &size);

		for (int64_t rank = i; rank < ranks; rank += traces) {
			char *path = memory_format("%s/rank.%" PRId64 ".summary.db", argv[1], rank);
			char *error = NULL;
			struct summary *summary = summary_from_bytes(bytes, size, &error);

			if (!summary)
				fail(path, error);
			become(summary, rank, ranks);
			if (summary_write(summary, path, &error))
				fail(path, error);
			summary_free(summary);
			free(path);
		}
		free(bytes);
	}
	return 0;
}
