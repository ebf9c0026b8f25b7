/* Stores CUPTI's activity records as rows of the trace. Writer thread only. */
#ifndef STREAMTRACE_PRELOAD_ACTIVITY_H
#define STREAMTRACE_PRELOAD_ACTIVITY_H

#include "store/store.h"

#include <cupti.h>

/* Counters for one flush: operations without a time, and records of unknown kind. activity_store()
 * adds to them. */
struct activity_losses {
	uint64_t untimed, unknown;
};

/* Stores one record. cupti_version: version of the libcupti that wrote the record; 0: unknown. */
void activity_store(struct store *store, const CUpti_Activity *record, uint32_t cupti_version,
		    struct activity_losses *losses);

#endif
