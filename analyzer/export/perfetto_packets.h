/*
 * Writes the packets of a Perfetto trace. Packets share texts: the first packet that uses a text carries it,
 * later ones name its id. One thread. Failures to write show in ferror(out).
 *
 *	packet_begin(&packets, time_ns);
 *	protobuf_number(&packets.packet, field, value);	(and other fields)
 *	packet_end(&packets);
 */
#ifndef STREAMTRACE_EXPORT_PERFETTO_PACKETS_H
#define STREAMTRACE_EXPORT_PERFETTO_PACKETS_H

#include "base/memory.h"
#include "export/perfetto_fields.h"
#include "export/protobuf.h"

#include <stdio.h>

struct packets {
	FILE *out;
	uint32_t sequence;
	bool has_own_clock;
	struct protobuf packet;	  /* the current packet, which the caller adds fields to */
	struct protobuf interned; /* the texts that the current packet carries */
	/* key to id, for each kind of text */
	struct map names, annotations, functions, paths, callstacks, kernels, specifications,
		contexts;
};

/* Initializes packets and writes the first one, which says that times are those of CLOCK_REALTIME, from origin_ns on.
 * sequence: which sequence of the file it is, from 1 on; texts are shared within a sequence only. */
void packets_begin(struct packets *packets, FILE *out, uint32_t sequence, int64_t origin_ns);

/* Says that the times of packets from here on are of another clock, which showed own_ns when the file's clock
 * showed ns. Call again for later times, in increasing order, if the clocks drift. */
void packets_tell_clock(struct packets *packets, int64_t own_ns, int64_t ns);
void packets_free(struct packets *packets);

/* A packet's begin and end. What is between them adds fields to packets->packet. */
void packet_begin(struct packets *packets, int64_t time_ns);
void packet_end(struct packets *packets);

/* The id of a text in this sequence. Call between packet_begin() and packet_end(). Where the key is new, the current
 * packet carries the text; else the text is not looked at. A key is the caller's choice: packets_key() of a pointer,
 * or another number that is unique among texts of the function. */
uint64_t packets_name(struct packets *packets, uint64_t key, const char *text);
uint64_t packets_annotation(struct packets *packets, const char *name);
uint64_t packets_kernel(struct packets *packets, const char *mangled, const char *demangled);
uint64_t packets_specification(struct packets *packets, uint64_t key, const char *text,
			       unsigned category);
uint64_t packets_context(struct packets *packets, uint64_t key, uint64_t process_id);

/* The id of a stack of one frame. function and file may be NULL. */
uint64_t packets_callstack(struct packets *packets, uint64_t key, const char *function,
			   const char *file, int line);

static inline uint64_t packets_key(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

#endif
