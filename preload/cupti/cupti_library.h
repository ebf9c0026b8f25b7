/* The functions of CUPTI that we use: of the libcupti that the program has loaded, otherwise of one
 * that we load. */
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

/* Finds libcupti, loads it if necessary, and fills in `cupti`. STREAMTRACE_CUPTI can name the file.
 * Call once, on a thread of the program. True: no member of `cupti` is NULL. False: there is no
 * libcupti, or it lacks a function; reason[size] has a line of text, and CUPTI must not be used. */
bool cupti_library_load(char *reason, size_t size);

#endif
