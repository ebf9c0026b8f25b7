/* The functions of nccl_calls.def, with NCCL's names. */
#include "base/hash.h"
#include "base/interpose.h"
#include "nccl/nccl.h"
#include "nccl/nccl_library.h"

static uint64_t hash_of_ints(const int *numbers, int count)
{
	uint64_t hash = (uint64_t)count;

	for (int i = 0; i < count; i++)
		hash = hash_word(hash ^ (uint64_t)(uint32_t)numbers[i]) ^ hash >> 31;
	return hash;
}

#define NCCL_CALL(name, parameters, arguments, before, after)                                      \
	int name parameters;                                                                       \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		struct nccl_call call = {.caller = CALLER_HERE()};                                 \
		int(*real) parameters = (int(*) parameters)nccl_library_function(                  \
			NCCL_FUNCTION_##name, call.caller.return_address);                         \
		int result;                                                                        \
                                                                                                   \
		if (!real)                                                                         \
			return NCCL_NO_FUNCTION;                                                   \
		if (!nccl_enter(&call))                                                            \
			return real arguments;                                                     \
		before;                                                                            \
		result = real arguments;                                                           \
		if (nccl_returned(&call, result)) {                                                \
			after;                                                                     \
		}                                                                                  \
		nccl_leave();                                                                      \
		return result;                                                                     \
	}
#include "nccl/nccl_calls.def"
