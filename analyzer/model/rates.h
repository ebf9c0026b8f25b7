/*
 * How long copies from and to pinned host memory take on the run's machine, and how sure that is.
 * The rates come from the trace's own copies, otherwise from measurements in the metadata
 * (measure.h), otherwise from the speed of the device's link. Any thread; nothing fails.
 */
#ifndef STREAMTRACE_RATES_H
#define STREAMTRACE_RATES_H

#include "trace/trace.h"

/* RATE_OWN: the trace's own copies; RATE_MEASURED: the metadata; RATE_OF_LINK: the link's speed. */
enum rate_source { RATE_UNKNOWN, RATE_OWN, RATE_MEASURED, RATE_OF_LINK };

/* The rate of a kind of copy. bytes_per_ns 0: unknown. */
struct copy_rate {
	double bytes_per_ns;
	int64_t latency_ns; /* time of a copy of 0 bytes */
	/* The true rate may be lower or higher by these fractions of bytes_per_ns; slower < 1. */
	double slower, faster;
	enum rate_source source;
};

/* Which rate of the range to use. */
enum rate_end { RATE_LIKELY, RATE_SLOWEST, RATE_FASTEST };

/* The rate of the trace's own copies of pinned memory on this engine; unknown if none is large. */
struct copy_rate rates_of_own(const struct trace *trace, enum engine engine);

/* The rate of rates_of_own(), otherwise the measured rate, otherwise the link's. Unknown for
 * engines other than ENGINE_H2D and ENGINE_D2H. */
struct copy_rate rates_of_pinned(const struct trace *trace, enum engine engine);

/* The duration of a copy in ns. The rate must be known. */
int64_t rates_copy_ns(struct copy_rate rate, uint64_t bytes, enum rate_end end);

/* How long a copy that took duration_ns would take with pinned memory, at most duration_ns. If the
 * rate is unknown: duration_ns, or 0 for RATE_FASTEST. */
int64_t rates_pinned_ns(struct copy_rate rate, uint64_t bytes, int64_t duration_ns,
			enum rate_end end);

/* The speed of the slowest link of the trace's devices in bytes a second, as the trace has it or by the device's model
 * (gpu_links.def); 0: unknown. */
uint64_t rates_link_bytes_per_s(const struct trace *trace);

/* Which part of a link's speed pinned copies reach, for printing. */
#define RATES_LINK_SHARES "44..92 %"

/* Whether the operation is a copy between pageable host memory and a device. */
bool rates_is_pageable(const struct trace_operation *operation);

/* Whether the operation copies from or to pageable or managed memory: then its call lasts until
 * shortly before the copy's end. */
bool rates_is_staged(const struct trace_operation *operation);

/* Whether the operation is one half of a staged copy between devices: `engine` says which half, to
 * the host or from the host. CUPTI's record of a half has all the bytes, but the times of the last
 * piece alone (seen on H200s with driver 580). */
bool rates_is_peer_half(const struct trace_operation *operation, enum engine engine);

/* How fast host memory is registered (pinned), as measured. latency_ns: of each call. */
struct copy_rate rates_of_pinning(const struct trace *trace);

/* The bytes a ns that page faults add to the host's first touch of memory, and the bytes a ns at
 * which touched memory is given back, both as measured. */
struct copy_rate rates_of_faults(const struct trace *trace);
struct copy_rate rates_of_unmapping(const struct trace *trace);

/* How long a page fault of 4 KB takes, in ns: as measured, or else PAGE_FAULT_NS. */
double rates_fault_ns(const struct trace *trace);

/* The measured rate of copies from a device to pageable memory that was touched before. */
struct copy_rate rates_of_staging(const struct trace *trace);

/* The measured rate of direct copies between devices, in bytes a ns; 0: the devices cannot reach
 * each other; -1: unknown. */
double rates_of_peers(const struct trace *trace);

#define RATES_PEER_KEY "peer_bytes_per_s"

/* The measurements of one GPU (measure.h), as rows of the metadata. */
enum rates_number {
	RATES_H2D_SPEED,
	RATES_H2D_LATENCY,
	RATES_D2H_SPEED,
	RATES_D2H_LATENCY,
	RATES_PIN_SPEED,
	RATES_PIN_LATENCY,
	RATES_FAULT_SPEED,
	RATES_STAGED_SPEED,
	RATES_UNMAP_SPEED,
	RATES_NUMBERS
};

/* The metadata key; static. Speeds are bytes a second, latencies ns. */
const char *rates_key(enum rates_number number);

#endif
