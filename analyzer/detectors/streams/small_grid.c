/*
 * WHAT: kernels that take a part of the device run one after the other in one stream, though they
 *   are independent and fit beside each other.
 * EVIDENCE: a kernel was enqueued, what it needs was done and, by the occupancy of what ran, there
 *   was room for its blocks, yet it started only when the operation before it in its stream had
 *   ended. For most of that time the device ran kernels, and for most waits at that line it was so.
 * COST: the time from when only the stream was in its way until it started.
 * FALSE POSITIVES: kernels that are bound by memory take longer beside each other; the estimate
 *   keeps the times that they had alone. The low end keeps kernels in turn if one of them has blocks
 *   on more than half of the multiprocessors. What a kernel reaches without a parameter is not seen
 *   (docs/use/limits.md). Kernels of several threads in one stream are serial-stream.
 */
#include "detectors/detector.h"
#include "detectors/streams/spreading.h"
#include "detectors/streams/stream_waits.h"

/* As many streams as a program has hardware queues by default. */
enum { KERNEL_STREAMS = 8 };
_Static_assert(KERNEL_STREAMS <= SPREADING_MOST, "room for them");

static void find_small_grids(const struct observed *observed, struct instances *found)
{
	stream_waits_find(observed, true, found);
}

static void fix_small_grids(const struct observed *observed, const struct instance *instances,
			    size_t count, enum doubt doubt, struct edits *edits)
{
	spreading_apply(observed->model, instances, count, KERNEL_STREAMS, doubt, edits);
}

/* The stream: all its kernels are spread. */
static struct cause cause_of(const struct model *model, const struct instance *instance)
{
	const struct trace_stream *stream = instance->operation->form->stream;

	(void)model;
	return cause_of_pair(CAUSE_OF_KERNELS, stream->context_id, stream->id);
}

const struct detector detector_small_grid = {
	.id = "small-grid",
	.title = "Independent kernels that fill a part of the device run one after the other",
	.fix = "Launch them into streams[i % 8] from cudaStreamCreateWithFlags(&s, "
	       "cudaStreamNonBlocking): these kernels fit on the device beside each other. Or "
	       "make one kernel with a larger grid of them.",
	.cost = "delayed",
	.low_end = "kernels that share multiprocessors can take longer by what they save, and a "
		   "second device buffer may not do",
	.find = find_small_grids,
	.apply = fix_small_grids,
	.cause = cause_of,
	.describe = stream_waits_describe,
};
