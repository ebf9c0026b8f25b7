/*
 * What stands behind an instance: the object that one change of the program mends, whichever lines use it.
 *
 * A buffer, a stream, a limit of the device. Lines whose instances mostly have the same cause are one
 * finding (findings/causes.h).
 */
#ifndef STREAMTRACE_CAUSE_H
#define STREAMTRACE_CAUSE_H

#include <stdint.h>

enum cause_kind {
	CAUSE_NONE,	   /* not known */
	CAUSE_HOST_MEMORY, /* addresses that the host has: pageable or managed */
	CAUSE_STREAM,	   /* a stream's context and id */
	CAUSE_OF_KERNELS,  /* the same, for its kernels alone */
	CAUSE_OF_THREADS,  /* the same, because several threads use it */
	CAUSE_DEVICE,	   /* a device's id: a limit of it, or its queues */
	CAUSE_DEVICES	   /* two devices' ids, the smaller first: the way between them */
};

/* Two are the same where they have an address or a number in common. */
struct cause {
	enum cause_kind kind;
	uint64_t start, end; /* end: behind it */
};

/* In a sentence: "the same host memory". */
static inline const char *cause_word(enum cause_kind kind)
{
	switch (kind) {
	case CAUSE_HOST_MEMORY:
		return "host memory";
	case CAUSE_STREAM:
	case CAUSE_OF_KERNELS:
	case CAUSE_OF_THREADS:
		return "stream";
	case CAUSE_DEVICE:
		return "device";
	case CAUSE_DEVICES:
		return "two devices";
	case CAUSE_NONE:
		break;
	}
	return "cause";
}

/* Memory at 0 is not known. */
static inline struct cause cause_of_host_memory(uint64_t address, uint64_t bytes)
{
	uint64_t end;

	if (!address || !bytes)
		return (struct cause){CAUSE_NONE, 0, 0};
	if (__builtin_add_overflow(address, bytes, &end))
		end = UINT64_MAX;
	return (struct cause){CAUSE_HOST_MEMORY, address, end};
}

/* Two ids make one number, which is no address. */
static inline struct cause cause_of_pair(enum cause_kind kind, uint32_t high, uint32_t low)
{
	uint64_t number = (uint64_t)high << 32 | low;

	return (struct cause){kind, number, number < UINT64_MAX ? number + 1 : number};
}

#endif
