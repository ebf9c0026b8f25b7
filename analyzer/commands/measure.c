#include "commands/measure.h"

#include "base/memory.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Two sizes, so that the start of a copy and its rate come apart. */
#define LARGE_BYTES ((size_t)32 << 20)
#define SMALL_BYTES ((size_t)4096)
#define ROUNDS	    7

/* The driver API as every libcuda.so.1 since CUDA 11 has it. Results are 0 on success; contexts,
 * streams and events are opaque. */
struct driver {
	int (*init)(unsigned int flags);
	int (*device_get)(int *device, int ordinal);
	int (*context_retain)(void **context, int device);
	int (*context_set)(void *context);
	int (*stream_create)(void **stream, unsigned int flags);
	int (*host_alloc)(void **memory, size_t bytes, unsigned int flags);
	int (*device_alloc)(uint64_t *address, size_t bytes);
	int (*copy_in)(uint64_t dst, const void *src, size_t bytes, void *stream);
	int (*copy_out)(void *dst, uint64_t src, size_t bytes, void *stream);
	int (*event_create)(void **event, unsigned int flags);
	int (*event_record)(void *event, void *stream);
	int (*event_synchronize)(void *event);
	int (*event_elapsed)(float *ms, void *start, void *end);
};

static const struct {
	const char *name;
	size_t offset;
} symbols[] = {
	{"cuInit", offsetof(struct driver, init)},
	{"cuDeviceGet", offsetof(struct driver, device_get)},
	{"cuDevicePrimaryCtxRetain", offsetof(struct driver, context_retain)},
	{"cuCtxSetCurrent", offsetof(struct driver, context_set)},
	{"cuStreamCreate", offsetof(struct driver, stream_create)},
	{"cuMemHostAlloc", offsetof(struct driver, host_alloc)},
	{"cuMemAlloc_v2", offsetof(struct driver, device_alloc)},
	{"cuMemcpyHtoDAsync_v2", offsetof(struct driver, copy_in)},
	{"cuMemcpyDtoHAsync_v2", offsetof(struct driver, copy_out)},
	{"cuEventCreate", offsetof(struct driver, event_create)},
	{"cuEventRecord", offsetof(struct driver, event_record)},
	{"cuEventSynchronize", offsetof(struct driver, event_synchronize)},
	{"cuEventElapsedTime", offsetof(struct driver, event_elapsed)},
};

struct bench {
	struct driver driver;
	void *stream, *start, *end, *host;
	uint64_t device;
};

static bool find_driver(struct driver *driver)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return false;
	for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
		void *symbol = dlsym(library, symbols[i].name);

		if (!symbol)
			return false;
		memcpy((char *)driver + symbols[i].offset, &symbol, sizeof(symbol));
	}
	return true;
}

/* Nothing is given back: the child ends. */
static bool open_bench(struct bench *bench, uint32_t device_id)
{
	const struct driver *driver = &bench->driver;
	void *context;
	int device;

	return find_driver(&bench->driver) && !driver->init(0) &&
	       !driver->device_get(&device, (int)device_id) &&
	       !driver->context_retain(&context, device) && !driver->context_set(context) &&
	       !driver->stream_create(&bench->stream, 0) &&
	       !driver->event_create(&bench->start, 0) && !driver->event_create(&bench->end, 0) &&
	       !driver->host_alloc(&bench->host, LARGE_BYTES, 0) &&
	       !driver->device_alloc(&bench->device, LARGE_BYTES);
}

static int copy(const struct bench *bench, enum engine engine, size_t bytes)
{
	if (!bytes)
		return 0;
	if (engine == ENGINE_H2D)
		return bench->driver.copy_in(bench->device, bench->host, bytes, bench->stream);
	return bench->driver.copy_out(bench->host, bench->device, bytes, bench->stream);
}

