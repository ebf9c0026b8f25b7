/*
 * A detector: it searches a run for one pitfall, and names each time that it cost something.
 *
 * Each is one file in the folder of its family, with a const struct at its end, named once in
 * detectors.def. It opens with four paragraphs: WHAT, EVIDENCE, COST, FALSE POSITIVES. It finds by times, never by a call's name
 * alone. gather.c groups what it finds by source line and cause, detect.c weighs it.
 */
#ifndef STREAMTRACE_DETECTOR_H
#define STREAMTRACE_DETECTOR_H

#include "detectors/cause.h"
#include "detectors/doubt.h"
#include "detectors/instance.h"
#include "base/format.h"
#include "replay/edits/edits.h"
#include "replay/observed.h"

struct detector {
	const char *id, *title;
	const char *fix;       /* one or two sentences; names the call to write instead */
	const char *other_fix; /* instead, where it suits most instances better; or NULL */
	const char *cost;      /* what the time of its instances was: "blocked" for the host's */
	const char *doubt;     /* why doubtful ones count as needed, or NULL when there are none */
	const char *needed[2]; /* what those are, one and several; NULL: "wait", "waits" */
	/* The members that point into the trace, of the struct that it keeps in each instance. */
	struct detail_pointer pointers[DETAIL_POINTERS + 1];
	bool is_of_waits; /* its instances are waits of the host: brief ones are folded */
	void (*find)(const struct observed *observed, struct instances *found);
	/* What the fix for these instances, in the order of their starts, changes: the only
	 * statement of it. Estimates and bounds follow from the edits. NULL: no fix is known that a
	 * replay could show. */
	void (*apply)(const struct observed *observed, const struct instance *instances,
		      size_t count, enum doubt doubt, struct edits *edits);
	/* What one change mends, whichever lines use it. NULL: each line is a finding. */
	struct cause (*cause)(const struct model *model, const struct instance *instance);
	/* One line for a person about an instance, into text[size]. */
	void (*describe)(const struct observed *observed, const struct instance *instance,
			 char *text, size_t size);
	/* What the fix for the instances (at least one) costs, and after how many of them it pays,
	 * when it saves so much in all: half a sentence, into text[size]. False: not known. NULL:
	 * nothing. */
	bool (*price)(const struct model *model, const struct instance *instances, size_t count,
		      int64_t saved_ns, char *text, size_t size);
};

#define DETECTOR(family, name) extern const struct detector detector_##name;
#include "detectors/detectors.def"
#undef DETECTOR

/* How many bytes the host can have read or written between the call's return and the next work that
 * its thread enqueued, without the time of other calls. Larger results have not been used whole. */
uint64_t detector_host_bytes(const struct model *model, const struct trace_call *call);

/* How many the host can read in so long; none in no time. */
uint64_t detector_host_bytes_in(int64_t time_ns);

/* The index in model.operations of the last operation that this one needs: its stream is where the
 * data is. UINT32_MAX when it needs nothing. */
uint32_t detector_source_of_data(const struct model *model, const struct model_operation *item);

/* "cudaMemcpy blocked 29.0 ms waiting for other streams, 10.0 ms copying; last to finish: kernel
 * work in stream 13 (app.cu:12)": into text[size]; returns text. */
const char *describe_call(const struct observed *observed, const struct trace_call *call,
			  char *text, size_t size);

/* "kernel scale", "16.8 MB H2D copy", "4.10 kB memset": into text[size]; returns text. */
const char *describe_operation(const struct model *model, const struct trace_operation *operation,
			       char *text, size_t size);

/* The same inside a sentence: "kernel scale", "the 16.8 MB H2D copy". */
const char *describe_cause(const struct model *model, const struct trace_operation *operation,
			   char *text, size_t size);

/* "the default stream", "stream 14". */
const char *describe_stream(const struct trace_operation *operation, char *text, size_t size);

#endif
