/*
 * A detector: searches a run for one pitfall, and reports each time that the pitfall cost
 * something.
 *
 * A detector is one file in its family's folder, with a const struct at the end that detectors.def
 * names. The file opens with four paragraphs: WHAT, EVIDENCE, COST, FALSE POSITIVES. A detector
 * decides by times, never by a call's name alone. gather.c groups the instances found by source
 * line and cause, detect.c weighs the groups. Several threads run detectors at the same time, so
 * functions keep no state and must not change the run. Texts in struct detector are static.
 */
#ifndef STREAMTRACE_DETECTOR_H
#define STREAMTRACE_DETECTOR_H

#include "base/format.h"
#include "detectors/cause.h"
#include "detectors/doubt.h"
#include "detectors/instance.h"
#include "replay/edits/edits.h"
#include "replay/observed.h"

#define DETECTOR_WAYS 3 /* the most ways of a detector */

/* Another way to fix a finding, which keeps some of what the fix removes. */
struct detector_way {
	const char *name; /* after "saves 1 ms if": "read each 10th time"; NULL ends the list */
	/* Like detector.apply. False: there is no such way for these instances. */
	bool (*apply)(const struct observed *observed, const struct instance *instances,
		      size_t count, struct edits *edits);
};

struct detector {
	const char *id, *title;
	const char *fix;       /* one or two sentences, with the call to write instead */
	const char *other_fix; /* shown if more than half of the instances take it; or NULL */
	const char *cost;      /* what the instances' time is called in reports: "blocked" for the
			        * host's */
	const char *doubt;     /* why doubtful waits count as needed; NULL: there are none */
	/* Why the low end of the saving can be far below the estimate, and what would narrow the
	 * range; without a full stop. NULL: times vary, no more. */
	const char *low_end;
	const char *needed[2]; /* what reports call needed waits, singular and plural; NULL: "wait",
				* "waits" */
	/* Where instance.detail points into the trace (instance.h); ends with zeros. */
	struct detail_pointer pointers[DETAIL_POINTERS + 1];
	bool is_of_waits; /* instances are waits of the host: findings of brief ones are folded */
	bool is_by_size;  /* a line's small copies are a finding of their own (findings/gather.h) */
	bool pins;	  /* the fix pins the memory of copies, whose rate is then another */
	/* Adds all instances in the run to *found. */
	void (*find)(const struct observed *observed, struct instances *found);
	/* Adds to *edits what the fix for these instances changes. instances: sorted by start.
	 * doubt: what to do with doubtful instances. DOUBT_KEEP: leave them as they are;
	 * DOUBT_DROP: edit them, too; DOUBT_WEIGH: the times decide (doubt.h). Estimates and bounds
	 * follow from the edits alone. NULL: no replay could show the fix. */
	void (*apply)(const struct observed *observed, const struct instance *instances,
		      size_t count, enum doubt doubt, struct edits *edits);
	/* Other ways, whose savings the finding's price tells beside the fix's, which is then called
	 * way_of_all, or, if that is NULL, what assume() writes. */
	struct detector_way ways[DETECTOR_WAYS + 1];
	const char *way_of_all;
	/* Writes what the estimate for these instances assumes of the fix into text[size]: "with 4
	 * workers". The finding's fix tells it. NULL, or an empty text: nothing that the fix does
	 * not say. */
	void (*assume)(const struct instance *instances, size_t count, char *text, size_t size);
	/* The object to which one change must be made to fix the instance (cause.h). NULL: each
	 * line is a finding of its own. */
	struct cause (*cause)(const struct model *model, const struct instance *instance);
	/* What the release of the instance's memory took, which the fix saves, too. NULL: nothing is released. */
	int64_t (*released_ns)(const struct instance *instance);
	/* Writes one line about an instance for the user, into text[size]. */
	void (*describe)(const struct observed *observed, const struct instance *instance,
			 char *text, size_t size);
	/* Writes half a sentence into text[size]: what the fix for these instances (at least one)
	 * costs, and after how many of them it pays. saved_ns: what the fix saves with all of them.
	 * False: the price is unknown, and text is undefined. NULL: the fix costs nothing. */
	bool (*price)(const struct model *model, const struct instance *instances, size_t count,
		      int64_t saved_ns, char *text, size_t size);
};

#define DETECTOR(family, name) extern const struct detector detector_##name;
#include "detectors/detectors.def"
#undef DETECTOR

/* How many bytes the host can have read or written between the call's return and the next work that
 * the call's thread enqueued, without the time of other calls. The host cannot have used all of a
 * larger result. UINT64_MAX: the thread enqueued no more. */
uint64_t detector_host_bytes(const struct model *model, const struct trace_call *call);

/* How many bytes the host can read in time_ns; 0 if time_ns is not positive. */
uint64_t detector_host_bytes_in(int64_t time_ns);

/* The index in model.operations of the last operation whose data `item` needs. UINT32_MAX: `item`
 * needs none. */
uint32_t detector_source_of_data(const struct model *model, const struct model_operation *item);

/* Writes "cudaMemcpy blocked 29.0 ms waiting for other streams, 10.0 ms copying; last to finish:
 * kernel work in stream 13 (app.cu:12)" into text[size], as far as it is known; returns text. */
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
