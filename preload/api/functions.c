#include "api/functions.h"

/* By the names of calls.def, which have no hyphens. */
#define FUNCTION_CLASS(name, symbol, word, makes_operations, is_hot)                               \
	static const char class_##name[] = word;
#include "facts/function_classes.def"
#undef FUNCTION_CLASS

const struct function_info function_infos[FUNCTION_COUNT] = {
#define CALL(name, variant, class, params, args, keep) [FUNCTION_##name] = {#name, class_##class},
#include "api/calls.def"
#undef CALL
#define DRIVER(name, cbid, variant, class, keep) [FUNCTION_##cbid] = {#name, class_##class},
#include "api/driver_calls.def"
#undef DRIVER
};
