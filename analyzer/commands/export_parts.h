/*
 * The traces of one export: their numbers in it, and their clocks. One thread.
 */
#ifndef STREAMTRACE_EXPORT_PARTS_H
#define STREAMTRACE_EXPORT_PARTS_H

#include "commands/operands.h"
#include "job/machine_clocks.h"

struct export_part {
	const char *path;
	uint64_t process_id;		   /* no two have the same; 0: the only one */
	const struct machine_clock *clock; /* NULL: all are of one machine */
};

struct export_parts {
	struct export_part *items;
	size_t count;
	struct job *job; /* of several machines: what their clocks are compared by */
	struct machine_clocks clocks;
};

/* The operands must outlive it. False: machines are left out, whose clocks cannot be compared, which was
 * printed. Of several machines each trace is analysed for it. */
bool export_parts_find(struct export_parts *parts, const struct operands *traces);

void export_parts_free(struct export_parts *parts);

#endif
