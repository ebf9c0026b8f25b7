/*
 * The wrappers of libstrace_try.so: each row of api/calls.def as a function with cudart's name, for each version in
 * cudarts.h. What they do before and after the real call is the same for all; the class or the number of the function
 * chooses.
 */
#include "api/wrapping.h"
#include "base/driver.h"
#include "base/hot.h"
#include "first_use/memory_kind.h"
#include "trial/dropped_wait.h"
#include "trial/guards.h"
#include "trial/held_free.h"
#include "trial/pinned_place.h"
#include "trial/pinned_ring.h"
#include "trial/prefetch.h"
#include "trial/results.h"
#include "trial/run_fixes.h"
#include "trial/stream_marks.h"
#include "trial/turns.h"

#include <errno.h>

static _Atomic uint64_t prepared; /* a bit for each device */

static void forget_devices(void)
{
	atomic_store(&prepared, 0);
}

__attribute__((constructor)) static void watch_forks(void)
{
	trial_after_fork(forget_devices);
}

static bool has_work_on_devices(void)
{
	return trial_may_apply() &&
	       (planned_has(TRIAL_PINNED_RING) || planned_has(TRIAL_POOL_THRESHOLD) ||
		planned_has(TRIAL_STACK_LIMIT) || planned_has(TRIAL_HELD_FREE) ||
		planned_has(TRIAL_DROPPED_WAIT) || planned_has(TRIAL_PREFETCH));
}

static COLD void prepare_device(CUdevice device)
{
	memory_queries_begin();
	run_fixes_make(device);
	if (planned_has(TRIAL_PINNED_RING))
		pinned_ring_begin();
	if (planned_has(TRIAL_DROPPED_WAIT))
		dropped_wait_begin();
	memory_queries_end();
}

/* False: no context is current. */
static bool find_device(CUdevice *device)
{
	return trial_has_driver() && DRIVER_CALL(driver_functions(), cuCtxGetDevice) &&
	       !DRIVER_CALL(driver_functions(), cuCtxGetDevice)(device);
}

/* Without a context the call would make it: it is made a moment earlier. */
static bool make_context(enum cudart cudart, CUdevice *device)
{
	if (!TRIAL_REAL(cudart, cudaFree))
		return false;
	TRIAL_REAL(cudart, cudaFree)(NULL);
	trial_note_driver();
	return find_device(device);
}

/* What comes before the first work on a device. */
static void prepare_call(enum cudart cudart)
{
	uint64_t bit;
	CUdevice device;

	if (!has_work_on_devices() || (!find_device(&device) && !make_context(cudart, &device)))
		return;
	bit = UINT64_C(1) << (device & 63);
	if (!(atomic_load_explicit(&prepared, memory_order_relaxed) & bit) &&
	    !(atomic_fetch_or(&prepared, bit) & bit))
		prepare_device(device);
}

static bool copy_in_ring(const struct trial_call *call)
{
	struct trial_site *site = planned_find(call, TRIAL_PINNED_RING);

	return site && trial_applies() && pinned_ring_copy(call, site);
}

static bool holds_blocks(void)
{
	return trial_may_apply() && planned_has(TRIAL_HELD_FREE);
}

static bool free_memory(const struct trial_call *call)
{
	struct trial_site *site =
		call->function == FUNCTION_cudaFree ? planned_find(call, TRIAL_HELD_FREE) : NULL;

	if (!holds_blocks())
		return false;
	if (site && trial_applies() && held_free_hold(call, site))
		return true;
	held_free_forget(call);
	return false;
}

static bool allocate_memory(const struct trial_call *call)
{
	return trial_applies() && call->function == FUNCTION_cudaMalloc && held_free_hand_out(call);
}

static bool drops_waits(void)
{
	return trial_may_apply() && planned_has(TRIAL_DROPPED_WAIT);
}

static bool registers_memory(void)
{
	return trial_applies() &&
	       (planned_has(TRIAL_PINNED_SOURCE) || planned_has(TRIAL_PINNED_RESULT));
}

static bool drop_wait(const struct trial_call *call)
{
	struct trial_site *site = planned_find(call, TRIAL_DROPPED_WAIT);

	if (!site || !trial_applies() || !dropped_wait_drop(call, site))
		return false;
	results_look();
	return true;
}

