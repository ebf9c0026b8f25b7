/*
 * WHAT: cudaMemcpy from or to pageable host memory. The host would wait for it anyway, but the driver
 *   stages the data: the copy takes several times as long as one from pinned memory, and longer
 *   still where its destination is new memory, which waits for page faults.
 * EVIDENCE: the copy, which is not asynchronous, ran for half of its time or more inside its call;
 *   CUPTI says that the host memory was pageable, and what copies of pinned memory take here is
 *   known. Which went to new memory is told as for pageable-copy.
 * COST: the host's time in the call. The fix makes the copy shorter, and the call waits for that. For
 *   the wait of a pinned cudaMemcpy there is blocking-copy, in a later pass.
 * FALSE POSITIVES: data that the host has in pageable memory for other reasons has to be copied to
 *   the pinned buffer by the host, which takes as long as the driver's staging. Many small copies
 *   in a row are tiny-copies.
 */
#include "detectors/copies/pageable_copies.h"
#include "detectors/copies/pageable_price.h"

static void find_pageable_blocking_copies(const struct observed *observed, struct instances *found)
{
	pageable_find(observed, false, found);
}

const struct detector detector_pageable_blocking = {
	.id = "pageable-blocking",
	.title = "Blocking copies are slowed down by pageable host memory",
	.fix = "Allocate the host buffer with cudaMallocHost() once and use it again for each "
	       "copy, or pin it once with cudaHostRegister(). The host still waits for the copy, "
	       "unless it is made with cudaMemcpyAsync() and waited for where its data is used.",
	.cost = "blocked",
	.low_end =
		"the host may need the data at once (--first-use records when it reads them), or "
		"pinned copies are slower here",
	.pointers = {DETAIL_POINTER_ANYWHERE(struct pageable_copy, before)},
	.is_by_size = true,
	.pins = true,
	.find = find_pageable_blocking_copies,
	.apply = pageable_apply,
	.cause = pageable_cause,
	.describe = pageable_describe,
	.price = pageable_price,
};
