#include "commands/loops.h"

#include "base/memory.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* In a round, of each class, and kernels. */
#define CALLS	400
#define KERNELS 200

/* The host's work between two calls. It is either some 3 us of arithmetic, so that the host is slower than
 * the device and no call waits for a full queue; or a walk over memory that exceeds a core's first cache,
 * which takes as long. */
#define WORK_STEPS   3000
#define MEMORY_BYTES ((size_t)256 << 10)
#define LINE_BYTES   64

/* Longer than a launch and a copy take to enqueue, in cycles of the device: some 12 us. */
#define SPIN_CYCLES 20000

/* The driver API as every libcuda.so.1 since CUDA 12 has it. Results are 0 on success. */
struct driver {
	int (*init)(unsigned int flags);
	int (*device_get)(int *device, int ordinal);
	int (*device_uuid)(unsigned char uuid[16], int device);
	int (*context_retain)(void **context, int device);
	int (*context_set)(void *context);
	int (*stream_create)(void **stream, unsigned int flags);
	int (*stream_query)(void *stream);
	int (*stream_synchronize)(void *stream);
	int (*host_alloc)(void **memory, size_t bytes, unsigned int flags);
	int (*device_alloc)(uint64_t *address, size_t bytes);
	int (*copy_in)(uint64_t dst, const void *src, size_t bytes, void *stream);
	int (*event_create)(void **event, unsigned int flags);
	int (*event_record)(void *event, void *stream);
	int (*library_load)(void **library, const void *code, void *jit_options, void **jit_values,
			    unsigned int jit_count, void *options, void **values,
			    unsigned int count);
	int (*library_kernel)(void **kernel, void *library, const char *name);
	int (*launch)(void *function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
		      unsigned int block_x, unsigned int block_y, unsigned int block_z,
		      unsigned int shared_bytes, void *stream, void **parameters, void **extra);
};

struct symbol {
	const char *name;
	size_t offset;
};

static const struct symbol driver_symbols[] = {
	{"cuInit", offsetof(struct driver, init)},
	{"cuDeviceGet", offsetof(struct driver, device_get)},
	{"cuDeviceGetUuid_v2", offsetof(struct driver, device_uuid)},
	{"cuDevicePrimaryCtxRetain", offsetof(struct driver, context_retain)},
	{"cuCtxSetCurrent", offsetof(struct driver, context_set)},
	{"cuStreamCreate", offsetof(struct driver, stream_create)},
	{"cuStreamQuery", offsetof(struct driver, stream_query)},
	{"cuStreamSynchronize", offsetof(struct driver, stream_synchronize)},
	{"cuMemHostAlloc", offsetof(struct driver, host_alloc)},
	{"cuMemAlloc_v2", offsetof(struct driver, device_alloc)},
	{"cuMemcpyHtoDAsync_v2", offsetof(struct driver, copy_in)},
	{"cuEventCreate", offsetof(struct driver, event_create)},
	{"cuEventRecord", offsetof(struct driver, event_record)},
	{"cuLibraryLoadData", offsetof(struct driver, library_load)},
	{"cuLibraryGetKernel", offsetof(struct driver, library_kernel)},
	{"cuLaunchKernel", offsetof(struct driver, launch)},
};

struct dim3 {
	unsigned int x, y, z;
};

/* The runtime API as every libcudart since CUDA 12 has it. Kernels, streams and events are those of the
 * driver. */
struct runtime {
	int (*launch)(const void *kernel, struct dim3 grid, struct dim3 block, void **parameters,
		      size_t shared_bytes, void *stream);
	int (*copy)(void *dst, const void *src, size_t bytes, int kind, void *stream);
	int (*event_record)(void *event, void *stream);
	int (*stream_synchronize)(void *stream);
	int (*stream_query)(void *stream);
};

static const struct symbol runtime_symbols[] = {
	{"cudaLaunchKernel", offsetof(struct runtime, launch)},
	{"cudaMemcpyAsync", offsetof(struct runtime, copy)},
	{"cudaEventRecord", offsetof(struct runtime, event_record)},
	{"cudaStreamSynchronize", offsetof(struct runtime, stream_synchronize)},
	{"cudaStreamQuery", offsetof(struct runtime, stream_query)},
};

#define COPY_TO_DEVICE 1 /* cudaMemcpyHostToDevice */

