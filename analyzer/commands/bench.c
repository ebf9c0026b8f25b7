#include "commands/bench.h"

#include "commands/driver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* Copies of two sizes give the fixed time of a copy and its rate; the same for pinning. */
#define LARGE_BYTES	   ((size_t)32 << 20)
#define SMALL_BYTES	   ((size_t)4096)
#define PINNED_SMALL_BYTES ((size_t)1 << 20)
#define ROUNDS		   7
#define HOST_ROUNDS	   3

struct bench {
	struct driver driver;
	void *stream, *start, *end, *host;
	uint64_t device;
};

/* Nothing is given back: the process ends. */
static bool open_bench(struct bench *bench, const char *uuid)
{
	const struct driver *driver = &bench->driver;
	void *context;
	int device;

	return driver_load(&bench->driver) && !driver->init(0) && !driver->device_get(&device, 0) &&
	       driver_is_device(driver, device, uuid) &&
	       !driver->context_retain(&context, device) && !driver->context_set(context) &&
	       !driver->stream_create(&bench->stream, 0) &&
	       !driver->event_create(&bench->start, 0) && !driver->event_create(&bench->end, 0) &&
	       !driver->host_alloc(&bench->host, LARGE_BYTES, 0) &&
	       !driver->device_alloc(&bench->device, LARGE_BYTES);
}

static int copy_bytes(const struct bench *bench, enum engine engine, void *host, size_t bytes)
{
	if (!bytes)
		return 0;
	if (engine == ENGINE_H2D)
		return bench->driver.copy_in(bench->device, host, bytes, bench->stream);
	return bench->driver.copy_out(host, bench->device, bytes, bench->stream);
}

/* The least time between two events around a copy of that many bytes (0: no copy): other work of the machine
 * can only add to it. The first round warms up. */
static bool time_copy(const struct bench *bench, enum engine engine, void *host, size_t bytes,
		      double *ns)
{
	const struct driver *driver = &bench->driver;
	float least_ms = HUGE_VALF, ms;

	for (int i = 0; i <= ROUNDS; i++) {
		if (driver->event_record(bench->start, bench->stream) ||
		    copy_bytes(bench, engine, host, bytes) ||
		    driver->event_record(bench->end, bench->stream) ||
		    driver->event_synchronize(bench->end) ||
		    driver->event_elapsed(&ms, bench->start, bench->end))
			return false;
		if (i && ms < least_ms)
			least_ms = ms;
	}
	*ns = (double)least_ms * 1e6;
	return true;
}

/* Fits rate and latency through two measurements, and sets both numbers. */
static void set_line(double *numbers, enum rates_number speed, enum rates_number latency,
		     const double ns[2], const size_t bytes[2])
{
	double bytes_per_ns, latency_ns;

	if (ns[1] <= ns[0])
		return;
	bytes_per_ns = (double)(bytes[1] - bytes[0]) / (ns[1] - ns[0]);
	latency_ns = ns[0] - (double)bytes[0] / bytes_per_ns;
	numbers[speed] = bytes_per_ns * 1e9;
	numbers[latency] = latency_ns > 0 ? latency_ns : 0;
}

static void measure_engine(const struct bench *bench, enum engine engine, double *numbers)
{
	static const size_t bytes[] = {SMALL_BYTES, LARGE_BYTES};
	double empty_ns, ns[2];

	if (!time_copy(bench, engine, bench->host, 0, &empty_ns) ||
	    !time_copy(bench, engine, bench->host, bytes[0], &ns[0]) ||
	    !time_copy(bench, engine, bench->host, bytes[1], &ns[1]))
		return;
	/* The events take time themselves. */
	ns[0] -= empty_ns;
	ns[1] -= empty_ns;
	if (engine == ENGINE_H2D)
		set_line(numbers, RATES_H2D_SPEED, RATES_H2D_LATENCY, ns, bytes);
	else
		set_line(numbers, RATES_D2H_SPEED, RATES_D2H_LATENCY, ns, bytes);
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double least_of(double a, double b)
{
	return a < b ? a : b;
}

static double time_writing(char *memory, size_t bytes)
{
	double since_ns = now_ns();

	memset(memory, 1, bytes);
	__asm__ volatile("" : : "r"(memory) : "memory");
	return now_ns() - since_ns;
}

/* Times of a block of memory as malloc() gets it: writing to it for the first time and again, pinning it,
 * unmapping it. */
struct host_times {
	double first_ns, again_ns, pin_ns, unmap_ns;
};

/* The least of each in some rounds. */
static bool time_host(const struct driver *driver, size_t bytes, struct host_times *least)
{
	*least = (struct host_times){HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
	for (int i = 0; i < HOST_ROUNDS; i++) {
		char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		double since_ns;

		if (memory == MAP_FAILED)
			return false;
		least->first_ns = least_of(least->first_ns, time_writing(memory, bytes));
		least->again_ns = least_of(least->again_ns, time_writing(memory, bytes));
		since_ns = now_ns();
		if (driver->pin(memory, bytes, 0))
			return false;
		least->pin_ns = least_of(least->pin_ns, now_ns() - since_ns);
		driver->unpin(memory);
		since_ns = now_ns();
		munmap(memory, bytes);
		least->unmap_ns = least_of(least->unmap_ns, now_ns() - since_ns);
	}
	return true;
}

static void measure_host(const struct driver *driver, double *numbers)
{
	static const size_t bytes[] = {PINNED_SMALL_BYTES, LARGE_BYTES};
	struct host_times times[2];
	double fault_ns;

	for (int i = 0; i < 2; i++)
		if (!time_host(driver, bytes[i], &times[i]))
			return;
	set_line(numbers, RATES_PIN_SPEED, RATES_PIN_LATENCY,
		 (const double[]){times[0].pin_ns, times[1].pin_ns}, bytes);
	fault_ns = times[1].first_ns - times[1].again_ns;
	if (fault_ns > 0)
		numbers[RATES_FAULT_SPEED] = (double)LARGE_BYTES / fault_ns * 1e9;
	if (times[1].unmap_ns > 0)
		numbers[RATES_UNMAP_SPEED] = (double)LARGE_BYTES / times[1].unmap_ns * 1e9;
}

/* To memory that was touched before. */
static void measure_staging(const struct bench *bench, double *numbers)
{
	char *memory = malloc(LARGE_BYTES);
	double ns;

	if (!memory)
		return;
	memset(memory, 1, LARGE_BYTES);
	if (time_copy(bench, ENGINE_D2H, memory, LARGE_BYTES, &ns) && ns > 0)
		numbers[RATES_STAGED_SPEED] = (double)LARGE_BYTES / ns * 1e9;
	free(memory);
}

void bench_run(const char *uuid, double numbers[RATES_NUMBERS])
{
	struct bench bench = {0};

	memset(numbers, 0, RATES_NUMBERS * sizeof(*numbers));
	if (!open_bench(&bench, uuid))
		return;
	measure_engine(&bench, ENGINE_H2D, numbers);
	measure_engine(&bench, ENGINE_D2H, numbers);
	measure_host(&bench.driver, numbers);
	measure_staging(&bench, numbers);
}
