/*
 * Sorts the rows of shards (row_shards.h) by time. The traced program's threads write their own
 * batches, so rows are sorted but for short stretches. Each shard is sorted when it is read; then
 * only rows where shards overlap are moved. Rows with equal times stay in the order of ids.
 */
#ifndef STREAMTRACE_TRACE_TIME_ORDER_H
#define STREAMTRACE_TRACE_TIME_ORDER_H

#include "trace/row_shards.h"

/* Temporary memory for sorting one shard after the other. Zero-initialize it; time_order_free()
 * it. */
struct time_order {
	struct room keys, more_keys, places, elements;
};

void time_order_free(struct time_order *order);

/* Sorts a shard that has been read and, if shards->places is not NULL, stores each row's position
 * in the shard there. Call on the thread that reads the shard. */
void time_order_shard(struct time_order *order, struct row_shard *shard);

/* Sorts the whole table, whose shards are sorted, and stores each row's index in shards->places.
 * Call on one thread, after the gaps are closed. */
void time_order_table(struct row_shards *shards);

#endif