struct loops {
	struct driver driver;
	struct runtime runtime;
	bool has_runtime;
	void *stream, *event, *host, *kernel;
	uint64_t device;
	volatile char *memory; /* NULL: the caches are left alone */
	volatile uint64_t number;
};

/* A kernel that runs for a given number of cycles, as PTX, which a driver compiles for any device. */
static const char spin_text[] = "%s.address_size 64\n"
				".visible .entry spin(.param .u64 cycles)\n"
				"{\n"
				"	.reg .pred %%p<2>;\n"
				"	.reg .b64 %%d<5>;\n"
				"	ld.param.u64 %%d1, [cycles];\n"
				"	mov.u64 %%d2, %%clock64;\n"
				"again:\n"
				"	mov.u64 %%d3, %%clock64;\n"
				"	sub.u64 %%d4, %%d3, %%d2;\n"
				"	setp.lt.u64 %%p1, %%d4, %%d1;\n"
				"	@%%p1 bra again;\n"
				"	ret;\n"
				"}\n";

static bool load_kernel(struct loops *loops)
{
	static const char *const heads[] = {
		".version 6.4\n.target sm_75\n",
		".version 6.0\n.target sm_50\n",
	};
	const struct driver *driver = &loops->driver;
	char text[sizeof(spin_text) + 64];
	void *library;

	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		snprintf(text, sizeof(text), spin_text, heads[i]);
		if (!driver->library_load(&library, text, NULL, NULL, 0, NULL, NULL, 0))
			return !driver->library_kernel(&loops->kernel, library, "spin");
	}
	return false;
}

/* version: of the symbols; NULL: any. */
static bool find_symbols(void *library, const char *version, const struct symbol *symbols,
			 size_t count, void *functions)
{
	for (size_t i = 0; i < count; i++) {
		const char *name = symbols[i].name;
		void *symbol = version ? dlvsym(library, name, version) : dlsym(library, name);

		if (!symbol)
			return false;
		memcpy((char *)functions + symbols[i].offset, &symbol, sizeof(symbol));
	}
	return true;
}

static bool find_driver(struct driver *driver)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

	return library && find_symbols(library, NULL, driver_symbols,
				       sizeof(driver_symbols) / sizeof(*driver_symbols), driver);
}

/* Looks symbols up with the versions that a linker would use, so that libstrace.so's wrappers are found
 * first if it is preloaded. */
static bool find_runtime(struct runtime *runtime)
{
	static const struct {
		const char *path, *version;
	} libraries[] = {
		{"libcudart.so.13", "libcudart.so.13"},
		{"libcudart.so.12", "libcudart.so.12"},
		{"/usr/local/cuda/lib64/libcudart.so.13", "libcudart.so.13"},
		{"/usr/local/cuda/lib64/libcudart.so.12", "libcudart.so.12"},
	};

	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
		if (dlopen(libraries[i].path, RTLD_NOW | RTLD_GLOBAL))
			return find_symbols(RTLD_DEFAULT, libraries[i].version, runtime_symbols,
					    sizeof(runtime_symbols) / sizeof(*runtime_symbols),
					    runtime);
	return false;
}

