#include "cupti/host_functions.h"

#include "base/clock.h"
#include "base/driver.h"
#include "base/losses.h"
#include "recorder/recorder.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

#define CHUNK_FUNCTIONS 1024
#define CHUNKS		1024 /* 40 MB at most, for a program that captures for ever */

static struct {
	struct host_function *_Atomic chunks[CHUNKS];
	_Atomic uint32_t used; /* handed out at least once */
	/* Index + 1 of the first free one; above it a count of changes, so that a thread that slept
	 * between reading and taking notices. */
	_Atomic uint64_t free;
} functions;

static struct host_function *function_at(uint32_t index)
{
	return &atomic_load(&functions.chunks[index / CHUNK_FUNCTIONS])[index % CHUNK_FUNCTIONS];
}

static struct host_function *take_free(void)
{
	uint64_t first = atomic_load(&functions.free), rest;
	struct host_function *function;

	do {
		if (!(uint32_t)first)
			return NULL;
		function = function_at((uint32_t)first - 1);
		rest = ((first >> 32) + 1) << 32 |
		       atomic_load_explicit(&function->next, memory_order_relaxed);
	} while (!atomic_compare_exchange_weak(&functions.free, &first, rest));
	return function;
}

static void give_back(struct host_function *function)
{
	uint64_t first = atomic_load(&functions.free), changed;

	do {
		atomic_store_explicit(&function->next, (uint32_t)first, memory_order_relaxed);
		changed = ((first >> 32) + 1) << 32 | (function->index + 1);
	} while (!atomic_compare_exchange_weak(&functions.free, &first, changed));
}

static bool map_chunk(struct host_function *_Atomic *chunk)
{
	const size_t bytes = CHUNK_FUNCTIONS * sizeof(struct host_function);
	struct host_function *expected = NULL, *mapped;
	int saved_errno = errno;

	mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mapped != MAP_FAILED && !atomic_compare_exchange_strong(chunk, &expected, mapped))
		munmap(mapped, bytes);
	errno = saved_errno;
	return mapped != MAP_FAILED;
}

static struct host_function *take_new(void)
{
	struct host_function *_Atomic *chunk;
	struct host_function *function;
	uint32_t index = atomic_load(&functions.used);

	do {
		if (index == CHUNKS * CHUNK_FUNCTIONS)
			return NULL;
		chunk = &functions.chunks[index / CHUNK_FUNCTIONS];
		if (!atomic_load(chunk) && !map_chunk(chunk))
			return NULL;
	} while (!atomic_compare_exchange_weak(&functions.used, &index, index + 1));
	function = function_at(index);
	function->index = index;
	return function;
}

/* True unless CUDA clearly denies: the legacy default stream, for one, gives an error while another
 * stream is captured. */
static bool may_be_captured(uint64_t stream, bool is_per_thread)
{
	const struct driver *driver = driver_functions();
	CUstream handle = !stream && is_per_thread ? CU_STREAM_PER_THREAD : (CUstream)stream;
	CUstreamCaptureStatus status;

	return !driver->cuStreamIsCapturing ||
	       DRIVER_CALL(driver, cuStreamIsCapturing)(handle, &status) ||
	       status != CU_STREAM_CAPTURE_STATUS_NONE;
}

struct host_function *host_function_wrap(const struct host_function *wanted,
					 enum host_function_use use, bool is_per_thread)
{
	struct host_function *function;

	if (!wanted->function)
		return NULL;
	function = take_free();
	if (!function)
		function = take_new();
	if (!function) {
		losses_count(LOSS_HOST_FUNCTION, 1);
		return NULL;
	}
	function->function = wanted->function;
	function->argument = wanted->argument;
	function->stream = wanted->stream;
	function->correlation = wanted->correlation;
	function->is_kept =
		use == HOST_FUNCTION_IN_GRAPH || may_be_captured(wanted->stream, is_per_thread);
	return function;
}

void host_function_take_back(struct host_function *function)
{
	give_back(function);
}

/* Returns a copy. A function that runs once gives its slot back first, because it may end the
 * thread or process. */
static struct host_function begin_function(struct host_function *function)
{
	struct host_function running = *function;

	if (!running.is_kept)
		give_back(function);
	return running;
}

static void end_function(const struct host_function *function, int64_t start_ns)
{
	recorder_host_function(&(struct host_function_run){
		.start_ns = start_ns,
		.function = function->function,
		.stream = function->stream,
		.correlation = function->correlation,
	});
}

void CUDA_CB host_function_run(void *function)
{
	const struct host_function running = begin_function(function);
	int64_t start_ns = clock_now_ns();

	((CUhostFn)running.function)((void *)running.argument);
	end_function(&running, start_ns);
}

void CUDA_CB host_function_run_callback(CUstream stream, CUresult status, void *function)
{
	const struct host_function running = begin_function(function);
	int64_t start_ns = clock_now_ns();

	((CUstreamCallback)running.function)(stream, status, (void *)running.argument);
	end_function(&running, start_ns);
}
