/*
 * A program of this folder counts what it made, for api_paths.sh to compare with its trace.
 *
 * DO(KIND, call) makes a call, ends the program (one line on stderr, status 1) unless it succeeded,
 * and counts it. Calls of a kind count when they are made, captured ones too; operations of the
 * device when they are enqueued, those of a graph once a launch. One thread.
 */
#ifndef STREAMTRACE_TESTS_GPU_MADE_H
#define STREAMTRACE_TESTS_GPU_MADE_H

#include <stdio.h>
#include <stdlib.h>

/* The first group is columns of the table, the second operations: row.py has the same names. */
#define MADE_KINDS(X)                                                                              \
	X(LAUNCH, "launch")                                                                        \
	X(COPY, "copy")                                                                            \
	X(SET, "set")                                                                              \
	X(EVENT, "event")                                                                          \
	X(QUERY, "query")                                                                          \
	X(WAIT, "wait")                                                                            \
	X(ALLOC, "alloc")                                                                          \
	X(FREE, "free")                                                                            \
	X(HOST_FUNCTION, "host-function")                                                          \
	X(HOST_RUN, "host-run")                                                                    \
	X(GRAPH_NODE, "graph-node")                                                                \
	X(MANAGED, "managed")                                                                      \
	X(POOL, "pool")                                                                            \
	X(DEVICE_KERNEL, "device-kernel")                                                          \
	X(DEVICE_COPY, "device-copy")                                                              \
	X(DEVICE_SET, "device-set")

enum made_kind {
#define MADE_ENUM(kind, name) MADE_##kind,
	MADE_KINDS(MADE_ENUM)
#undef MADE_ENUM
		MADE_KIND_COUNT
};

static int made[MADE_KIND_COUNT];

static inline void made_check(int error, const char *call, int line)
{
	if (!error)
		return;
	fprintf(stderr, "%s, line %d: error %d\n", call, line, error);
	exit(1);
}

#define CHECK(call)    made_check((int)(call), #call, __LINE__)
#define DO(kind, call) (CHECK(call), made[MADE_##kind]++)
/* A call that enqueues an operation. */
#define ENQUEUE(kind, call) (DO(kind, call), made[MADE_DEVICE_##kind]++)

static inline void made_print(void)
{
	static const char *const names[] = {
#define MADE_NAME(kind, name) name,
		MADE_KINDS(MADE_NAME)
#undef MADE_NAME
	};

	for (int i = 0; i < MADE_KIND_COUNT; i++)
		printf("made %s %d\n", names[i], made[i]);
}

#endif
