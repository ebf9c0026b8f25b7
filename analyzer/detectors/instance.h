/*
 * What a detector finds: one event with evidence.
 *
 * A wait, a copy made twice, a launch that costs more than its kernel, a device that idles. Each
 * has a span; the rest is there where there is such a thing, else NULL. Pointers belong to the
 * trace.
 */
#ifndef STREAMTRACE_INSTANCE_H
#define STREAMTRACE_INSTANCE_H

#include "replay/edits/edits.h"

#include <stddef.h>
#include <string.h>

struct retimed;

/*
 * What only the detector knows of an instance, and reads again in apply() and describe(): a struct of its
 * own, as bytes in the instance, so that it is copied with the instance and nothing is to be freed.
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

/* A detail that has no room does not compile. */
#define INSTANCE_DETAIL_OF(detail)                                                                 \
	instance_pack(                                                                             \
		&(detail),                                                                         \
		sizeof(char[sizeof(detail) <= INSTANCE_DETAIL_BYTES ? (long)sizeof(detail) : -1]))
#define INSTANCE_DETAIL(type, ...) INSTANCE_DETAIL_OF(((type){__VA_ARGS__}))

/* A copy; zeros where none was given. */
#define instance_detail(instance, type)                                                            \
	(*(const type *)memcpy(&(type){0}, (instance)->detail.bytes, sizeof(type)))

enum detail_kind { DETAIL_END, DETAIL_CALL, DETAIL_OPERATION, DETAIL_HOST_FUNCTION };

/* A member of a detail that points into the trace: see instance_bring_back(), instance_is_in_slice(). */
struct detail_pointer {
	enum detail_kind kind;
	bool is_anywhere;
	size_t offset;
};

#define DETAIL_POINTERS 5 /* of a detail, at most */

#define DETAIL_POINTER_IN(type, member, is_anywhere)                                                        \
	{                                                                                                   \
		_Generic(((type *)0)->member,                                                             \
	 const struct trace_call *: DETAIL_CALL,                                                   \
	 const struct trace_operation *: DETAIL_OPERATION,                                         \
	 const struct trace_host_function *: DETAIL_HOST_FUNCTION),                                \
	 is_anywhere, offsetof(type, member) \
	}
#define DETAIL_POINTER(type, member) DETAIL_POINTER_IN(type, member, false)
/* Of a sample: the fix can be judged wherever that is. */
#define DETAIL_POINTER_ANYWHERE(type, member) DETAIL_POINTER_IN(type, member, true)

struct instance {
	struct span span; /* when time was lost: the sum of them is reported */
	/* The most that the fix can save here, alone and together with fixes of the other
	 * constraint: see struct model_wait. instance_add() takes the span where they are empty. */
	struct span reach, reach_of_both;
	const struct trace_call *site_call;	 /* whose line is to be changed; NULL: no line's */
	const struct trace_call *call;		 /* the call that took the time */
	const struct trace_operation *operation; /* what waited or cost; a waiting call's next */
	const struct trace_operation *cause;	 /* what it waited for */
	/* What it waited for behind that, or NULL. */
	const struct trace_host_function *host_function;
	bool takes_other_fix; /* detector.other_fix suits it better */
	const char *fix;      /* suits it better than both of the detector's; or NULL */
	/* The fix removes a wait that may be needed, though no use was seen: DOUBT_KEEP leaves
	 * it. */
	bool is_doubtful;
	bool is_later; /* found in a later pass (struct finding): the spans are of a replay */
	struct instance_detail detail;
};

/* Waits that would be instances, but count as needed. */
struct needed_waits {
	double count; /* of a sample: times their weights */
	int64_t ns;
};

struct instances {
	struct instance *items;
	size_t count, capacity;
	/* For what the trace cannot show; and because the host reads a clock right behind them. */
	struct needed_waits doubtful, timed;
};

/* Counts one: of the first, and of the second. */
void instance_add_doubtful(struct instances *instances, const struct trace *trace, int64_t start_ns,
			   int64_t length_ns);
void instance_add_timed(struct instances *instances, const struct trace *trace, int64_t start_ns,
			int64_t length_ns);

/* Counts those of the other ones, too. */
void instances_add_needed(struct instances *instances, const struct instances *other);

/* The array is freed with free(). */
void instance_add(struct instances *instances, struct instance instance);

/* The time of the instance's call where the edits take it away: its reach covers that. */
int64_t instance_gone_ns(const struct instance *instance, const struct model *model,
			 const struct edits *edits);

/* The call that took the time, or that enqueued what waited; NULL: none. */
const struct trace_call *instance_call(const struct instance *instance);

/* When it happened: the start of its call, else of its operation, else of its span. */
int64_t instance_start_ns(const struct instance *instance);

/* By that, for qsort(). */
int instance_compare_starts(const void *a, const void *b);

/* For how many like it in the run it stands: 1, but of a sample. */
double instance_weight(const struct instance *instance, const struct trace *trace);

/* Of a sample: whether all that its fix changes is in slices that go on one
 * behind the other. What came before a slice is not known. */
bool instance_is_in_slice(const struct instance *instance, const struct detail_pointer *pointers,
			  const struct trace *trace);

/* From the replayed run back to the trace, but for the spans. pointers: the detector's. */
void instance_bring_back(struct instance *instance, const struct detail_pointer *pointers,
			 const struct retimed *retimed);

#endif
