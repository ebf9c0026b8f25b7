/*
 * The wrappers: each row of calls.def as a function with cudart's name, for each version in
 * cudarts.h.
 *
 * A wrapper calls the real function and tells the recorder, nothing else. cudart's header declares
 * the functions, so a wrong row of the table does not compile.
 */
#include "api/cudarts.h"
#include "api/functions.h"
#include "api/keep.h"
#include "api/resolve.h"
#include "base/interpose.h"
#include "recorder/recorder.h"

#include <cuda_runtime_api.h>

/* No header for C declares the stub's function. */
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void **args,
			       size_t sharedMem, cudaStream_t stream);
/* cudart exports them, even if CUDA 13's headers lack them. */
#define PROTOTYPE_PLAIN(name, params)
#define PROTOTYPE_PTSZ(name, params)		       cudaError_t name##_ptsz params;
#define PROTOTYPE_PTDS(name, params)		       cudaError_t name##_ptds params;
#define CALL(name, variant, class, params, args, keep) PROTOTYPE_##variant(name, params)
#include "api/calls.def"
#undef CALL

/* A 3D copy from and to a pitched pointer or an array. p may be NULL: the real call has rejected
 * it. */
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

#define WRAPPER(id, node, major, symbol, function, is_per_thread, params, args, keep)              \
	CUDART_EXPORT(id, node, symbol)                                                            \
	__typeof__(symbol) CUDART_WRAPPER(id, symbol);                                             \
	EXPORT cudaError_t CUDART_WRAPPER(id, symbol) params                                       \
	{                                                                                          \
		void *found = atomic_load_explicit(                                                \
			&cudart_functions[CUDART_##id][SYMBOL_##symbol], memory_order_acquire);    \
		cudaError_t(*next) params = (cudaError_t(*) params)found;                          \
		struct record *record;                                                             \
		cudaError_t result;                                                                \
		struct recorder_call call;                                                         \
		int64_t start_ns;                                                                  \
                                                                                                   \
		if (__builtin_expect(!next, 0)) {                                                  \
			next = (cudaError_t(*) params)resolve_function(CUDART_##id,                \
								       SYMBOL_##symbol);           \
			if (!next)                                                                 \
				return cudaErrorInitializationError;                               \
		}                                                                                  \
		call.caller = CALLER_HERE();                                                       \
		start_ns = recorder_enter(&call);                                                  \
		if (!start_ns)                                                                     \
			return next args;                                                          \
		result = next args;                                                                \
		record = recorder_leave(function, (int)result, start_ns, &call);                   \
		if (record) {                                                                      \
			if (is_per_thread)                                                         \
				record->has |= RECORD_IS_PER_THREAD;                               \
			keep recorder_commit();                                                    \
		}                                                                                  \
		return result;                                                                     \
	}

#define WRAP_PLAIN(name, params, args, keep)                                                       \
	CUDARTS(WRAPPER, name, FUNCTION_##name, 0, params, args, keep)
#define WRAP_PTSZ(name, params, args, keep)                                                        \
	WRAP_PLAIN(name, params, args, keep)                                                       \
	CUDARTS(WRAPPER, name##_ptsz, FUNCTION_##name, 1, params, args, keep)
#define WRAP_PTDS(name, params, args, keep)                                                        \
	WRAP_PLAIN(name, params, args, keep)                                                       \
	CUDARTS(WRAPPER, name##_ptds, FUNCTION_##name, 1, params, args, keep)

/* Programs call deprecated functions, too. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define CALL(name, variant, class, params, args, keep) WRAP_##variant(name, params, args, keep)
#include "api/calls.def"
#undef CALL