/* Also in the control, where launches are looked up as well. */
static bool has_prefetches(void)
{
	return planned_has(TRIAL_PREFETCH);
}

static void prefetch_for(const struct trial_call *call)
{
	struct trial_site *site = has_prefetches() ? planned_find(call, TRIAL_PREFETCH) : NULL;

	if (site && trial_applies())
		prefetch_before(call, site);
}

/* A call that puts work into a stream. True: it has been made. */
static bool enqueue_work(struct trial_call *call, enum function_class class)
{
	if (pinned_ring_is_pending())
		pinned_ring_order(call->stream);
	if (drops_waits())
		dropped_wait_order(call->stream);
	if (holds_blocks() && stream_marks_are_due(call->stream))
		stream_marks_before(call->stream);
	if (registers_memory() && class == CLASS_COPY)
		pinned_place_enter(call);
	if (!call->is_flat)
		return false;
	call->result_number = results_number(call);
	return copy_in_ring(call);
}

static void end_stream(CUstream stream)
{
	if (holds_blocks())
		stream_marks_ends(stream);
	if (drops_waits())
		dropped_wait_stream_ends(stream);
}

/* A program may end by the driver what the runtime has made. Calls by a pointer that the driver gave are not seen. */
EXPORT CUresult cuStreamDestroy_v2(CUstream stream)
{
	const struct driver *driver = driver_functions();

	if (!DRIVER_CALL(driver, cuStreamDestroy_v2))
		return CUDA_ERROR_NOT_INITIALIZED;
	if (trial_begin()) {
		memory_queries_begin();
		end_stream(stream);
		memory_queries_end();
		trial_end();
	}
	return DRIVER_CALL(driver, cuStreamDestroy_v2)(stream);
}

/* A call that allocates or frees in the order of a stream. */
static void order_memory(const struct trial_call *call)
{
	if (drops_waits() && (call->function == FUNCTION_cudaMallocAsync ||
			      call->function == FUNCTION_cudaMallocFromPoolAsync ||
			      call->function == FUNCTION_cudaFreeAsync))
		dropped_wait_order(call->stream);
}

static void make_up_wait(void)
{
	if (dropped_wait_is_pending())
		dropped_wait_make_up();
}

static void begin_reset(struct trial_call *call)
{
	call->context = trial_context();
	results_look();
	results_forget(NULL);
}

/* Host functions run on a thread of the driver's, which must not be asked there; what graphs copy is not known. */
static void see_to_memory(enum function_class class)
{
	if (registers_memory() && class == CLASS_HOST_FUNCTION)
		pinned_place_stop(TRIAL_REFUSED_VISIBLE);
	else
		guards_wait(0, UINTPTR_MAX, 0);
}

static bool is_enqueuing(enum function_class class)
{
	return class == CLASS_LAUNCH || class == CLASS_GRAPH_LAUNCH || class == CLASS_COPY ||
	       class == CLASS_SET;
}

static bool is_of_work(enum function_class class)
{
	return is_enqueuing(class) || class == CLASS_HOST_FUNCTION || class == CLASS_ALLOC;
}

/* True: the call has been made. */
static bool make_call(struct trial_call *call, enum function_class class)
{
	switch (class) {
	case CLASS_GRAPH_LAUNCH:
	case CLASS_HOST_FUNCTION:
		see_to_memory(class);
		return enqueue_work(call, class);
	case CLASS_LAUNCH:
		prefetch_for(call);
		return enqueue_work(call, class);
	case CLASS_COPY:
	case CLASS_SET:
		return enqueue_work(call, class);
	case CLASS_ALLOC:
		order_memory(call);
		return allocate_memory(call);
	case CLASS_FREE:
		order_memory(call);
		if (has_prefetches())
			prefetch_forget(call->dst);
		if (free_memory(call))
			return true;
		/* cudaFree() does not wait for work that uses a block of cudaMallocAsync(). */
		if (call->function != FUNCTION_cudaFreeAsync)
			make_up_wait();
		return false;
	case CLASS_REGISTER:
		pinned_place_give_up(call->dst, call->bytes);
		make_up_wait();
		return false;
	case CLASS_HOST_FREE:
	case CLASS_UNREGISTER:
		make_up_wait();
		results_look();
		if (call->dst)
			results_forget(call->dst);
		return false;
	case CLASS_STREAM_DESTROY:
		end_stream(call->stream);
		return false;
	case CLASS_DEVICE_SYNC:
		if (call->function != FUNCTION_cudaDeviceReset)
			return drop_wait(call);
		make_up_wait();
		begin_reset(call);
		return false;
	case CLASS_STREAM_SYNC:
		return drop_wait(call);
	case CLASS_GRAPH_CAPTURE:
		turns_stop(call->cudart);
		if (drops_waits())
			dropped_wait_stop(TRIAL_REFUSED_CAPTURED);
		make_up_wait();
		return false;
	case CLASS_STREAM_CREATE:
	case CLASS_EVENT_SYNC:
		return false;
	default: /* shows that work is done, or may end what it uses */
		make_up_wait();
		return false;
	}
}

