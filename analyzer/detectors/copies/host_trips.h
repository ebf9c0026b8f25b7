/*
 * Host trips: bytes that a D2H copy brings to the host, and that an H2D copy sends, unchanged, to
 * other device memory before another kernel is enqueued. A host that swaps two arrays makes them.
 *
 * Zero-initialize a struct host_trips; free it by host_trips_free(). Operations belong to one
 * trace; copies must have a call and be passed in the order of enqueueing. One thread.
 */
#ifndef STREAMTRACE_HOST_TRIPS_H
#define STREAMTRACE_HOST_TRIPS_H

#include "base/memory.h"
#include "base/vector.h"
#include "detectors/copies/contents.h"
#include "detectors/copies/source_writes.h"

/* The trips of one call site whose hashes were compared. */
struct host_trip_line {
	size_t equal, different;
};

struct host_trips {
	struct map fetches; /* by address of the D2H copy: twice the kernels before it, plus 1 if
			     * the host had the same bytes there already */
	size_t kernels;	    /* so far */
	VECTOR(struct host_trip_line) lines; /* by transfer_group.line */
};

void host_trips_pass_kernel(struct host_trips *trips);

/* is_held: the host had the same bytes there already, as far as they were compared. */
void host_trips_pass_fetched(struct host_trips *trips, const struct trace_operation *fetched,
			     bool is_held);

/* As passed for the D2H copy; false if it was not passed. */
bool host_trips_is_held(const struct host_trips *trips, const struct trace_operation *fetched);

/* The D2H copy that wrote all the host memory that the H2D copy `sent` reads, and nothing else; or
 * NULL if there is none, or a kernel was enqueued between both. */
const struct trace_operation *host_trips_fetched(const struct host_trips *trips,
						 const struct source_writes *writes,
						 const struct trace_operation *sent);

/* How surely both copies carried the same bytes, by their hashes (0: unknown); PROOF_NONE: it is
 * not known. Counts the pair for the call site `line`. */
enum content_proof host_trips_compare(struct host_trips *trips, uint32_t line, uint32_t fetched,
				      uint32_t sent);

/* Call after all copies: the proof of a trip of this call site by what its other trips show. A trip
 * that is then not known to be one gets PROOF_AGAINST. */
enum content_proof host_trips_settled(const struct host_trips *trips, uint32_t line,
				      enum content_proof proof);

void host_trips_free(struct host_trips *trips);

#endif
