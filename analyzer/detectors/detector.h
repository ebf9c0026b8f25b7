/*
 * A detector: searches a run for one pitfall, and reports each time that it cost something.
 *
 * Each is one file in its family's folder, with a const struct at its end that detectors.def names.
 * The file opens with four paragraphs: WHAT, EVIDENCE, COST, FALSE POSITIVES. A detector decides by
 * times, never by a call's name alone. gather.c groups what it finds by source line and cause,
 * detect.c weighs it. All functions run on one thread at a time, and must not change the run. Texts
 * are static.
 */
#ifndef STREAMTRACE_DETECTOR_H
#define STREAMTRACE_DETECTOR_H

#include "base/format.h"
#include "detectors/cause.h"
#include "detectors/doubt.h"
#include "detectors/instance.h"
#include "replay/edits/edits.h"
#include "replay/observed.h"

struct detector {
	const char *id, *title;
	const char *fix;       /* one or two sentences, with the call to write instead */
	const char *other_fix; /* used instead if it suits most instances better; or NULL */
	const char *cost;      /* what the instances' time is called in reports: "blocked" for the
			        * host's */
	const char *doubt;     /* why doubtful instances count as needed; NULL: there are none */
	const char *needed[2]; /* their name, singular and plural; NULL: "wait", "waits" */
	/* The pointers into the trace in the struct that it keeps in each instance (instance.h). */
	struct detail_pointer pointers[DETAIL_POINTERS + 1];
	bool is_of_waits; /* its instances are waits of the host: brief ones are folded */
	void (*find)(const struct observed *observed, struct instances *found);
	/* Adds to *edits what the fix for these instances (sorted by start) changes: the only
	 * statement of it. Estimates and bounds follow from the edits. NULL: no fix that a replay
	 * could show. */
	void (*apply)(const struct observed *observed, const struct instance *instances,
		      size_t count, enum doubt doubt, struct edits *edits);
	/* The cause of an instance, fixed by one change, whichever lines use it. NULL: each line is
	 * a finding of its own. */
	struct cause (*cause)(const struct model *model, const struct instance *instance);
	/* Writes one line about an instance for the user, into text[size]. */
	void (*describe)(const struct observed *observed, const struct instance *instance,
			 char *text, size_t size);
	/* Writes half a sentence into text[size]: what the fix for these instances (at least one)
	 * costs, and after how many of them it pays, if it saves saved_ns in all. False: unknown.
	 * NULL: costs nothing. */
	bool (*price)(const struct model *model, const struct instance *instances, size_t count,
		      int64_t saved_ns, char *text, size_t size);
};

#define DETECTOR(family, name) extern const struct detector detector_##name;
#include "detectors/detectors.def"
#undef DETECTOR

/* How many bytes the host can have read or written between the call's return and the next work
 * that its thread enqueued, not counting other calls' time. A larger result cannot have been
 * used whole. */
uint64_t detector_host_bytes(const struct model *model, const struct trace_call *call);

/* How many bytes the host can read in time_ns; 0 if that is not positive. */
uint64_t detector_host_bytes_in(int64_t time_ns);

/* The index in model.operations of the last operation that this one needs, in whose stream its data
 * is. UINT32_MAX: needs nothing. */
uint32_t detector_source_of_data(const struct model *model, const struct model_operation *item);

/* Writes "cudaMemcpy blocked 29.0 ms waiting for other streams, 10.0 ms copying; last to finish:
 * kernel work in stream 13 (app.cu:12)" into text[size]; returns text. */
const char *describe_call(const struct observed *observed, const struct trace_call *call,
			  char *text, size_t size);

/* Writes "kernel scale", "16.8 MB H2D copy" or "4.10 kB memset" into text[size]; returns text. */
const char *describe_operation(const struct model *model, const struct trace_operation *operation,
			       char *text, size_t size);

/* Like describe_operation(), for inside a sentence: "kernel scale", "the 16.8 MB H2D copy". */
const char *describe_cause(const struct model *model, const struct trace_operation *operation,
			   char *text, size_t size);

/* Writes "the default stream" or "stream 14" into text[size]; returns text. */
const char *describe_stream(const struct trace_operation *operation, char *text, size_t size);

#endif
