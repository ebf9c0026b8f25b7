/* What pinning the copies' host memory costs, and after how many copies it pays: price() of
 * detectors (struct detector). */
#ifndef STREAMTRACE_PAGEABLE_PRICE_H
#define STREAMTRACE_PAGEABLE_PRICE_H

#include "detectors/detector.h"

bool pageable_price(const struct model *model, const struct instance *instances, size_t count,
		    int64_t saved_ns, char *text, size_t size);

#endif
