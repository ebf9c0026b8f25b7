/*
 * WHAT: independent copies and kernels in one stream: it runs them one after the other.
 * EVIDENCE: an operation was enqueued, there was room for it on its engine and what it needs was
 *   done, yet it started only when the operation before it in its stream had ended: one of another
 *   engine, or a kernel that left room beside it. Kernels of one thread that waited beside kernels
 *   which left room are small-grid. A kernel behind one that left none could have used the time in
 *   which that one started: up to BRIEF_NS of it do not count.
 * COST: the time between those two moments.
 * FALSE POSITIVES: a copy into a buffer that an earlier kernel still reads: independent in its
 *   data, but a fix needs a second buffer (the fix says so when the copies share their target).
 *   Small copies in a row that wait for each other are tiny-copies.
 */
#include "base/thresholds.h"
#include "detectors/detector.h"
#include "detectors/streams/spreading.h"
#include "detectors/streams/stream_waits.h"

#include <stdlib.h>

#define FIX_OF_THREADS                                                                             \
	"Give each thread a stream of its own. For the default stream, nvcc --default-stream "     \
	"per-thread does that: otherwise it is one stream for all threads."

static void find_serial_streams(const struct observed *observed, struct instances *found)
{
	const size_t first = found->count;

	stream_waits_find(observed, false, found);
	for (size_t i = first; i < found->count; i++)
		if (spreading_is_of_threads(&found->items[i]))
			found->items[i].fix = FIX_OF_THREADS;
}

static void fix_serial_streams(const struct observed *observed, const struct instance *instances,
			       size_t count, enum doubt doubt, struct edits *edits)
{
	spreading_apply(observed->model, instances, count, SERIAL_STREAMS, doubt, edits);
}

/* The cause of a stream used by several threads. Chunks have no common cause: fixes for H2D and for
 * D2H copies are different streams for the same chunks. */
static struct cause cause_of(const struct model *model, const struct instance *instance)
{
	const struct trace_stream *stream = instance->operation->form->stream;

	(void)model;
	return spreading_is_of_threads(instance)
		       ? cause_of_pair(CAUSE_OF_THREADS, stream->context_id, stream->id)
		       : (struct cause){CAUSE_NONE, 0, 0};
}

const struct detector detector_serial_stream = {
	.id = "serial-stream",
	.title = "Independent copies and kernels are serialized in one stream",
	.fix = "Spread the chunks over streams[i % 4] from cudaStreamCreate(): the copy of one "
	       "chunk then overlaps with the kernel of another.",
	.other_fix =
		"Spread the chunks over streams[i % 4] from cudaStreamCreate(), each with its own "
		"device buffer: these copies all write to the same one.",
	.cost = "delayed",
	.low_end = "a second device buffer may not do: later operations may use what is left in "
		   "the first",
	.find = find_serial_streams,
	.apply = fix_serial_streams,
	.cause = cause_of,
	.describe = stream_waits_describe,
};
