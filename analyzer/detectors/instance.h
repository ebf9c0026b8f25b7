/*
 * An instance: one event found by a detector, with its evidence: a wait, a copy made twice, a
 * launch that costs more than its kernel, an idle device.
 *
 * Each has a span; other members are NULL if they do not apply. Pointers belong to the trace.
 */
#ifndef STREAMTRACE_INSTANCE_H
#define STREAMTRACE_INSTANCE_H

#include "replay/edits/edits.h"

#include <stddef.h>
#include <string.h>

struct retimed;

/*
 * What only the detector knows about an instance, and reads again in apply() and describe(): a
 * struct of its own, stored as bytes in the instance. It is copied with the instance, and needs no
 * freeing.
 *
 *	.detail = INSTANCE_DETAIL(struct spin, .last = call, .queries = 3)
 *	struct spin spin = instance_detail(instance, struct spin);
 *	instance->detail = INSTANCE_DETAIL_OF(spin);
 */
#define INSTANCE_DETAIL_BYTES 56

struct instance_detail {
	unsigned char bytes[INSTANCE_DETAIL_BYTES];
};

static inline struct instance_detail instance_pack(const void *detail, size_t bytes)
{
	struct instance_detail packed = {{0}};

	memcpy(packed.bytes, detail, bytes);
	return packed;
}

/* Packs a detail; does not compile if it is larger than INSTANCE_DETAIL_BYTES. */
#define INSTANCE_DETAIL_OF(detail)                                                                 \
	instance_pack(                                                                             \
		&(detail),                                                                         \
		sizeof(char[sizeof(detail) <= INSTANCE_DETAIL_BYTES ? (long)sizeof(detail) : -1]))
#define INSTANCE_DETAIL(type, ...) INSTANCE_DETAIL_OF(((type){__VA_ARGS__}))

/* A copy of the instance's detail; zeros if it has none. */
#define instance_detail(instance, type)                                                            \
	(*(const type *)memcpy(&(type){0}, (instance)->detail.bytes, sizeof(type)))

enum detail_kind { DETAIL_END, DETAIL_CALL, DETAIL_OPERATION, DETAIL_HOST_FUNCTION };

/* Describes a member of a detail that points into the trace, for instance_bring_back() and
 * instance_is_in_slice(). */
struct detail_pointer {
	enum detail_kind kind;
	bool is_anywhere;
	size_t offset;
};

#define DETAIL_POINTERS 5 /* the most such members in a detail */

/* Its kind follows from the member's type. */
#define DETAIL_KIND(member)                                                                        \
	_Generic((member), const struct trace_call *: DETAIL_CALL,                                 \
		 const struct trace_operation *: DETAIL_OPERATION,                                 \
		 const struct trace_host_function *: DETAIL_HOST_FUNCTION)

#define DETAIL_POINTER_IN(type, member, is_anywhere)                                               \
	{                                                                                          \
		DETAIL_KIND(((type *)0)->member), is_anywhere, offsetof(type, member)              \
	}
#define DETAIL_POINTER(type, member) DETAIL_POINTER_IN(type, member, false)
/* In a sample, the fix can be judged even if this pointer leads out of the slice. */
#define DETAIL_POINTER_ANYWHERE(type, member) DETAIL_POINTER_IN(type, member, true)

struct instance {
	struct span span; /* when time was lost; reports print the sum of the spans */
	/* The most that the fix can save here, alone, and together with fixes of the other
	 * constraint: see struct model_wait. If empty, instance_add() sets them to span. */
	struct span reach, reach_of_both;
	const struct trace_call *site_call;	 /* the call whose line must be changed; NULL: no
						  * line */
	const struct trace_call *call;		 /* the call that took the time */
	const struct trace_operation *operation; /* what waited or cost; for a waiting call, the
						  * operation enqueued next */
	const struct trace_operation *cause;	 /* the operation that it waited for */
	/* The host function after that for which it waited, or NULL. */
	const struct trace_host_function *host_function;
	bool takes_other_fix; /* detector.other_fix suits this instance better */
	const char *fix;      /* a text that suits it better than both of the detector's; or NULL */
	/* The fix removes a wait that may be needed, though no use was seen: not applied with
	 * DOUBT_KEEP. */
	bool is_doubtful;
	bool is_later; /* found in a later pass (struct finding): its spans are of a replay */
	struct instance_detail detail;
};

/* Waits that were not made instances, because they count as needed. */
struct needed_waits {
	double count; /* in a sample: weighted */
	int64_t ns;
};

struct instances {
	struct instance *items;
	size_t count, capacity;
	/* doubtful: needed for what the trace cannot show; timed: because the host reads a clock
	 * right after them. */
	struct needed_waits doubtful, timed;
};

/* Count a wait in instances->doubtful, or in instances->timed. */
void instance_add_doubtful(struct instances *instances, const struct trace *trace, int64_t start_ns,
			   int64_t length_ns);
void instance_add_timed(struct instances *instances, const struct trace *trace, int64_t start_ns,
			int64_t length_ns);

/* Adds the needed waits of `other`. */
void instances_add_needed(struct instances *instances, const struct instances *other);

/* Adds an instance. The owner must free(instances->items). */
void instance_add(struct instances *instances, struct instance instance);

/* How much of the instance's call is removed by the edits, in ns; its reach covers that time. */
int64_t instance_gone_ns(const struct instance *instance, const struct model *model,
			 const struct edits *edits);

/* The call that took the time, or that enqueued what waited; NULL: none. */
const struct trace_call *instance_call(const struct instance *instance);

/* When it happened: start of its call, otherwise of its operation, otherwise of its span. */
int64_t instance_start_ns(const struct instance *instance);

/* Compares by instance_start_ns(), for qsort(). */
int instance_compare_starts(const void *a, const void *b);

/* How many similar instances in the run it stands for: 1 except in a sample. */
double instance_weight(const struct instance *instance, const struct trace *trace);

/* In a sample: whether all that its fix changes is in consecutive slices. What came before a slice
 * is unknown. pointers: the detector's. */
bool instance_is_in_slice(const struct instance *instance, const struct detail_pointer *pointers,
			  const struct trace *trace);

/* Changes all pointers from the replayed run back to the trace; the spans stay. pointers: the
 * detector's. */
void instance_bring_back(struct instance *instance, const struct detail_pointer *pointers,
			 const struct retimed *retimed);

#endif
