/*
 * How the tables with the most rows are read: in ranges of ids, each by whichever thread is free.
 *
 * A range keeps its rows in a part of arrays that all ranges of the table share; what is between the
 * parts is closed once all are read. A table whose ids have large gaps, or are no ids, is one range,
 * for which the arrays grow. Strictly, each table is one range that one thread reads when its turn
 * comes.
 */
#ifndef STREAMTRACE_TRACE_ROW_RANGES_H
#define STREAMTRACE_TRACE_ROW_RANGES_H

#include "base/vector.h"
#include "trace/block_rows.h"
#include "trace/forms.h"
#include "trace/rows.h"

struct row_range {
	struct row_ranges *ranges;
	struct rows rows;
	struct block_rows blocks; /* of a table with is_in_blocks */
	union row_range_row {
		struct calls_row call;
		struct operations_row operation;
		struct event_records_row record;
		struct synchronizations_row synchronization;
	} row;
	int64_t first_id, last_id; /* where the table is split */
	int64_t row_id;		   /* of the row before */
	/* Of the rows that it keeps, if they are looked up: the first one's id, and those of all where they have
	 * gaps. */
	int64_t least_id;
	VECTOR(int64_t) ids;
	struct forms *forms; /* of the connection that reads it */
	/* Of a row of a block: block_rows_made(), the form; NULL: of another row. */
	const void **made;
	bool is_same;
	/* In the arrays: where its rows begin, how many have room, how many there are. */
	size_t at, room, count;
	uint64_t seen; /* rows, also those that are not kept */
	int64_t own_duration_ns;
	int64_t *duration_ns; /* sum of the rows' durations */
	/* Operations: */
	size_t untimed;
	VECTOR(uint64_t) unknown_streams; /* context_id << 32 | id */
	uint64_t last_stream;		  /* of the row before, likewise */
};

/* An array with an element a row, which begins as NULL. */
struct row_array {
	void **items;
	size_t element_bytes;
	bool follows_time; /* its elements are in the order of time, else of ids */
};

#define ROW_ARRAYS_MOST 4

struct row_ranges {
	enum row_table table;
	const char *condition; /* "" or "WHERE ...", on all rows that are read */
	bool is_split;	       /* its ids may be split; condition is "" */
	bool is_in_blocks;     /* calls and operations: some are in blocks */
	/* Takes the row that stands in range->row, in the thread that reads the range. It may read
	 * what the loader has, and write only to the range and to its part of the arrays. */
	void (*take)(struct row_range *range);
	struct trace_loader *loader;
	struct row_array arrays[ROW_ARRAYS_MOST + 1];
	/* Of rows that are put in the order of time, which their elements in the first array begin
	 * with: one of the arrays, the index of each row there. NULL: nobody asks for that. */
	uint32_t **places;
	struct forms *forms; /* by connection; NULL: its rows have none */

	struct row_range *items; /* by id */
	size_t count;
	bool is_read;
};

/* Index in the arrays for one more row; MAP_NONE, and a failure of the range's rows, where there is
 * none. */
size_t row_range_place(struct row_range *range);

/* Fails where the ids of the table's rows do not increase. */
void row_range_check_id(struct row_range *range, int64_t id);

/* Keeps the id of the row at this index for row_ranges_find(). */
void row_range_keep_id(struct row_range *range, size_t at, int64_t id);

/* Of rows with ids that were kept: the index in the arrays that do not follow time, once they are read;
 * MAP_NONE: there is no such row. */
size_t row_ranges_find(const struct row_ranges *ranges, int64_t id);

/* Splits the tables and reads them on all processors. Does nothing where the loader is strict. */
void row_ranges_read_ahead(struct trace_loader *loader, struct row_ranges *const *tables,
			   size_t count);

/* Reads the table unless it is read, closes the gaps, and puts it in the order of time. The number of
 * rows that the arrays hold. */
size_t row_ranges_read(struct row_ranges *ranges);

void row_ranges_free(struct row_ranges *ranges);

#endif
