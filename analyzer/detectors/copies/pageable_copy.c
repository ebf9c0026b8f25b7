/*
 * WHAT: an asynchronous copy from or to pageable host memory: the driver stages the data, so that
 *   the copy is slower than from pinned memory, and the host waits for it.
 * EVIDENCE: the copy ran inside its call, so that the call returned only when the copy (and what
 *   was before it in its stream) was done; CUPTI says that the host memory was pageable. A copy that
 *   takes as long as one to touched memory and most of the page faults of its size went to new
 *   memory; where these times are not known, one to an address that no copy used before may have.
 *   A copy that cupy.asarray() or cupy.array() made from pinned memory: CuPy has copied the array into
 *   a buffer of its own first, where the host had the time for that before each such copy of the line.
 * COST: the host's time in the call. The fix makes the copy shorter; it ends the wait where the host
 *   does not use the data at once, and with it the wait for the stream in the same line. Copies of
 *   memory that the host leaves as it is also come one step ahead, in a stream of their own; the low
 *   end is pinned alone. Where memory is new at an address that was used before, the host
 *   has given it back in between, which a buffer that is kept saves, too. Of what a framework copied
 *   itself the shortest time before such a copy of the line, not more than a slow core takes; the low
 *   end leaves it.
 * FALSE POSITIVES: a copy so small that it was staged before the call returned is not reported. Many
 *   small ones in a row are tiny-copies. cudaMemcpy(), of which nobody expects that it returns at
 *   once, is pageable-blocking.
 */
#include "detectors/copies/filled_copies.h"
#include "detectors/copies/pageable_copies.h"
#include "detectors/copies/pageable_price.h"

static void find_pageable_copies(const struct observed *observed, struct instances *found)
{
	pageable_find(observed, true, found);
	filled_copies_find(observed, found);
}

const struct detector detector_pageable_copy = {
	.id = "pageable-copy",
	.title = "Copies of pageable host memory are slow and block the host",
	.fix = "Allocate the host buffer with cudaMallocHost(), or pin it once with "
	       "cudaHostRegister(): cudaMemcpyAsync() then returns at once.",
	.other_fix = "Allocate the host buffer with cudaMallocHost(), or pin it once with "
		     "cudaHostRegister(): the copy is then faster. Pinning alone does not create "
		     "overlap: the host still waits for this copy, unless it is made with "
		     "cudaMemcpyAsync() and waited for where its data is used.",
	.cost = "blocked",
	.low_end =
		"the host may need the data at once (--first-use records when it reads them), or "
		"pinned copies are slower here",
	.is_by_size = true,
	.pins = true,
	.pointers = {DETAIL_POINTER(struct pageable_copy, sync),
		     DETAIL_POINTER_ANYWHERE(struct pageable_copy, before)},
	.find = find_pageable_copies,
	.apply = pageable_apply,
	.ways = {{"pinned alone", pageable_apply_alone}},
	.way_of_all = "copied one step ahead",
	.assume = pageable_assume,
	.cause = pageable_cause,
	.describe = pageable_describe,
	.price = pageable_price,
};
