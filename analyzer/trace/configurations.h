/* How kernels were launched, for operations in blocks: the table kernel_configurations. */
#ifndef STREAMTRACE_CONFIGURATIONS_H
#define STREAMTRACE_CONFIGURATIONS_H

#include "base/memory.h"
#include "base/vector.h"
#include "trace/rows.h"

struct configurations {
	VECTOR(struct kernel_configurations_row) rows;
	struct map map; /* ids to indexes */
};

/* Empty where the trace has no such table. Afterwards any thread may find. */
void configurations_read(struct configurations *configurations, struct database *database);

/* NULL: there is none with this id. */
const struct kernel_configurations_row *
configurations_find(const struct configurations *configurations, int64_t id);

void configurations_free(struct configurations *configurations);

#endif