/* Whether what is done around the call may ask the driver: calls in loops mostly do not. */
static bool asks_driver(const struct trial_call *call, enum function_class class)
{
	const bool drops = drops_waits() && trial_has_driver();

	switch (class) {
	case CLASS_GRAPH_LAUNCH:
	case CLASS_HOST_FUNCTION:
		if (registers_memory())
			return trial_has_driver();
		/* fall through */
	case CLASS_LAUNCH:
	case CLASS_SET:
		if (has_prefetches())
			return trial_has_driver();
		return drops || pinned_ring_is_pending() ||
		       (holds_blocks() && stream_marks_are_due(call->stream));
	case CLASS_STREAM_SYNC:
	case CLASS_STREAM_QUERY:
	case CLASS_EVENT_SYNC:
	case CLASS_EVENT_QUERY:
	case CLASS_EVENT_ELAPSED:
		return drops || results_are_kept();
	case CLASS_STREAM_WAIT_EVENT:
	case CLASS_EVENT_CREATE:
	case CLASS_EVENT_DESTROY:
	case CLASS_EVENT_RECORD:
		return false;
	default:
		return trial_has_driver();
	}
}

/* The first half of a wrapper. True: the call has been made, and the real one must not be. */
static bool begin_call(struct trial_call *call, bool is_per_thread)
{
	const enum function_class class = function_infos[call->function].class;
	const int saved_errno = errno;
	bool is_made = false;

	if (!call->stream)
		call->stream = is_per_thread ? CU_STREAM_PER_THREAD : CU_STREAM_LEGACY;
	call->result_number = -1;
	trial_note_entry();
	if (is_enqueuing(class) && !trial_has_begun() && trial_context())
		trial_note_work();
	if (is_of_work(class))
		prepare_call(call->cudart);
	if (asks_driver(call, class)) {
		memory_queries_begin();
		turns_see(call);
		is_made = make_call(call, class);
		memory_queries_end();
	}
	errno = saved_errno;
	call->was_calling = trial_is_calling;
	trial_is_calling = !is_made;
	trial_end();
	return is_made;
}

static void end_reset(const struct trial_call *call)
{
	if (!call->context)
		return;
	atomic_store(&prepared, 0);
	pinned_ring_forget(call->context);
	pinned_place_forget(call->context);
	stream_marks_forget(call->context);
	held_free_forget_all(call->context);
	dropped_wait_forget(call->context);
	prefetch_forget_all();
}

/* Of a call that has succeeded. */
static void note_success(const struct trial_call *call, enum function_class class)
{
	switch (class) {
	case CLASS_COPY:
		pinned_place_leave(call);
		results_copied(call, call->result_number);
		results_look();
		break;
	case CLASS_DEVICE_SYNC:
	case CLASS_STREAM_SYNC:
	case CLASS_STREAM_QUERY:
	case CLASS_EVENT_SYNC:
	case CLASS_EVENT_QUERY:
	case CLASS_EVENT_ELAPSED:
		results_look();
		break;
	case CLASS_FREE:
		results_look();
		break;
	case CLASS_ALLOC:
		if (holds_blocks() && call->function == FUNCTION_cudaMalloc)
			held_free_note(call);
		if (call->function == FUNCTION_cudaMallocManaged) {
			dropped_wait_stop(TRIAL_REFUSED_MANAGED);
			if (has_prefetches())
				prefetch_note_memory(call);
		}
		break;
	case CLASS_STREAM_CREATE:
		if (holds_blocks())
			stream_marks_made(*(CUstream *)call->made);
		if (drops_waits())
			dropped_wait_stream_made(*(CUstream *)call->made);
		break;
	default:
		break;
	}
	if (drops_waits())
		dropped_wait_note_visible(call);
	if (call->function == FUNCTION_cudaDeviceReset)
		end_reset(call);
}

