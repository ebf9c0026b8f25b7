/*
 * The traces of one export: their process ids in the file, and their clocks. One thread.
 */
#ifndef STREAMTRACE_EXPORT_PARTS_H
#define STREAMTRACE_EXPORT_PARTS_H

#include "commands/operands.h"
#include "job/machine_clocks.h"

struct export_part {
	const char *path;
	uint64_t process_id; /* differs between parts; 0: there is one part, or it cannot be read */
	const struct machine_clock
		*clock; /* NULL: all parts are of one machine, or this one cannot be read */
};

struct export_parts {
	struct export_part *items;
	size_t count;
	struct job *job; /* what clocks points into; NULL: all parts are of one machine */
	struct machine_clocks clocks;
};

/* Sets *parts, one for each trace. The caller frees *parts with export_parts_free(), also after false. The operands
 * must outlive *parts. needs_clocks: if the traces are of several machines, the function analyses all traces to
 * compare the clocks. False: *parts lacks the traces of machines whose clocks cannot be compared, which was printed. */
bool export_parts_find(struct export_parts *parts, const struct operands *traces,
		       bool needs_clocks);

/* Frees what *parts holds, and empties it. */
void export_parts_free(struct export_parts *parts);

#endif
