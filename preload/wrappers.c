/*
 * The wrappers: calls.def, written out as functions with the names of cudart's.
 *
 * A wrapper calls the real function and tells the recorder, nothing else. cudart's header gives the
 * prototypes, so a wrong row of the table does not compile.
 */
#include "clock.h"
#include "functions.h"
#include "host_functions.h"
#include "keep.h"
#include "recorder.h"
#include "resolve.h"

#include <cuda_runtime_api.h>

#include <stdatomic.h>

#define EXPORT __attribute__((visibility("default")))

/* The stub's symbols are not in a header that C can read. */
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void **args,
			       size_t sharedMem, cudaStream_t stream);
/* Gone from CUDA 13's headers or not, cudart exports them. */
#define PROTOTYPE_PLAIN(name, params)
#define PROTOTYPE_PTSZ(name, params)		       cudaError_t name##_ptsz params;
#define PROTOTYPE_PTDS(name, params)		       cudaError_t name##_ptds params;
#define CALL(name, variant, class, params, args, keep) PROTOTYPE_##variant(name, params)
#include "calls.def"
#undef CALL

/* Rows, heights and depths of a 3D copy; a pitched pointer or an array at either end. The program
 * may pass NULL: the real call has said no to it by then. */
#define EXTENT_BYTES(e) ((e).width * (e).height * (e).depth)
#define KEEP_COPY_3D(p)                                                                            \
	if (p) {                                                                                   \
		KEEP_COPY((p)->dstPtr.ptr, (p)->srcPtr.ptr, EXTENT_BYTES((p)->extent), (p)->kind)  \
	}
#define KEEP_COPY_3D_PEER(p)                                                                       \
	if (p) {                                                                                   \
		KEEP_COPY((p)->dstPtr.ptr, (p)->srcPtr.ptr, EXTENT_BYTES((p)->extent),             \
			  cudaMemcpyDeviceToDevice)                                                \
	}

/* A function of the program's that the call hands to CUDA is replaced by one that times it. */
struct timed_function {
	struct host_function *function; /* NULL: the program's own goes through */
	const cudaError_t *result;
};

static struct timed_function timed_function_begin(const struct host_function *wanted,
						  enum host_function_use use, bool is_per_thread,
						  const cudaError_t *result)
{
	return (struct timed_function){host_function_wrap(wanted, use, is_per_thread), result};
}

static void timed_function_end(struct timed_function *timed)
{
	if (timed->function && *timed->result != cudaSuccess)
		host_function_take_back(timed->function);
}

/* No comma outside of parentheses in what a macro prepares: it is handed on as one argument. */
#define WANTED(fn, data, handle)                                                                   \
	(&(struct host_function){.function = (uint64_t)(fn),                                       \
				 .argument = (uint64_t)(data),                                     \
				 .stream = (uint64_t)(handle),                                     \
				 .call_start_ns = start_ns})
#define TIMED(fn, data, handle, use)                                                               \
	struct timed_function timed __attribute__((cleanup(timed_function_end))) =                 \
		timed_function_begin(WANTED(fn, data, handle), use, IS_PER_THREAD, &result);
#define PREPARE_FUNCTION(fn, data, handle, run)                                                    \
	TIMED(fn, data, handle, HOST_FUNCTION_ENQUEUED)                                            \
	if (timed.function) {                                                                      \
		fn = run;                                                                          \
		data = timed.function;                                                             \
	}

#define PREPARE_HOST_NODE(params)                                                                  \
	struct cudaHostNodeParams given = {0};                                                     \
	if (params)                                                                                \
		given = *params;                                                                   \
	TIMED(given.fn, given.userData, 0, HOST_FUNCTION_IN_GRAPH)                                 \
	if (timed.function) {                                                                      \
		given.fn = host_function_run;                                                      \
		given.userData = timed.function;                                                   \
		params = &given;                                                                   \
	}

/* The program asks for the parameters that it gave. */
struct restored_params {
	struct cudaHostNodeParams *params;
	const cudaError_t *result;
};

static void restored_params_end(struct restored_params *restored)
{
	struct cudaHostNodeParams *params = restored->params;
	const struct host_function *function;

	if (*restored->result != cudaSuccess || !params || params->fn != host_function_run)
		return;
	function = params->userData;
	params->fn = (cudaHostFn_t)function->function;
	params->userData = (void *)function->argument;
}

#define PREPARE_TO_RESTORE(node_params)                                                            \
	struct restored_params restored                                                            \
		__attribute__((cleanup(restored_params_end))) = {.params = (node_params)};         \
	restored.result = &result;

#define WRAPPER(symbol, function, is_per_thread, params, args, prepare, keep)                      \
	EXPORT cudaError_t symbol params                                                           \
	{                                                                                          \
		enum { IS_PER_THREAD = is_per_thread }; /* for prepare */                          \
		static cudaError_t(*_Atomic real) params;                                          \
		cudaError_t(*next) params = atomic_load_explicit(&real, memory_order_acquire);     \
		struct record *record;                                                             \
		cudaError_t result;                                                                \
		struct caller caller;                                                              \
		int64_t start_ns;                                                                  \
                                                                                                   \
		if (__builtin_expect(!next, 0)) {                                                  \
			next = (cudaError_t(*) params)resolve_function(#symbol);                   \
			if (!next)                                                                 \
				return cudaErrorInitializationError;                               \
			atomic_store_explicit(&real, next, memory_order_release);                  \
		}                                                                                  \
		if (!recorder_enter())                                                             \
			return next args;                                                          \
		caller.return_address = (uint64_t)__builtin_return_address(0);                     \
		caller.cfa = (uint64_t)__builtin_dwarf_cfa();                                      \
		start_ns = clock_now_ns();                                                         \
		prepare result = next args;                                                        \
		record = recorder_leave(function, (int)result, start_ns, &caller);                 \
		if (record) {                                                                      \
			if (is_per_thread)                                                         \
				record->has |= RECORD_IS_PER_THREAD;                               \
			keep recorder_commit();                                                    \
		}                                                                                  \
		return result;                                                                     \
	}

#define WRAP_PLAIN(name, params, args, prepare, keep)                                              \
	WRAPPER(name, FUNCTION_##name, 0, params, args, prepare, keep)
#define WRAP_PTSZ(name, params, args, prepare, keep)                                               \
	WRAP_PLAIN(name, params, args, prepare, keep)                                              \
	WRAPPER(name##_ptsz, FUNCTION_##name, 1, params, args, prepare, keep)
#define WRAP_PTDS(name, params, args, prepare, keep)                                               \
	WRAP_PLAIN(name, params, args, prepare, keep)                                              \
	WRAPPER(name##_ptds, FUNCTION_##name, 1, params, args, prepare, keep)

#define CALL(name, variant, class, params, args, keep) WRAP_##variant(name, params, args, , keep)
#define CALL_PREPARED(name, variant, class, params, args, prepare, keep)                           \
	WRAP_##variant(name, params, args, prepare, keep)
#include "calls.def"
#undef CALL