/* The second half, after the real call. True: make it again. */
static bool end_call(struct trial_call *call, bool is_made)
{
	const enum function_class class = function_infos[call->function].class;
	const int saved_errno = errno;
	bool is_again = false;

	trial_is_calling = call->was_calling;
	if (!trial_begin())
		return false;
	trial_note_driver();
	if (asks_driver(call, class)) {
		memory_queries_begin();
		if (call->result == cudaErrorMemoryAllocation && class == CLASS_ALLOC)
			is_again = held_free_make_room(call);
		else if (call->result == cudaSuccess && !is_made)
			note_success(call, class);
		memory_queries_end();
	}
	if (has_prefetches())
		prefetch_note_return(call);
	if (is_enqueuing(class)) {
		trial_note_work();
		if (holds_blocks())
			stream_marks_note(call->stream);
	}
	trial_note_return();
	errno = saved_errno;
	trial_end();
	return is_again;
}

/* What `keep` of calls.def takes from the arguments, before the call. */
#define KEEP(bit, field, value)
#define KEEP_STREAM(handle) call.stream = (handle);
#define KEEP_OBJECT(handle)
#define KEEP_KERNEL(handle, args)                                                                  \
	call.kernel = (const void *)(handle);                                                      \
	call.arguments = (args);
#define KEEP_SOURCE(graph)
#define KEEP_DST(address, n)                                                                       \
	call.dst = (void *)(address);                                                              \
	call.bytes = (n);
#define KEEP_FREED(address) call.dst = (void *)(address);
#define KEEP_COPY(to, from, n, direction)                                                          \
	call.dst = (void *)(to);                                                                   \
	call.src = (from);                                                                         \
	call.bytes = (n);                                                                          \
	call.kind = (direction);
#define KEEP_COPY_3D(p)
#define KEEP_COPY_3D_PEER(p)
#define KEEP_CONTENT(returns_late)                                                                 \
	call.is_flat = true;                                                                       \
	call.waits = (returns_late);
#define KEEP_WAITED(is_device)
#define KEEP_TOLD
#define KEEP_CREATED(pointer) call.made = (void **)(pointer);
/* Sizes of other allocations are results. */
#define KEEP_ALLOCATED(pointer, n)                                                                 \
	if (call.function == FUNCTION_cudaMalloc || call.function == FUNCTION_cudaMallocManaged) { \
		call.made = (void **)(pointer);                                                    \
		call.bytes = (n);                                                                  \
	}

#define WRAPPER(id, node, major, symbol, number, is_per_thread, params, args, keep)                \
	CUDART_EXPORT(id, node, symbol)                                                            \
	__typeof__(symbol) CUDART_WRAPPER(id, symbol);                                             \
	EXPORT cudaError_t CUDART_WRAPPER(id, symbol) params                                       \
	{                                                                                          \
		cudaError_t(*next) params =                                                        \
			(cudaError_t(*) params)trial_real(CUDART_##id, SYMBOL_##symbol);           \
		struct trial_call call = {.caller = (uintptr_t)__builtin_return_address(0),        \
					  .cudart = CUDART_##id,                                   \
					  .function = (number)};                                   \
		bool is_made;                                                                      \
                                                                                                   \
		if (!next)                                                                         \
			return cudaErrorInitializationError;                                       \
		if (!trial_begin())                                                                \
			return next args;                                                          \
		keep is_made = begin_call(&call, is_per_thread);                                   \
		if (!is_made)                                                                      \
			call.result = next args;                                                   \
		while (__builtin_expect(end_call(&call, is_made), 0))                              \
			call.result = next args;                                                   \
		return call.result;                                                                \
	}

/* Programs call deprecated functions, too. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define CALL(name, variant, class, params, args, keep) WRAP_##variant(name, params, args, keep)
#include "api/calls.def"
#undef CALL