static int compare_times(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

/* The median time between two events with a copy of so many bytes between them, 0 for none. */
static bool time_copy(const struct bench *bench, enum engine engine, size_t bytes, double *ns)
{
	const struct driver *driver = &bench->driver;
	float times_ms[ROUNDS + 1];

	for (int i = 0; i <= ROUNDS; i++)
		if (driver->event_record(bench->start, bench->stream) ||
		    copy(bench, engine, bytes) || driver->event_record(bench->end, bench->stream) ||
		    driver->event_synchronize(bench->end) ||
		    driver->event_elapsed(&times_ms[i], bench->start, bench->end))
			return false;
	/* The first round warms up. */
	qsort(times_ms + 1, ROUNDS, sizeof(*times_ms), compare_times);
	*ns = (double)times_ms[1 + ROUNDS / 2] * 1e6;
	return true;
}

static struct copy_rate measure_engine(const struct bench *bench, enum engine engine)
{
	struct copy_rate rate = {0};
	double empty_ns, small_ns, large_ns, latency_ns;

	if (!time_copy(bench, engine, 0, &empty_ns) ||
	    !time_copy(bench, engine, SMALL_BYTES, &small_ns) ||
	    !time_copy(bench, engine, LARGE_BYTES, &large_ns) || large_ns <= small_ns)
		return rate;
	rate.bytes_per_ns = (double)(LARGE_BYTES - SMALL_BYTES) / (large_ns - small_ns);
	/* The events take time themselves. */
	latency_ns = small_ns - empty_ns - (double)SMALL_BYTES / rate.bytes_per_ns;
	rate.latency_ns = latency_ns > 0 ? (int64_t)(latency_ns + 0.5) : 0;
	return rate;
}

/* What a terminal's signals and the parent's end do to the child, and what it may leave behind. */
static void isolate(pid_t parent)
{
	const struct rlimit no_core = {0};
	int null = open("/dev/null", O_RDWR);

	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	setrlimit(RLIMIT_CORE, &no_core);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (null < 0 || getppid() != parent)
		_exit(1);
	for (int i = 0; i <= STDERR_FILENO; i++)
		dup2(null, i);
}

/* The devices are those that the program saw, under the same numbers. No tool joins in. */
static void set_environment(const char *visible_devices)
{
	if (visible_devices)
		setenv("CUDA_VISIBLE_DEVICES", visible_devices, 1);
	else
		unsetenv("CUDA_VISIBLE_DEVICES");
	unsetenv("CUDA_INJECTION64_PATH");
}

static void measure_in_child(const struct measuring *measuring, int out)
{
	struct copy_rate rates[ENGINE_COUNT] = {0};
	struct bench bench = {0};

	set_environment(measuring->visible_devices);
	if (open_bench(&bench, measuring->device_id)) {
		rates[ENGINE_H2D] = measure_engine(&bench, ENGINE_H2D);
		rates[ENGINE_D2H] = measure_engine(&bench, ENGINE_D2H);
	}
	_exit(write(out, rates, sizeof(rates)) == sizeof(rates) ? 0 : 1);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Fills in the rates, with zeros where nothing came of it. */
static void measure(struct measuring *measuring)
{
	struct pollfd answer = {.events = POLLIN};
	int64_t since_ms = now_ms();
	pid_t parent = getpid(), child;
	int ends[2];

	memset(measuring->rates, 0, sizeof(measuring->rates));
	if (pipe2(ends, O_CLOEXEC))
		return;
	child = fork();
	if (child == 0) {
		isolate(parent);
		measure_in_child(measuring, ends[1]);
	}
	close(ends[1]);
	answer.fd = ends[0];
	if (child > 0 && poll(&answer, 1, (int)measuring->left_ms) == 1 &&
	    read(ends[0], measuring->rates, sizeof(measuring->rates)) != sizeof(measuring->rates))
		memset(measuring->rates, 0, sizeof(measuring->rates));
	close(ends[0]);
	measuring->left_ms -= now_ms() - since_ms;
	if (child < 0)
		return;
	/* One that hangs in the driver would not end at once: it is left to init. */
	kill(child, SIGKILL);
	waitpid(child, NULL, WNOHANG);
}

/* The device with the most bytes in pageable copies of a direction that lacks a rate; false where
 * there are none. */
static bool choose_device(const struct trace *trace, const bool *is_lacking, uint32_t *device_id)
{
	uint64_t most_bytes = 0;

	for (size_t k = 0; k < trace->device_count; k++) {
		uint64_t bytes = 0;

		for (size_t i = 0; i < trace->operation_count; i++) {
			const struct trace_operation *operation = &trace->operations[i];

			if (operation->device_id == trace->devices[k].id &&
			    is_lacking[operation->engine] && rates_is_pageable(operation))
				bytes += operation->size_bytes;
		}
		if (bytes > most_bytes) {
			most_bytes = bytes;
			*device_id = trace->devices[k].id;
		}
	}
	return most_bytes > 0;
}

static bool is_same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Ranks of one run share a device: it is measured once. */
static bool is_measured(const struct measuring *measuring, uint32_t device_id,
			const char *visible_devices)
{
	return measuring->has_rates && measuring->device_id == device_id &&
	       is_same_text(measuring->visible_devices, visible_devices);
}

static int store(struct trace *trace, const struct copy_rate *rates, const bool *is_lacking,
		 char **error)
{
	struct trace_note notes[2 * ENGINE_COUNT];
	size_t count = 0;

	for (int engine = 0; engine < ENGINE_COUNT; engine++) {
		if (!is_lacking[engine] || rates[engine].bytes_per_ns <= 0)
			continue;
		notes[count].key = rates_speed_key((enum engine)engine);
		snprintf(notes[count].value, sizeof(notes->value), "%.0f",
			 rates[engine].bytes_per_ns * 1e9);
		count++;
		notes[count].key = rates_latency_key((enum engine)engine);
		snprintf(notes[count].value, sizeof(notes->value), "%" PRId64,
			 rates[engine].latency_ns);
		count++;
	}
	return count ? trace_store_metadata(trace, notes, count, error) : 0;
}

int measure_store(struct measuring *measuring, struct trace *trace, char **error)
{
	const char *visible_devices = trace_metadata(trace, "cuda_visible_devices");
	bool is_lacking[ENGINE_COUNT] = {0};
	uint32_t device_id;

	for (size_t i = 0; i < trace->operation_count; i++)
		if (rates_is_pageable(&trace->operations[i]))
			is_lacking[trace->operations[i].engine] = true;
	for (int engine = 0; engine < ENGINE_COUNT; engine++)
		is_lacking[engine] = is_lacking[engine] &&
				     rates_of_own(trace, (enum engine)engine).bytes_per_ns <= 0;
	if (!choose_device(trace, is_lacking, &device_id))
		return 0;
	if (!is_measured(measuring, device_id, visible_devices)) {
		if (measuring->left_ms <= 0)
			return 0;
		measure_free(measuring);
		measuring->has_rates = true;
		measuring->device_id = device_id;
		if (visible_devices)
			measuring->visible_devices = memory_format("%s", visible_devices);
		measure(measuring);
	}
	return store(trace, measuring->rates, is_lacking, error);
}

void measure_free(struct measuring *measuring)
{
	free(measuring->visible_devices);
	measuring->visible_devices = NULL;
	measuring->has_rates = false;
}
