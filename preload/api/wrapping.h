/*
 * The rows of calls.def as functions with cudart's names, for each version in cudarts.h and each variant. One file of a library
 * includes this header, defines
 *
 *	WRAPPER(id, node, major, symbol, function, is_per_thread, params, args, keep)
 *
 * for a function of one version (id, node and major: cudarts.h), and then includes calls.def with CALL() as WRAP_##variant().
 */
#ifndef STREAMTRACE_WRAPPING_H
#define STREAMTRACE_WRAPPING_H

#include "api/cudarts.h"
#include "api/functions.h"
#include "base/interpose.h"

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

#define WRAP_PLAIN(name, params, args, keep)                                                       \
	CUDARTS(WRAPPER, name, FUNCTION_##name, 0, params, args, keep)
#define WRAP_PTSZ(name, params, args, keep)                                                        \
	WRAP_PLAIN(name, params, args, keep)                                                       \
	CUDARTS(WRAPPER, name##_ptsz, FUNCTION_##name, 1, params, args, keep)
#define WRAP_PTDS(name, params, args, keep)                                                        \
	WRAP_PLAIN(name, params, args, keep)                                                       \
	CUDARTS(WRAPPER, name##_ptds, FUNCTION_##name, 1, params, args, keep)

#endif
