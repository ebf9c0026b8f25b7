#ifndef FAKE_CUPTI_INTERNAL_H
#define FAKE_CUPTI_INTERNAL_H

#include "fake_cuda.h"

/* Takes a copy of the record if its kind is enabled. Any thread. */
void activity_record(const void *record, uint64_t complete_ns);

#endif
