#ifndef FAKE_CUPTI_INTERNAL_H
#define FAKE_CUPTI_INTERNAL_H

#include "fake_cuda.h"

/* Copies the record, an activity record of CUPTI, if its kind is enabled. complete_ns: when the record is complete,
 * by CLOCK_REALTIME; before that only a forced flush hands it over. Any thread. */
void activity_record(const void *record, uint64_t complete_ns);

#endif
