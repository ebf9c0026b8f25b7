/*
 * Traces written for other tools. exporters.def lists the formats.
 *
 * A format is a struct exporter. What it writes goes to the file as it is made: the memory it takes
 * does not grow with the file. Texts of a trace can be anything that is UTF-8 without control
 * characters (base/printable.h), and are data in every format.
 *
 * Times count from the first call or operation of the trace, as in a report, unless a format says
 * otherwise. One thread.
 */
#ifndef STREAMTRACE_EXPORT_H
#define STREAMTRACE_EXPORT_H

#include "findings/analysis.h"

#include <stdio.h>

struct machine_clock;
struct observed;
struct retimed;

/* What a format needs to know of the trace; each includes those before it. */
enum export_need {
	EXPORT_TIMES,
	EXPORT_WAITS,	/* observed */
	EXPORT_FINDINGS /* analysis and after, too */
};

struct exporting {
	const struct trace *trace;
	int64_t origin_ns, wall_ns;	 /* as in struct analysis */
	const struct observed *observed; /* NULL: not needed, as the next two */
	const struct analysis *analysis;
	/* The run with all shown fixes in (replay/retiming/retimed.h); NULL: there are none, or it cannot be
	 * replayed. */
	const struct retimed *after;
	/* Of several traces in one file: which one it is, from 0 on, of how many. */
	size_t part, part_count;
	uint64_t process_id; /* in the file, where no two have the same */
	/* The times in the file are those of another machine's clock, with which this one was compared
	 * (job/machine_clocks.h); NULL: they are the trace's. */
	const struct machine_clock *clock;
};

struct exporter {
	const char *name;
	enum export_need need;
	bool joins; /* a file can have several traces: write() is called for each in turn */
	/* Failures to write show in ferror(out). */
	void (*write)(const struct exporting *exporting, FILE *out);
	/* Instead: makes the file itself. NULL, or why not: one line, malloc'ed. */
	char *(*write_file)(const struct exporting *exporting, const char *path);
};

#define EXPORTER(name) extern const struct exporter exporter_##name;
#include "export/exporters.def"
#undef EXPORTER

/* The exporter of that name, or NULL. */
const struct exporter *export_find(const char *name);

#endif
