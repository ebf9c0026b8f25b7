#include "first_use/covering.h"

bool first_use_is_covered(const struct first_use_copy *copy, const struct first_use_wait *wait)
{
	enum { LEGACY = 1, PER_THREAD = 2 };

	if (wait->correlation)
		return copy->correlation == wait->correlation;
	if (copy->context != wait->context || copy->serial > wait->serial)
		return false;
	if (wait->is_all)
		return true;
	if (wait->stream == LEGACY)
		return copy->stream == LEGACY || copy->is_blocking;
	return copy->stream == wait->stream &&
	       (wait->stream != PER_THREAD || copy->thread_id == wait->stream_thread_id);
}
