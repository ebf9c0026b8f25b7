#include "detectors/copies/host_trips.h"

#include "base/thresholds.h"
#include "facts/content.h"

void host_trips_pass_kernel(struct host_trips *trips)
{
	trips->kernels++;
}

static uint64_t key_of(const struct trace_operation *fetched)
{
	return (uint64_t)(uintptr_t)fetched;
}

void host_trips_pass_fetched(struct host_trips *trips, const struct trace_operation *fetched,
			     bool is_held)
{
	map_set(&trips->fetches, key_of(fetched), trips->kernels * 2 + is_held);
}

bool host_trips_is_held(const struct host_trips *trips, const struct trace_operation *fetched)
{
	const size_t found = map_find(&trips->fetches, key_of(fetched));

	return found != MAP_NONE && found % 2;
}

const struct trace_operation *host_trips_fetched(const struct host_trips *trips,
						 const struct source_writes *writes,
						 const struct trace_operation *sent)
{
	const struct trace_operation *fetched = source_writes_last(writes, sent);

	if (!fetched || fetched->form->device_id != sent->form->device_id ||
	    map_find(&trips->fetches, key_of(fetched)) / 2 != trips->kernels ||
	    source_writes_come_later(writes, sent))
		return NULL;
	return fetched;
}

static struct host_trip_line *line_at(struct host_trips *trips, uint32_t line)
{
	while (trips->lines.count <= line)
		*vector_add(&trips->lines) = (struct host_trip_line){0};
	return &trips->lines.items[line];
}

enum content_proof host_trips_compare(struct host_trips *trips, uint32_t line, uint32_t fetched,
				      uint32_t sent)
{
	struct host_trip_line *counts = line_at(trips, line);

	if (!fetched || !sent || (fetched ^ sent) & CONTENT_IS_WHOLE)
		return PROOF_NONE;
	if (fetched != sent) {
		counts->different++;
		return PROOF_AGAINST;
	}
	counts->equal++;
	return sent & CONTENT_IS_WHOLE ? PROOF_WHOLE : PROOF_LINES;
}

enum content_proof host_trips_settled(const struct host_trips *trips, uint32_t line,
				      enum content_proof proof)
{
	const struct host_trip_line *counts = &trips->lines.items[line];

	if (proof == PROOF_WHOLE || proof == PROOF_AGAINST)
		return proof;
	if (!counts->different && counts->equal >= TYPICAL_LEAST_TIMES)
		return PROOF_LIKELY;
	return proof == PROOF_LINES ? PROOF_LINES : PROOF_AGAINST;
}

void host_trips_free(struct host_trips *trips)
{
	map_free(&trips->fetches);
	vector_free(&trips->lines);
}
