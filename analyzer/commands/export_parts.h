/*
 * The traces of one export: their process ids in the file, and their clocks. One thread.
 */
#ifndef STREAMTRACE_EXPORT_PARTS_H
#define STREAMTRACE_EXPORT_PARTS_H

#include "commands/operands.h"
#include "job/machine_clocks.h"

struct export_part {
	const char *path;
	uint64_t process_id; /* differs between parts; 0: there is one part */
	const struct machine_clock
		*clock; /* NULL: all parts are of one machine, or the trace cannot be read */
};

struct export_parts {
	struct export_part *items;
	size_t count;
	struct job *job; /* NULL unless there are several machines: clocks refers to it */
	struct machine_clocks clocks;
};

/* Sets *parts; free it with export_parts_free(), whatever is returned. The operands must outlive it. If the traces
 * are of several machines, each is analysed to compare the clocks. False: machines whose clocks cannot be compared
 * are left out, which was printed. */
bool export_parts_find(struct export_parts *parts, const struct operands *traces);

void export_parts_free(struct export_parts *parts);

#endif
