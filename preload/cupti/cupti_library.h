/* The functions of CUPTI that we use, from whichever libcupti is loaded. */
#ifndef STREAMTRACE_CUPTI_LIBRARY_H
#define STREAMTRACE_CUPTI_LIBRARY_H

#include <cupti.h>

#include <stdbool.h>
#include <stddef.h>

#define CUPTI_FUNCTIONS(X)                                                                         \
	X(cuptiSubscribe)                                                                          \
	X(cuptiUnsubscribe)                                                                        \
	X(cuptiEnableCallback)                                                                     \
	X(cuptiActivityRegisterCallbacks)                                                          \
	X(cuptiActivityEnable)                                                                     \
	X(cuptiActivityDisable)                                                                    \
	X(cuptiActivityConfigureUnifiedMemoryCounter)                                              \
	X(cuptiActivityFlushAll)                                                                   \
	X(cuptiActivityGetNextRecord)                                                              \
	X(cuptiActivityGetNumDroppedRecords)                                                       \
	X(cuptiSetThreadIdType)                                                                    \
	X(cuptiGetVersion)                                                                         \
	X(cuptiGetResultString)                                                                    \
	X(cuptiGetContextId)                                                                       \
	X(cuptiGetStreamIdEx)                                                                      \
	X(cuptiGetGraphId)                                                                         \
	X(cuptiGetGraphNodeId)

struct cupti_library {
#define X(name) __typeof__(&name) name;
	CUPTI_FUNCTIONS(X)
#undef X
};

extern struct cupti_library cupti;

/* Loads libcupti and fills in `cupti`. False: failed, with a one-line text in reason[size]. */
bool cupti_library_load(char *reason, size_t size);

#endif
