/*
 * Traces written for other tools. exporters.def lists the formats.
 *
 * A format is a struct exporter. It writes as it goes: its memory does not grow with the file. Texts of a
 * trace can be anything that is UTF-8 without control characters (base/printable.h): an exporter must
 * escape them, so that they are data in its format.
 *
 * Times count from the first call or operation of the trace, as in a report, unless a format says otherwise.
 * One thread. Out of memory ends the program.
 */
#ifndef STREAMTRACE_EXPORTERS_H
#define STREAMTRACE_EXPORTERS_H

#include "findings/analysis.h"
#include "findings/step_begins.h"

#include <stdio.h>

struct machine_clock;
struct observed;
struct retimed;

/* Which members of struct exporting an exporter needs. Each value includes the needs of the values before it. */
enum export_need {
	EXPORT_TIMES,	/* trace, origin_ns, wall_ns */
	EXPORT_WAITS,	/* observed and steps */
	EXPORT_FINDINGS /* analysis and after */
};

/* One trace that is being exported. The caller owns all of it. */
struct exporting {
	const struct trace *trace;
	int64_t origin_ns, wall_ns; /* as in struct headline (findings/headline.h) */
	const struct observed *
		observed; /* NULL if the exporter does not need it; the same for analysis, steps, after */
	const struct analysis *analysis;
	const struct step_begins *steps; /* NULL also: no steps repeat (findings/steady.h) */
	/* The run with all shown fixes in (replay/retiming/retimed.h). NULL also if there are no findings, the run
	 * cannot be replayed, or several traces are exported. */
	const struct retimed *after;
	/* The file has part_count traces. This trace is number `part` of them, from 0 on. */
	size_t part, part_count;
	uint64_t process_id; /* differs between the traces of a file; 0: there is one trace */
	/* How the trace's clock differs from the clock of the file's times (job/machine_clocks.h). NULL: the clocks
	 * are the same. */
	const struct machine_clock *clock;
};

/* A format. Either write or write_file is NULL. */
struct exporter {
	const char *name;
	enum export_need need;
	bool joins; /* a file can have several traces: write() is called for each, in turn */
	bool is_sum; /* lines of text with sums, not times of events: standard output takes them, too */
	/* Returns why the trace cannot be in this format, which the caller frees; NULL: it can. The function itself
	 * is NULL if every trace can. */
	char *(*refuse)(const struct trace *trace);
	/* Writes the trace to out; called twice if its bytes are counted first. Failures to write show in
	 * ferror(out) alone. */
	void (*write)(const struct exporting *exporting, FILE *out);
	/* Makes the file at path itself. Returns NULL on success; else one line that says why the file could not be
	 * made, which the caller frees. */
	char *(*write_file)(const struct exporting *exporting, const char *path);
};

#define EXPORTER(name) extern const struct exporter exporter_##name;
#include "export/exporters.def"
#undef EXPORTER

/* Returns the exporter of the format called name; NULL: there is none. */
const struct exporter *export_find(const char *name);

#endif
