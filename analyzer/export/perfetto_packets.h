/*
 * Writes the packets of a Perfetto trace. Packets share texts: the first packet that uses a text carries the text,
 * later packets name the text's id. Failures to write show in ferror(out). Out of memory ends the program. One
 * thread.
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
	uint32_t sequence;	  /* as given to packets_begin() */
	bool has_own_clock;	  /* packets_tell_clock() was called */
	struct protobuf packet;	  /* the current packet, to which the caller adds fields */
	struct protobuf interned; /* the texts that the current packet carries */
	/* For each kind of text: key to id - 1. */
	struct map names, annotations, functions, paths, callstacks, kernels, specifications,
		contexts;
};

/* Initializes *packets and writes the first packet, which says that times are ns of CLOCK_REALTIME, from origin_ns
 * on. sequence: the number of these packets' sequence in the file, from 1 on; texts are shared within a sequence
 * only. out stays the caller's. The caller calls packets_free(). */
void packets_begin(struct packets *packets, FILE *out, uint32_t sequence, int64_t origin_ns);

/* Writes a packet which says that the times of later packets are of another clock. That clock showed own_ns when the
 * file's clock showed ns. If the clocks drift, call again for later times, in increasing order. */
void packets_tell_clock(struct packets *packets, int64_t own_ns, int64_t ns);

/* Frees what *packets holds, but does not close out. */
void packets_free(struct packets *packets);

/* Begins a packet at time_ns. Until packet_end() the caller adds fields to packets->packet. */
void packet_begin(struct packets *packets, int64_t time_ns);

/* Writes the packet. */
void packet_end(struct packets *packets);

/* Each function returns the id of a text in this sequence. Call between packet_begin() and packet_end(). If the key
 * is new, the current packet carries the text; else the text is not read. The caller chooses the key: packets_key()
 * of a pointer, or another number, unique among the texts of the function. packets_annotation() and packets_kernel()
 * take the address of name or mangled as the key, so that equal texts must have equal addresses. */
uint64_t packets_name(struct packets *packets, uint64_t key, const char *text);
uint64_t packets_annotation(struct packets *packets, const char *name);
uint64_t packets_kernel(struct packets *packets, const char *mangled, const char *demangled);
uint64_t packets_specification(struct packets *packets, uint64_t key, const char *text,
			       unsigned category);
uint64_t packets_context(struct packets *packets, uint64_t key, uint64_t process_id);

/* Returns the id of a stack of one frame. function and file may be NULL; line counts only with file. Their addresses
 * are keys, as above. */
uint64_t packets_callstack(struct packets *packets, uint64_t key, const char *function,
			   const char *file, int line);

/* Returns the key of a text that is known by its address. */
static inline uint64_t packets_key(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

#endif
