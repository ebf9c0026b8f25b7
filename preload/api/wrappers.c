/*
 * The wrappers: each row of calls.def as a function with cudart's name, for each version in
 * cudarts.h.
 *
 * A wrapper calls the real function and tells the recorder, nothing else. cudart's header declares
 * the functions, so a wrong row of the table does not compile.
 */
#include "api/keep.h"
#include "api/resolve.h"
#include "api/wrapping.h"
#include "recorder/recorder.h"

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
		start_ns = recorder_enter(&call, function);                                        \
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

/* Programs call deprecated functions, too. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define CALL(name, variant, class, params, args, keep) WRAP_##variant(name, params, args, keep)
#include "api/calls.def"
#undef CALL
