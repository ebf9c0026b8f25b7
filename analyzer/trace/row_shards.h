/*
 * Reads the largest tables in shards, each by whichever thread is free. A shard is the rows of some
 * consecutive ids.
 *
 * All shards of a table put their rows into shared arrays, each shard into its own part. Gaps
 * between the parts are closed after all shards are read. A table whose ids have large gaps is one
 * shard, for which the arrays grow. In strict mode each table is one shard, read on the loader's
 * thread by row_shards_read(). Only `take` runs on other threads; all else is called on the
 * loader's thread. "Fails" means: keeps a failure in the database's error.
 */
#ifndef STREAMTRACE_TRACE_ROW_SHARDS_H
#define STREAMTRACE_TRACE_ROW_SHARDS_H

#include "base/vector.h"
#include "trace/block_rows.h"
#include "trace/forms.h"
#include "trace/rows.h"

struct row_shard {
	struct row_shards *shards;
	struct rows rows;
	struct block_rows blocks; /* if is_in_blocks */
	union row_shard_row {
		struct calls_row call;
		struct operations_row operation;
		struct event_records_row record;
		struct synchronizations_row synchronization;
	} row;
	int64_t first_id, last_id; /* if the table is split: the shard's ids, both included */
	int64_t row_id;		   /* id of the row before */
	/* For row_shards_find(): the id of the shard's first row and, if the ids have gaps, all
	 * ids. */
	int64_t least_id;
	VECTOR(int64_t) ids;
	struct forms *forms; /* of the connection that reads the shard */
	/* For a row from a block: where block_rows_made() keeps its form; NULL for other rows. */
	const void **made;
	bool is_same;
	/* In the arrays: the index of the shard's first row, rows that have room, rows so far. */
	size_t at, room, count;
	uint64_t seen; /* rows seen, also those not kept */
	int64_t own_duration_ns;
	int64_t *duration_ns; /* sum of its rows' durations */
	/* Only for operations: */
	size_t untimed;
	VECTOR(uint64_t) unknown_streams; /* context_id << 32 | id */
	uint64_t last_stream;		  /* of the row before, as context_id << 32 | id */
};

/* An array with one element for each row. *items must be NULL at first. */
struct row_array {
	void **items;
	size_t element_bytes;
	bool follows_time; /* true: in the order of time; false: of ids */
};

#define ROW_ARRAYS_MOST 4

struct row_shards {
	enum row_table table;
	const char *condition; /* "" or "WHERE ...", on all rows that are read */
	bool is_split;	       /* its ids may be split into shards; condition must be "" */
	bool is_in_blocks;     /* some of its calls or operations are in blocks */
	/* Called for each row, in shard->row, on the thread that reads the shard. May read what the
	 * loader has, and must write only to the shard and its part of the arrays. */
	void (*take)(struct row_shard *shard);
	struct trace_loader *loader;
	struct row_array arrays[ROW_ARRAYS_MOST + 1];
	/* If rows are sorted by time (the first member of the first array's elements): one of the
	 * arrays, which receives each row's new index. NULL: not needed. */
	uint32_t **places;
	struct forms *forms; /* by connection; NULL: the rows have no forms */

	struct row_shard *items; /* in the order of ids */
	size_t count;		 /* of items */
	bool is_read;		 /* all shards were read */
};

/* Adds a row to the shard, and returns its index in the arrays; MAP_NONE: it fails, for there are
 * too many rows. */
size_t row_shard_place(struct row_shard *shard);

/* Fails unless `id`, that of the current row, is above the id before and within the shard. */
void row_shard_check_id(struct row_shard *shard, int64_t id);

/* Keeps the id of the row at the index `at` in the arrays, for row_shards_find(). */
void row_shard_keep_id(struct row_shard *shard, size_t at, int64_t id);

/* The index, in the arrays with follows_time false, of the row with this id; MAP_NONE: no such row.
 * Call after the table is read, with ids kept by row_shard_keep_id(). */
size_t row_shards_find(const struct row_shards *shards, int64_t id);

/* Splits the tables and reads them on all processors. Does nothing in strict mode, and for an
 * export of Nsight Systems. */
void row_shards_read_ahead(struct trace_loader *loader, struct row_shards *const *tables,
			   size_t count);

/* Reads the table unless it was read ahead, closes the gaps and sorts the arrays with follows_time
 * by time. Returns the number of rows in the arrays, which the caller then owns. */
size_t row_shards_read(struct row_shards *shards);

/* Frees the shards, but neither the arrays nor the forms. */
void row_shards_free(struct row_shards *shards);

#endif
