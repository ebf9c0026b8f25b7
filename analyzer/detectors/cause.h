/*
 * The cause of an instance: an object of the program such as a buffer, a stream or a limit of the
 * device. One change to the object fixes all instances that it causes, in all lines.
 *
 * Lines whose instances mostly share a cause become one finding (findings/causes.h). Any thread.
 */
#ifndef STREAMTRACE_CAUSE_H
#define STREAMTRACE_CAUSE_H

#include <stdint.h>

enum cause_kind {
	CAUSE_NONE,	   /* unknown */
	CAUSE_HOST_MEMORY, /* a range of host addresses: pageable or managed memory */
	CAUSE_STREAM,	   /* a stream, by its context and id */
	CAUSE_OF_KERNELS,  /* the kernels of a stream */
	CAUSE_OF_THREADS,  /* a stream that several threads use */
	CAUSE_LOOP,	   /* a loop, by a number that its detector gives it */
	CAUSE_DEVICE,	   /* a device, by its id: one of its limits, or its queues */
	CAUSE_DEVICES	   /* two devices' ids, the smaller first: the connection between them */
};

/* A cause as a range of addresses or ids. Causes are equal if they are of one kind and overlap. */
struct cause {
	enum cause_kind kind;
	uint64_t start, end; /* [start, end) */
};

/* The word that reports put after "the same": "host memory". Static. */
static inline const char *cause_word(enum cause_kind kind)
{
	switch (kind) {
	case CAUSE_HOST_MEMORY:
		return "host memory";
	case CAUSE_STREAM:
	case CAUSE_OF_KERNELS:
	case CAUSE_OF_THREADS:
		return "stream";
	case CAUSE_LOOP:
		return "loop";
	case CAUSE_DEVICE:
		return "device";
	case CAUSE_DEVICES:
		return "two devices";
	case CAUSE_NONE:
		break;
	}
	return "cause";
}

/* The cause for so many bytes of host memory. CAUSE_NONE if address or bytes is 0 (unknown). */
static inline struct cause cause_of_host_memory(uint64_t address, uint64_t bytes)
{
	uint64_t end;

	if (!address || !bytes)
		return (struct cause){CAUSE_NONE, 0, 0};
	if (__builtin_add_overflow(address, bytes, &end))
		end = UINT64_MAX;
	return (struct cause){CAUSE_HOST_MEMORY, address, end};
}

/* The cause for two ids. high and low: of a stream, its context's id and its own id; of two
 * devices, the smaller id and the larger one; of one device, 0 and its id. */
static inline struct cause cause_of_pair(enum cause_kind kind, uint32_t high, uint32_t low)
{
	uint64_t number = (uint64_t)high << 32 | low;

	return (struct cause){kind, number, number < UINT64_MAX ? number + 1 : number};
}

#endif
