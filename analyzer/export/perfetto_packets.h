/*
 * Packets of a Perfetto trace, one after the other, and the texts that they share, which a packet
 * carries when it is the first to use them. One thread.
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
	struct protobuf packet;	  /* the current one; the caller writes fields of it */
	struct protobuf interned; /* that it carries */
	struct map names, annotations, functions, paths, callstacks, kernels, specifications,
		contexts;
};

/* Begins with the clocks' packet: times of CLOCK_REALTIME, from origin_ns on. sequence: of the file's, from 1 on; each
 * has texts of its own. */
void packets_begin(struct packets *packets, FILE *out, uint32_t sequence, int64_t origin_ns);

/* From now on times are those of a clock that showed `own_ns` when that of the file showed `ns`. May be called
 * again for later times, in order. */
void packets_tell_clock(struct packets *packets, int64_t own_ns, int64_t ns);
void packets_free(struct packets *packets);

void packet_begin(struct packets *packets, int64_t time_ns);
void packet_end(struct packets *packets);

/* The ids under which later packets know a text: the same for the same key, of a text's pointer or of
 * the caller's own choice. */
uint64_t packets_name(struct packets *packets, uint64_t key, const char *text);
uint64_t packets_annotation(struct packets *packets, const char *name);
uint64_t packets_kernel(struct packets *packets, const char *mangled, const char *demangled);
uint64_t packets_specification(struct packets *packets, uint64_t key, const char *text,
			       unsigned category);
uint64_t packets_context(struct packets *packets, uint64_t key, uint64_t process_id);

/* A stack of one frame; function and file may be NULL. */
uint64_t packets_callstack(struct packets *packets, uint64_t key, const char *function,
			   const char *file, int line);

static inline uint64_t packets_key(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

#endif
