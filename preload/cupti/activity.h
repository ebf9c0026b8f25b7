/* CUPTI's activity records as rows of the trace. Writer thread only. */
#ifndef STREAMTRACE_ACTIVITY_H
#define STREAMTRACE_ACTIVITY_H

#include "store/store.h"

#include <cupti.h>

/* What the records of one flush lacked, added to. */
struct activity_losses {
	uint64_t untimed, unknown;
};

/* Stores one record. cupti_version: of the library that wrote it. */
void activity_store(struct store *store, const CUpti_Activity *record, uint32_t cupti_version,
		    struct activity_losses *losses);

#endif
