/*
 * What copies from and to pinned host memory take here, and how sure that is: from the trace's own,
 * else as it was measured on the machine and stands in the metadata (measure.h), else from the
 * speed of the device's link.
 */
#ifndef STREAMTRACE_RATES_H
#define STREAMTRACE_RATES_H

#include "trace/trace.h"

enum rate_source { RATE_UNKNOWN, RATE_OWN, RATE_MEASURED, RATE_OF_LINK };

/* bytes_per_ns is 0 where it is not known. */
struct copy_rate {
	double bytes_per_ns;
	int64_t latency_ns; /* of a copy of nothing */
	/* It may be so much slower and faster, as shares of bytes_per_ns; slower < 1. */
	double slower, faster;
	enum rate_source source;
};

/* Which rate of the range counts. */
enum rate_end { RATE_LIKELY, RATE_SLOWEST, RATE_FASTEST };

/* What the trace's own copies say: those that are large enough for it. */
struct copy_rate rates_of_own(const struct trace *trace, enum engine engine);

/* The same, else what was measured, else what the link allows. */
struct copy_rate rates_of_pinned(const struct trace *trace, enum engine engine);

/* The time of a copy; the rate must be known. */
int64_t rates_copy_ns(struct copy_rate rate, uint64_t bytes, enum rate_end end);

/* What a copy that takes so long takes from or to pinned memory: no longer. Where the rate is not
 * known, the same; at its fastest end, nothing. */
int64_t rates_pinned_ns(struct copy_rate rate, uint64_t bytes, int64_t duration_ns,
			enum rate_end end);

/* Of the slowest link of the trace's devices; 0: not known. */
uint64_t rates_link_bytes_per_s(const struct trace *trace);

/* What pinned copies reach of a link's bytes a second, for a person: "44..92 %". */
#define RATES_LINK_RANGE "44..92 %"

/* Whether the operation is a copy between pageable host memory and a device. */
bool rates_is_pageable(const struct trace_operation *operation);

/* Whether it is a copy from or to pageable or managed memory: its call lasts until all of it is on its
 * way, which is a little before its end. */
bool rates_is_staged(const struct trace_operation *operation);

/* Whether it is the half of a copy between devices that goes to the host, or from it: the record has all of the
 * bytes and the times of the last piece (seen on H200s with driver 580). */
bool rates_is_peer_half(const struct trace_operation *operation, enum engine engine);

/* How fast host memory is registered (pinned); with what each call takes. */
struct copy_rate rates_of_pinning(const struct trace *trace);

/* How fast a host goes through memory that it has not touched before, counting only what its
 * page faults add; and gives back memory that it has touched. */
struct copy_rate rates_of_faults(const struct trace *trace);
struct copy_rate rates_of_unmapping(const struct trace *trace);

/* How fast copies to pageable memory are that was touched before. */
struct copy_rate rates_of_staging(const struct trace *trace);

/* How fast copies from one device directly to another are, bytes a ns, as it was measured; 0: the devices cannot
 * reach each other; -1: not known. */
double rates_of_peers(const struct trace *trace);

#define RATES_PEER_KEY "peer_bytes_per_s"

/* What measure.h measures of one GPU, as rows of the metadata. */
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

/* Its key. Speeds are bytes a second, latencies ns. */
const char *rates_key(enum rates_number number);

#endif
