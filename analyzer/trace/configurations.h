/* Launch configurations of kernels, for operations in blocks: the table kernel_configurations. */
#ifndef STREAMTRACE_CONFIGURATIONS_H
#define STREAMTRACE_CONFIGURATIONS_H

#include "base/memory.h"
#include "base/vector.h"
#include "trace/rows.h"

struct configurations {
	VECTOR(struct kernel_configurations_row) rows;
	struct map map; /* from id to index */
};

/* Reads the table; empty if the trace has none. One thread; afterwards any thread may call
 * configurations_find(). */
void configurations_read(struct configurations *configurations, struct database *database);

/* The row with this id; NULL: none. Owned by the configurations. */
const struct kernel_configurations_row *
configurations_find(const struct configurations *configurations, int64_t id);

void configurations_free(struct configurations *configurations);

#endif
