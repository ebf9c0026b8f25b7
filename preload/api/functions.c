#include "api/functions.h"

/* Classes by their names in calls.def. */
enum {
#define FUNCTION_CLASS(name, symbol, word, makes_operations, is_hot) class_##name = CLASS_##symbol,
#include "facts/function_classes.def"
#undef FUNCTION_CLASS
};

const struct function_info function_infos[FUNCTION_COUNT] = {
#define CALL(name, variant, class, params, args, keep)                                             \
	[FUNCTION_##name] = {#name, (enum function_class)class_##class},
#include "api/calls.def"
#undef CALL
#define DRIVER(name, cbid, variant, class, keep)                                                   \
	[FUNCTION_##cbid] = {#name, (enum function_class)class_##class},
#include "api/driver_calls.def"
#undef DRIVER
};

const char *function_class_word(enum function_class class)
{
	static const char *const words[CLASS_COUNT] = {
		[CLASS_OTHER] = "other",
#define FUNCTION_CLASS(name, symbol, word, makes_operations, is_hot) [CLASS_##symbol] = (word),
#include "facts/function_classes.def"
#undef FUNCTION_CLASS
	};

	return words[class];
}
