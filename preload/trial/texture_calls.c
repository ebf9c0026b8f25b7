/*
 * Wrappers of the calls that end a texture or surface object, which kernels behind a dropped wait may use. They are in no trace.
 */
#include "api/cudarts.h"
#include "base/interpose.h"
#include "trial/dropped_wait.h"

#define DESTROYER(id, node, major, symbol, type)                                                   \
	CUDART_EXPORT(id, node, symbol)                                                            \
	__typeof__(symbol) CUDART_WRAPPER(id, symbol);                                             \
	EXPORT cudaError_t CUDART_WRAPPER(id, symbol)(type object)                                 \
	{                                                                                          \
		__typeof__(&(symbol)) next = TRIAL_REAL(CUDART_##id, symbol);                      \
                                                                                                   \
		if (!next)                                                                         \
			return cudaErrorInitializationError;                                       \
		dropped_wait_make_up_alone();                                                      \
		return next(object);                                                               \
	}

CUDARTS(DESTROYER, cudaDestroyTextureObject, cudaTextureObject_t)
CUDARTS(DESTROYER, cudaDestroySurfaceObject, cudaSurfaceObject_t)
