/*
 * The cause of an instance: the object that one change of the program fixes, whichever lines use
 * it: a buffer, a stream, a limit of the device.
 *
 * Lines whose instances mostly share a cause become one finding (findings/causes.h).
 */
#ifndef STREAMTRACE_CAUSE_H
#define STREAMTRACE_CAUSE_H

#include <stdint.h>

enum cause_kind {
	CAUSE_NONE,	   /* unknown */
	CAUSE_HOST_MEMORY, /* a range of host addresses: pageable or managed memory */
	CAUSE_STREAM,	   /* a stream, by its context and id */
	CAUSE_OF_KERNELS,  /* a stream, only its kernels */
	CAUSE_OF_THREADS,  /* a stream, because several threads use it */
	CAUSE_DEVICE,	   /* a device's id: one of its limits, or its queues */
	CAUSE_DEVICES	   /* two devices' ids, the smaller first: the connection between them */
};

/* A cause as a range of numbers. Two causes of one kind are equal if their ranges overlap. */
struct cause {
	enum cause_kind kind;
	uint64_t start, end; /* [start, end) */
};

/* The word for "the same ...": "host memory". */
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

/* Address 0 and 0 bytes mean unknown: CAUSE_NONE. */
static inline struct cause cause_of_host_memory(uint64_t address, uint64_t bytes)
{
	uint64_t end;

	if (!address || !bytes)
		return (struct cause){CAUSE_NONE, 0, 0};
	if (__builtin_add_overflow(address, bytes, &end))
		end = UINT64_MAX;
	return (struct cause){CAUSE_HOST_MEMORY, address, end};
}

/* A cause of two ids, or of one id in `low`. */
static inline struct cause cause_of_pair(enum cause_kind kind, uint32_t high, uint32_t low)
{
	uint64_t number = (uint64_t)high << 32 | low;

	return (struct cause){kind, number, number < UINT64_MAX ? number + 1 : number};
}

#endif
