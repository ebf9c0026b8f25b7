/*
 * Plans in which shards a table is read, and how much room its arrays need. A table is split
 * by its rows' ids, or by the first ids of its blocks. One thread.
 */
#ifndef STREAMTRACE_TRACE_SHARD_PLAN_H
#define STREAMTRACE_TRACE_SHARD_PLAN_H

#include "trace/row_shards.h"

/* Sets shards->items and count: several shards if is_split is set and the ids are dense, otherwise
 * one shard. Allocates the arrays if the ids are split. If the table has no column of ids, the
 * database keeps a failure (database->error); items and count are set all the same. Free the items
 * by row_shards_free(). */
void shard_plan_table(struct row_shards *shards);

/* Sets shards->items and count to a single shard, and is_split to false. */
void shard_plan_whole(struct row_shards *shards);

#endif
