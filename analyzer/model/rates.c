#include "model/rates.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* x86-64's small pages. */
enum { PAGE_BYTES = 4096 };

static int compare_values(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* 0 of none. Sorts them. */
static double median_of(double *values, size_t count)
{
	if (!count)
		return 0;
	qsort(values, count, sizeof(*values), compare_values);
	return values[count / 2];
}

static bool is_copy_with(const struct trace_operation *operation, enum memory_kind kind)
{
	return operation->form->kind == OPERATION_COPY &&
	       (operation->form->engine == ENGINE_H2D	? operation->form->src_kind == kind
		: operation->form->engine == ENGINE_D2H ? operation->form->dst_kind == kind
							: false);
}

bool rates_is_pageable(const struct trace_operation *operation)
{
	return is_copy_with(operation, MEMORY_PAGEABLE);
}

static bool is_staged_kind(uint8_t kind)
{
	return kind == MEMORY_PAGEABLE || kind == MEMORY_MANAGED || kind == MEMORY_MANAGED_STATIC;
}

bool rates_is_staged(const struct trace_operation *operation)
{
	return operation->form->kind == OPERATION_COPY &&
	       (is_staged_kind(operation->form->src_kind) ||
		is_staged_kind(operation->form->dst_kind));
}

/* Collects the pinned copies' times (least_bytes 0), or their rates without the latency. */
static size_t collect_copies(const struct trace *trace, enum engine engine, uint64_t least_bytes,
			     int64_t latency_ns, double *values)
{
	size_t count = 0;

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		int64_t duration_ns = operation->end_ns - operation->start_ns - latency_ns;

		if (operation->form->engine != engine || !is_copy_with(operation, MEMORY_PINNED) ||
		    duration_ns <= 0)
			continue;
		if (!least_bytes && operation->form->size_bytes <= COPY_SMALL_BYTES)
			values[count++] = (double)duration_ns;
		else if (least_bytes && operation->form->size_bytes >= least_bytes)
			values[count++] = (double)operation->form->size_bytes / (double)duration_ns;
	}
	return count;
}

/* The median, because some copies share the bus with others; the range is that of the middle
 * half. */
struct copy_rate rates_of_own(const struct trace *trace, enum engine engine)
{
	double *values = memory_array(trace->operation_count, sizeof(*values));
	struct copy_rate rate = {0};
	size_t count;

	rate.latency_ns = (int64_t)median_of(values, collect_copies(trace, engine, 0, 0, values));
	count = collect_copies(trace, engine, COPY_LARGE_BYTES, rate.latency_ns, values);
	rate.bytes_per_ns = median_of(values, count);
	if (count) {
		rate.slower = 1 - values[count / 4] / rate.bytes_per_ns;
		rate.faster = values[count - 1 - count / 4] / rate.bytes_per_ns - 1;
		rate.source = RATE_OWN;
	}
	free(values);
	return rate;
}

const char *rates_key(enum rates_number number)
{
	static const char *const keys[RATES_NUMBERS] = {
		[RATES_H2D_SPEED] = "pinned_h2d_bytes_per_s",
		[RATES_H2D_LATENCY] = "pinned_h2d_latency_ns",
		[RATES_D2H_SPEED] = "pinned_d2h_bytes_per_s",
		[RATES_D2H_LATENCY] = "pinned_d2h_latency_ns",
		[RATES_PIN_SPEED] = "pinning_bytes_per_s",
		[RATES_PIN_LATENCY] = "pinning_latency_ns",
		[RATES_FAULT_SPEED] = "page_faults_bytes_per_s",
		[RATES_STAGED_SPEED] = "staged_d2h_bytes_per_s",
		[RATES_UNMAP_SPEED] = "unmapping_bytes_per_s",
	};

	return keys[number];
}

/* The number behind a key, or -1 where it is missing or not within the limits. */
static double number_of(const struct trace *trace, const char *key, double least, double most)
{
	const char *text = trace_metadata(trace, key);
	char *end;
	double value = text ? strtod(text, &end) : -1;

	return text && *text && !*end && value >= least && value <= most ? value : -1;
}

/* latency: RATES_NUMBERS where it has none. */
static struct copy_rate measured_rate(const struct trace *trace, enum rates_number speed,
				      enum rates_number latency)
{
	double bytes_per_s =
		number_of(trace, rates_key(speed), RATE_LEAST_BYTES_PER_S, RATE_MOST_BYTES_PER_S);
	double latency_ns = latency == RATES_NUMBERS
				    ? 0
				    : number_of(trace, rates_key(latency), 0, LATENCY_MOST_NS);

	if (bytes_per_s < 0)
		return (struct copy_rate){0};
	return (struct copy_rate){bytes_per_s / 1e9, latency_ns < 0 ? 0 : (int64_t)latency_ns,
				  RATE_MEASURED_SPREAD, RATE_MEASURED_SPREAD, RATE_MEASURED};
}

