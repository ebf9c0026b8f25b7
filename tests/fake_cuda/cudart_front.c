/* Another cudart, which hands each wrapped call on to libcudart.so.13 as to the driver. */
#include <stdatomic.h>

#include "front.h"

static atomic_int calls;

#ifdef FAKE_FRONT_COUNTS
/* Calls that this library has handed on. */
int fake_front_calls(void);

int fake_front_calls(void)
{
	return atomic_load(&calls);
}
#endif

#define FRONT(name, params, args)                                                                  \
	cudaError_t name params;                                                                   \
	cudaError_t name params                                                                    \
	{                                                                                          \
		atomic_fetch_add(&calls, 1);                                                       \
		return FRONT_FIND(name) args;                                                      \
	}
#define FRONT_PLAIN(name, params, args) FRONT(name, params, args)
#define FRONT_PTSZ(name, params, args)                                                             \
	FRONT(name, params, args)                                                                  \
	FRONT(name##_ptsz, params, args)
#define FRONT_PTDS(name, params, args)                                                             \
	FRONT(name, params, args)                                                                  \
	FRONT(name##_ptds, params, args)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define CALL(name, variant, class, params, args, keep) FRONT_##variant(name, params, args)
#include "../../preload/api/calls.def"
#undef CALL
