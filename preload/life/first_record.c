#include "life/first_record.h"

#include "base/losses.h"
#include "recorder/recorder.h"
#include "recorder/windows.h"

#include <stdatomic.h>

bool first_record_is_there(void)
{
	if (losses_are_counted() || windows_follow_profiler())
		return true;
	for (const struct ring *ring = recorder_rings(); ring; ring = ring->next)
		if (!ring_is_empty(ring) ||
		    atomic_load_explicit(&ring->dropped, memory_order_relaxed))
			return true;
	return false;
}
