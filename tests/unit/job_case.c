#include "job_case.h"

#include <stdio.h>
#include <stdlib.h>

struct summary *job_case_summary(int64_t rank, int64_t wall_ns)
{
	struct summary *summary = memory_array(1, sizeof(*summary));
	char text[64];

	snprintf(text, sizeof(text), "rank.%lld.db", (long long)rank);
	summary->trace = arena_text(&summary->texts, text);
	summary->program = arena_text(&summary->texts, "train.py");
	summary->host = arena_text(&summary->texts, "node0");
	summary->rank = rank;
	summary->local_rank = SUMMARY_NO_RANK;
	summary->process_id = 100 + rank;
	summary->start_ns = summary->first_ns = 1000 * MS;
	summary->wall_ns = summary->untraced_ns = summary->replayed_ns = wall_ns;
	summary->has_estimates = true;
	summary->operation_count = 7;
	summary->call_count = 9;
	return summary;
}

void job_case_finding(struct summary *summary, const char *id, const char *where, int64_t saved_ns)
{
	size_t index = summary->finding_count++;

	summary->findings = memory_shrink(summary->findings, index + 1, sizeof(*summary->findings));
	summary->findings[index] = (struct summary_finding){
		.id = arena_text(&summary->texts, id),
		.title = arena_text(&summary->texts, "A title"),
		.fix = arena_text(&summary->texts, "Do something."),
		.cost = arena_text(&summary->texts, "blocked"),
		.where = arena_text(&summary->texts, where),
		.number = (uint32_t)index + 1,
		.pass = 1,
		.count = 3,
		.blocked_ns = 2 * saved_ns,
		.lost = {saved_ns / 2, saved_ns, saved_ns + saved_ns / 2},
	};
}

void job_case_communicator(struct summary *summary, uint64_t unique_id, uint32_t ranks)
{
	size_t index = summary->communicator_count++;

	summary->communicators =
		memory_shrink(summary->communicators, index + 1, sizeof(*summary->communicators));
	summary->communicators[index] = (struct summary_communicator){
		.unique_id = unique_id, .rank = (uint32_t)summary->rank, .ranks = ranks};
}

void job_case_arrival(struct summary *summary, uint32_t sequence, int64_t kernel_ns,
		      int64_t late_ns)
{
	size_t index = summary->arrival_count++;
	int64_t start_ns = 2000 * MS + sequence * 100 * MS;

	summary->arrivals = memory_shrink(summary->arrivals, index + 1, sizeof(*summary->arrivals));
	summary->arrivals[index] =
		(struct arrival){.communicator = (uint32_t)summary->communicator_count - 1,
				 .sequence = sequence,
				 .operation = 1,
				 .bytes = 4096,
				 .call_ns = start_ns - 1000,
				 .ready_ns = start_ns - (late_ns ? late_ns : 500),
				 .start_ns = start_ns,
				 .end_ns = start_ns + kernel_ns};
}

void job_case_note(struct summary *summary, const char *what, const char *why)
{
	size_t index = summary->note_count++;

	summary->notes = memory_shrink(summary->notes, index + 1, sizeof(*summary->notes));
	summary->notes[index] = (struct summary_note){arena_text(&summary->texts, what),
						      arena_text(&summary->texts, why)};
}

uint64_t job_case_below(uint64_t *state, uint64_t limit)
{
	/* Knuth's MMIX; the high bits are the random ones. */
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (*state >> 33) % limit;
}

struct summary *job_case_random(int64_t rank, uint32_t ranks, uint64_t seed)
{
	static const char *const ids[] = {"pageable-copy", "sync-in-loop", "wide-sync"};
	static const char *const places[] = {"a.cu:1", "b.py:20"};
	uint64_t state = seed * 1000003 + (uint64_t)rank;
	struct summary *summary =
		job_case_summary(rank, (int64_t)(500 + job_case_below(&state, 500)) * MS);

	for (uint64_t i = job_case_below(&state, 5); i > 0; i--)
		job_case_finding(summary, ids[job_case_below(&state, 3)],
				 places[job_case_below(&state, 2)],
				 (int64_t)job_case_below(&state, 100) * MS);
	for (uint64_t i = job_case_below(&state, 3); i > 0; i--)
		job_case_note(summary, places[job_case_below(&state, 2)],
			      ids[job_case_below(&state, 3)]);
	job_case_communicator(summary, 77, ranks);
	for (uint32_t i = 0; i < 20; i++)
		if (job_case_below(&state, 10))
			job_case_arrival(summary, i, (int64_t)(5 + job_case_below(&state, 4)) * MS,
					 (int64_t)job_case_below(&state, 2) * MS);
	job_case_communicator(summary, 1000 + (uint64_t)rank / 2, 2);
	for (uint32_t i = 0; i < 10; i++)
		job_case_arrival(summary, i * 2, (int64_t)(1 + job_case_below(&state, 9)) * MS, 0);
	arrivals_sort(summary->arrivals, summary->arrival_count);
	return summary;
}
