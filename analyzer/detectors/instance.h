/*
 * An instance: one event found by a detector, with its evidence. An event is a wait, a copy made
 * twice, a launch that costs more than its kernel, or an idle device.
 *
 * Each instance has a span; pointers that do not apply are NULL. Pointers belong to the trace,
 * texts are static. Instances can be copied. One thread at a time for each struct instances.
 */
#ifndef STREAMTRACE_INSTANCE_H
#define STREAMTRACE_INSTANCE_H

#include "replay/edits/edits.h"

#include <stddef.h>
#include <string.h>

struct retimed;

/*
 * A detail: a struct that only the detector knows, stored as bytes in the instance. The detector
 * writes the detail in find(), and reads it in apply() and describe(). A detail needs no freeing.
 *
 *	.detail = INSTANCE_DETAIL(struct spin, .last = call, .queries = 3)
 *	struct spin spin = instance_detail(instance, struct spin);
 *	instance->detail = INSTANCE_DETAIL_OF(spin);
 */
#define INSTANCE_DETAIL_BYTES 64

struct instance_detail {
	unsigned char bytes[INSTANCE_DETAIL_BYTES];
};

/* For INSTANCE_DETAIL_OF() only. */
static inline struct instance_detail instance_pack(const void *detail, size_t bytes)
{
	struct instance_detail packed = {{0}};

	memcpy(packed.bytes, detail, bytes);
	return packed;
}

/* Packs the struct `detail`. A struct larger than INSTANCE_DETAIL_BYTES does not compile. */
#define INSTANCE_DETAIL_OF(detail)                                                                 \
	instance_pack(                                                                             \
		&(detail),                                                                         \
		sizeof(char[sizeof(detail) <= INSTANCE_DETAIL_BYTES ? (long)sizeof(detail) : -1]))
#define INSTANCE_DETAIL(type, ...) INSTANCE_DETAIL_OF(((type){__VA_ARGS__}))

/* A copy of the instance's detail as a struct of this type; zeros if the instance has none. */
#define instance_detail(instance, type)                                                            \
	(*(const type *)memcpy(&(type){0}, (instance)->detail.bytes, sizeof(type)))

enum detail_kind { DETAIL_END, DETAIL_CALL, DETAIL_OPERATION, DETAIL_HOST_FUNCTION };

/* A member of a detail that points into the trace, or is NULL. A list ends with DETAIL_END.
 * is_anywhere: of DETAIL_POINTER_ANYWHERE(); offset: in bytes in the detail's struct. */
struct detail_pointer {
	enum detail_kind kind;
	bool is_anywhere;
	size_t offset;
};

#define DETAIL_POINTERS 6 /* the most such members in a detail */

/* The kind of a member, by the member's type. */
#define DETAIL_KIND(member)                                                                        \
	_Generic((member), const struct trace_call *: DETAIL_CALL,                                 \
		 const struct trace_operation *: DETAIL_OPERATION,                                 \
		 const struct trace_host_function *: DETAIL_HOST_FUNCTION)

#define DETAIL_POINTER_IN(type, member, is_anywhere)                                               \
	{                                                                                          \
		DETAIL_KIND(((type *)0)->member), is_anywhere, offsetof(type, member)              \
	}
/* A row for struct detector.pointers. */
#define DETAIL_POINTER(type, member) DETAIL_POINTER_IN(type, member, false)
/* Like DETAIL_POINTER(). The fix can be judged even if this pointer leads out of a sample's
 * slice. */
#define DETAIL_POINTER_ANYWHERE(type, member) DETAIL_POINTER_IN(type, member, true)

/* A line of the host's own code: a stack, and how many of its innermost frames are what the line
 * called: of Python's frames, if the stack has any. site NULL: none. */
struct host_place {
	const struct trace_site *site;
	int inner;
};

struct instance {
	struct span span; /* when time was lost; reports print the sum of the spans */
	/* The time in which the fix can save something. reach: if only this fix is made;
	 * reach_of_both: if a stream's order and the default stream's barrier are both removed
	 * (struct model_wait in model/model.h). If reach is empty, instance_add() sets reach and
	 * reach_of_both to span. */
	struct span reach, reach_of_both;
	const struct trace_call *site_call;	 /* the call whose line must be changed; NULL: no
						  * line */
	struct host_place place;		 /* the line to be changed, instead of that call's */
	const struct trace_call *call;		 /* the call that took the time */
	const struct trace_operation *operation; /* what waited or cost; for a waiting call, the
						  * operation enqueued next */
	const struct trace_operation *cause;	 /* the operation that was waited for */
	/* The host function, after `cause`, that was waited for; or NULL. */
	const struct trace_host_function *host_function;
	bool takes_other_fix; /* detector.other_fix suits this instance better */
	const char *fix;      /* a text that suits better than both of the detector's; or NULL */
	/* The fix removes a wait that may be needed, though no use was seen. apply() leaves the
	 * instance as it is with DOUBT_KEEP. */
	bool is_doubtful;
	/* Found in a later pass (finding.pass in findings/analysis.h): the spans are of a replay.
	 * */
	bool is_later;
	struct instance_detail detail;
};

/* Waits that were not made instances, because they count as needed. */
struct needed_waits {
	double count; /* in a sample: weighted */
	int64_t ns;   /* sum of the waits' lengths; in a sample: weighted */
};

struct instances {
	struct instance *items;
	size_t count, capacity;
	/* doubtful: waits that may be needed for what the trace cannot show. timed: waits right
	 * after which the host reads a clock. */
	struct needed_waits doubtful, timed;
};

/* Count a wait of length_ns in instances->doubtful, or in instances->timed. */
void instance_add_doubtful(struct instances *instances, const struct trace *trace, int64_t start_ns,
			   int64_t length_ns);
void instance_add_timed(struct instances *instances, const struct trace *trace, int64_t start_ns,
			int64_t length_ns);

/* Adds the counts of needed waits in `other`, not its instances. */
void instances_add_needed(struct instances *instances, const struct instances *other);

/* Adds an instance to the list, which starts as zeros. The caller frees instances->items by
 * free(). */
void instance_add(struct instances *instances, struct instance instance);

/* The duration of the instance's call if the edits remove the call; otherwise 0. */
int64_t instance_gone_ns(const struct instance *instance, const struct model *model,
			 const struct edits *edits);

/* The call that took the time; else the call that enqueued .operation; else .site_call, which can
 * be NULL. */
const struct trace_call *instance_call(const struct instance *instance);

/* When the instance happened: the start of its call, else of its operation, else of its span. */
int64_t instance_start_ns(const struct instance *instance);

/* Compares two struct instance by instance_start_ns(), for qsort(). */
int instance_compare_starts(const void *a, const void *b);

/* How many instances of the whole run this one stands for: 1 except in a sample. */
double instance_weight(const struct instance *instance, const struct trace *trace);

/* For samples only. Whether no slice is left out between the instance's call and what its pointers
 * without is_anywhere point to; true if the instance has no call. False: the fix cannot be judged.
 * pointers: the detector's. */
bool instance_is_in_slice(const struct instance *instance, const struct detail_pointer *pointers,
			  const struct trace *trace);

/* Changes all pointers from the replayed run to the trace, and sets is_later. The spans stay.
 * pointers: the detector's. */
void instance_bring_back(struct instance *instance, const struct detail_pointer *pointers,
			 const struct retimed *retimed);

#endif