struct copy_rate rates_of_pinning(const struct trace *trace)
{
	return measured_rate(trace, RATES_PIN_SPEED, RATES_PIN_LATENCY);
}

struct copy_rate rates_of_faults(const struct trace *trace)
{
	return measured_rate(trace, RATES_FAULT_SPEED, RATES_NUMBERS);
}

double rates_fault_ns(const struct trace *trace)
{
	const struct copy_rate rate = rates_of_faults(trace);

	return rate.bytes_per_ns > 0 ? PAGE_BYTES / rate.bytes_per_ns : PAGE_FAULT_NS;
}

struct copy_rate rates_of_unmapping(const struct trace *trace)
{
	return measured_rate(trace, RATES_UNMAP_SPEED, RATES_NUMBERS);
}

struct copy_rate rates_of_staging(const struct trace *trace)
{
	return measured_rate(trace, RATES_STAGED_SPEED, RATES_NUMBERS);
}

/* Whether the name has the word: "NVIDIA A10" has no "A100", and "NVIDIA A100-SXM4-40GB" no "A10". */
static bool has_word(const char *name, const char *word)
{
	const char *at = name;

	while ((at = strstr(at, word))) {
		char before = at > name ? at[-1] : ' ', behind = at[strlen(word)];

		if (!isalnum((unsigned char)before) && !isalnum((unsigned char)behind))
			return true;
		at++;
	}
	return false;
}

/* name: NULL: unknown. 0: the model is not known. */
static uint64_t link_of_model(const char *name)
{
	static const struct {
		const char *name;
		uint64_t bytes_per_s;
	} links[] = {
#define GPU_LINK(name, bytes_per_s, source) {name, bytes_per_s},
#include "model/gpu_links.def"
#undef GPU_LINK
	};

	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++)
		if (name && has_word(name, links[i].name))
			return links[i].bytes_per_s;
	return 0;
}

uint64_t rates_link_bytes_per_s(const struct trace *trace)
{
	uint64_t least = 0;

	for (size_t i = 0; i < trace->device_count; i++) {
		const struct trace_device *device = &trace->devices[i];
		uint64_t link = device->link_bytes_per_s ? device->link_bytes_per_s
							 : link_of_model(device->name);

		if (link >= RATE_LEAST_BYTES_PER_S && link <= RATE_MOST_BYTES_PER_S &&
		    (!least || link < least))
			least = link;
	}
	return least;
}

static struct copy_rate of_link(const struct trace *trace)
{
	uint64_t link = rates_link_bytes_per_s(trace);

	if (!link)
		return (struct copy_rate){0};
	return (struct copy_rate){LINK_SHARE * (double)link / 1e9, LINK_LATENCY_NS, LINK_SLOWER,
				  LINK_FASTER, RATE_OF_LINK};
}

struct copy_rate rates_of_pinned(const struct trace *trace, enum engine engine)
{
	struct copy_rate rate = {0};

	if (engine != ENGINE_H2D && engine != ENGINE_D2H)
		return rate;
	rate = rates_of_own(trace, engine);
	if (rate.source == RATE_UNKNOWN)
		rate = engine == ENGINE_H2D
			       ? measured_rate(trace, RATES_H2D_SPEED, RATES_H2D_LATENCY)
			       : measured_rate(trace, RATES_D2H_SPEED, RATES_D2H_LATENCY);
	return rate.source == RATE_UNKNOWN ? of_link(trace) : rate;
}

int64_t rates_copy_ns(struct copy_rate rate, uint64_t bytes, enum rate_end end)
{
	double share = end == RATE_SLOWEST   ? 1 - rate.slower
		       : end == RATE_FASTEST ? 1 + rate.faster
					     : 1;

	double copy_ns = (double)bytes / (rate.bytes_per_ns * share);

	return rate.latency_ns +
	       (copy_ns < TIME_MOST_NS ? (int64_t)copy_ns : (int64_t)TIME_MOST_NS);
}

int64_t rates_pinned_ns(struct copy_rate rate, uint64_t bytes, int64_t duration_ns,
			enum rate_end end)
{
	if (rate.bytes_per_ns <= 0)
		return end == RATE_FASTEST ? 0 : duration_ns;
	return min_ns(duration_ns, rates_copy_ns(rate, bytes, end));
}

double rates_of_peers(const struct trace *trace)
{
	double bytes_per_s = number_of(trace, RATES_PEER_KEY, 0, RATE_MOST_BYTES_PER_S);

	return bytes_per_s < 0 ? -1 : bytes_per_s / 1e9;
}

bool rates_is_peer_half(const struct trace_operation *operation, enum engine engine)
{
	return operation->form->kind == OPERATION_COPY && operation->form->engine == engine &&
	       operation->call && strstr(operation->call->form->function->name, "Peer");
}