static void write_uuid(char text[LOOPS_UUID_BYTES], const unsigned char *uuid)
{
	int length = snprintf(text, LOOPS_UUID_BYTES, "GPU-");

	for (int i = 0; i < 16; i++)
		length += snprintf(text + length, LOOPS_UUID_BYTES - (size_t)length, "%s%02x",
				   i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
}

/* Nothing is given back: the process ends. */
static bool open_loops(struct loops *loops, struct loops_hello *hello)
{
	const struct driver *driver = &loops->driver;
	unsigned char uuid[16];
	void *context;
	int device;

	if (!find_driver(&loops->driver) || driver->init(0) || driver->device_get(&device, 0) ||
	    driver->device_uuid(uuid, device) || driver->context_retain(&context, device) ||
	    driver->context_set(context) || driver->stream_create(&loops->stream, 0) ||
	    driver->event_create(&loops->event, 2) || driver->host_alloc(&loops->host, 4, 0) ||
	    driver->device_alloc(&loops->device, 4) || !load_kernel(loops))
		return false;
	loops->has_runtime = find_runtime(&loops->runtime);
	hello->has_runtime = loops->has_runtime;
	write_uuid(hello->uuid, uuid);
	return true;
}

static void launch_kernel(const struct loops *loops, uint64_t cycles)
{
	void *parameters[] = {&cycles};

	loops->driver.launch(loops->kernel, 1, 1, 1, 1, 1, 1, 0, loops->stream, parameters, NULL);
}

static void launch_nothing(const struct loops *loops)
{
	launch_kernel(loops, 0);
}

static void copy_memory(const struct loops *loops)
{
	loops->driver.copy_in(loops->device, loops->host, 4, loops->stream);
}

static void record_event(const struct loops *loops)
{
	loops->driver.event_record(loops->event, loops->stream);
}

static void wait_for_stream(const struct loops *loops)
{
	loops->driver.stream_synchronize(loops->stream);
}

static void query_event(const struct loops *loops)
{
	loops->driver.stream_query(loops->stream);
}

static void runtime_launch(const struct loops *loops)
{
	uint64_t cycles = 0;
	void *parameters[] = {&cycles};
	struct dim3 one = {1, 1, 1};

	loops->runtime.launch(loops->kernel, one, one, parameters, 0, loops->stream);
}

static void runtime_copy(const struct loops *loops)
{
	loops->runtime.copy((void *)loops->device, loops->host, 4, COPY_TO_DEVICE, loops->stream);
}

static void runtime_record(const struct loops *loops)
{
	loops->runtime.event_record(loops->event, loops->stream);
}

static void runtime_synchronize(const struct loops *loops)
{
	loops->runtime.stream_synchronize(loops->stream);
}

static void runtime_query(const struct loops *loops)
{
	loops->runtime.stream_query(loops->stream);
}

static void (*const calls[LOOPS_PATHS][LOOPS_CLASSES])(const struct loops *loops) = {
	[LOOPS_RUNTIME] = {runtime_launch, runtime_copy, runtime_record, runtime_synchronize,
			   runtime_query},
	[LOOPS_DRIVER] = {launch_nothing, copy_memory, record_event, wait_for_stream, query_event},
};

static int64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void run_loop_calls(struct loops *loops)
{
	uint64_t number = loops->number;

	for (size_t i = 0; loops->memory && i < MEMORY_BYTES; i += LINE_BYTES)
		loops->memory[i]++;
	for (int i = 0; !loops->memory && i < WORK_STEPS; i++)
		number = number * UINT64_C(6364136223846793005) + 1;
	loops->number = number;
}

/* Processor time of the thread: it includes work that calls cause later, and cache misses that they cause in
 * the host's work, but not the time of other programs. */
static double time_calls(struct loops *loops, void (*call)(const struct loops *loops))
{
	int64_t start_ns;

	wait_for_stream(loops);
	start_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
	for (int i = 0; i < CALLS; i++) {
		run_loop_calls(loops);
		call(loops);
	}
	wait_for_stream(loops);
	return (double)(now_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns) / CALLS;
}

static double time_kernels(const struct loops *loops, bool has_copies)
{
	int64_t start_ns;

	launch_kernel(loops, SPIN_CYCLES);
	wait_for_stream(loops);
	start_ns = now_ns(CLOCK_MONOTONIC);
	for (int i = 0; i < KERNELS; i++) {
		launch_kernel(loops, SPIN_CYCLES);
		if (has_copies)
			copy_memory(loops);
	}
	wait_for_stream(loops);
	return (double)(now_ns(CLOCK_MONOTONIC) - start_ns) / KERNELS;
}

static struct loops_times run_round(struct loops *loops)
{
	struct loops_times times = {0};

	for (int path = loops->has_runtime ? LOOPS_RUNTIME : LOOPS_DRIVER; path < LOOPS_PATHS;
	     path++)
		for (int i = 0; i < LOOPS_CLASSES; i++)
			times.calls_ns[path][i] = time_calls(loops, calls[path][i]);
	if (!loops->memory) {
		times.kernel_ns = time_kernels(loops, false);
		times.pair_ns = time_kernels(loops, true);
	}
	return times;
}

int loops_run(bool is_cold)
{
	struct loops loops = {.memory = is_cold ? memory_array(MEMORY_BYTES, 1) : NULL};
	struct loops_hello hello = {0};
	char byte;

	if (!open_loops(&loops, &hello) ||
	    write(STDOUT_FILENO, &hello, sizeof(hello)) != sizeof(hello))
		return 1;
	while (read(STDIN_FILENO, &byte, 1) == 1) {
		struct loops_times times = run_round(&loops);

		if (write(STDOUT_FILENO, &times, sizeof(times)) != sizeof(times))
			return 1;
	}
	return 0;
}
