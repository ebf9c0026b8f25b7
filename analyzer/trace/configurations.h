/* Launch configurations of kernels (the table kernel_configurations), to which operations in blocks
 * refer by id. */
#ifndef STREAMTRACE_CONFIGURATIONS_H
#define STREAMTRACE_CONFIGURATIONS_H

#include "base/memory.h"
#include "base/vector.h"
#include "trace/rows.h"

struct configurations {
	VECTOR(struct kernel_configurations_row) rows;
	struct map map; /* from id to index */
};

/* Fills in *configurations; empty if the trace lacks the table. A failure is kept in
 * database->error. One thread; afterwards any thread may call configurations_find(). Free by
 * configurations_free(). */
void configurations_read(struct configurations *configurations, struct database *database);

/* The row with this id, owned by *configurations; NULL: none. */
const struct kernel_configurations_row *
configurations_find(const struct configurations *configurations, int64_t id);

void configurations_free(struct configurations *configurations);

#endif
