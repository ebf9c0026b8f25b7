/* What pinning the copies' host memory costs, and after how many copies pinning pays. Any
 * thread. */
#ifndef STREAMTRACE_PAGEABLE_PRICE_H
#define STREAMTRACE_PAGEABLE_PRICE_H

#include "detectors/detector.h"

/* A detector's price(): see struct detector. Instances are copies of pageable_copies.h. */
bool pageable_price(const struct model *model, const struct instance *instances, size_t count,
		    int64_t saved_ns, char *text, size_t size);

#endif
