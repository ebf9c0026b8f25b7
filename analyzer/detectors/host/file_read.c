/*
 * WHAT: the thread that enqueues the GPU's work reads or writes files in each step, and the GPU has
 *   nothing to do meanwhile.
 * EVIDENCE: the GPU was idle between two calls of one thread that lie 100 us or more apart.
 *   Snapshots of the host's threads (table host_states) show the thread, for most of the time in
 *   which it works or waits for work,
 *   waiting for a file, or running in what reads files in NumPy, PyTorch, Pillow or h5py. The line
 *   did so at least four times. No result came back from the GPU since the time before.
 * COST: the time in which the GPU was idle.
 * FALSE POSITIVES: the fix lets other threads read ahead. Readers share a disk's rate, except for
 *   files that are in memory already. The estimate takes readers for independent; the low end is
 *   for half of them.
 */
#include "detectors/host/host_kind_works.h"
#include "detectors/host/workers.h"
#include "detectors/host/works.h"

static void find_file_read(const struct observed *observed, struct instances *found)
{
	host_kind_works_find(observed, HOST_KIND_FILE, found);
}

static void describe_file_read(const struct observed *observed, const struct instance *instance,
			       char *text, size_t size)
{
	host_kind_works_describe(observed, instance, "reading files", text, size);
}

const struct detector detector_file_read = {
	.id = "file-read",
	.title = "The GPU waits while the thread that feeds it reads files",
	.fix = "Read the next steps' files in other threads while this thread enqueues the current "
	       "one.",
	.cost = "GPU idle",
	.low_end = "the disk may serve fewer readers at a time",
	.pointers = {DETAIL_POINTER(struct host_work, since),
		     DETAIL_POINTER_ANYWHERE(struct host_work, before)},
	.doubt = "what is read may depend on results that came back before",
	.find = find_file_read,
	.apply = works_edit_all,
	.ways = WORKS_WAYS,
	.assume = works_assume,
	.describe = describe_file_read,
};
