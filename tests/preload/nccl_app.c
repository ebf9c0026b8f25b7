/*
 * The traced program of nccl_test.c, and the plugin of the same calls. What it did it prints, as it is
 * untraced.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>

#include "fake_nccl.h"
#include "scenario.h"

static char buffer[64];

static ncclUniqueId unique_id(char first)
{
	ncclUniqueId id = {{0}};

	memset(id.internal, first, sizeof(id.internal));
	return id;
}

static ncclComm_t make(char first, int rank)
{
	ncclComm_t comm = NULL;

	printf("init %d\n", ncclCommInitRank(&comm, 4, unique_id(first), rank));
	return comm;
}

static void reduce(ncclComm_t comm, size_t count)
{
	errno = 0;
	printf("all-reduce %d", ncclAllReduce(buffer, buffer, count, ncclFloat32, 0, comm, NULL));
	printf(" errno %d\n", errno);
}

/* Every call once, in the order of their numbers, then those that fail. */
static void scenario_calls(void)
{
	ncclComm_t comm = make('a', 2);

	reduce(comm, 1000);
	printf("%d ", ncclBroadcast(buffer, buffer, 8, ncclFloat64, 3, comm, NULL));
	printf("%d ", ncclBcast(buffer, 8, ncclInt8, 1, comm, NULL));
	printf("%d ", ncclReduce(buffer, buffer, 8, ncclFloat16, 0, 0, comm, NULL));
	printf("%d ", ncclAllGather(buffer, buffer, 8, ncclFloat32, comm, NULL));
	printf("%d ", ncclReduceScatter(buffer, buffer, 8, ncclFloat32, 0, comm, NULL));
	printf("%d ", ncclAlltoAll(buffer, buffer, 8, ncclFloat32, comm, NULL));
	printf("%d ", ncclGather(buffer, buffer, 8, ncclFloat32, 2, comm, NULL));
	printf("%d ", ncclScatter(buffer, buffer, 8, ncclFloat32, 2, comm, NULL));
	printf("%d ", ncclSend(buffer, 8, ncclFloat32, 1, comm, NULL));
	printf("%d ", ncclRecv(buffer, 8, ncclFloat32, 1, comm, NULL));
	printf("%d ", ncclSend(buffer, 8, ncclFloat32, 3, comm, NULL));
	printf("%d\n", ncclSend(buffer, 8, ncclFloat32, 1, comm, NULL));
	printf("wrong %d\n", ncclAllReduce(buffer, buffer, 8, 99, 0, comm, NULL));
	reduce(comm, 2000);
	printf("destroy %d\n", ncclCommDestroy(comm));
	printf("wrong %d\n", ncclCommInitRank(&comm, 4, unique_id('a'), 4));
}

/* The second has the first one's handle. */
static void scenario_handles(void)
{
	ncclComm_t first = make('a', 0), second;

	reduce(first, 1);
	ncclCommDestroy(first);
	second = make('b', 1);
	printf("same %d\n", first == second);
	reduce(second, 1);
	reduce(second, 1);
	ncclCommAbort(second);
}

static void scenario_splits(void)
{
	ncclComm_t world = make('a', 1), half, none, other;

	printf("split %d\n", ncclCommSplit(world, 7, 0, &half, NULL));
	printf("no color %d\n", ncclCommSplit(world, NCCL_SPLIT_NOCOLOR, 0, &none, NULL));
	printf("split %d\n", ncclCommSplit(world, 7, 0, &other, NULL));
	reduce(half, 1);
	reduce(other, 1);
	reduce(world, 1);
}

static void scenario_groups(void)
{
	ncclComm_t comms[2] = {make('a', 0), make('b', 0)};

	ncclGroupStart();
	reduce(comms[0], 1);
	ncclGroupStart();
	reduce(comms[0], 2);
	reduce(comms[1], 3);
	ncclGroupEnd();
	printf("end %d\n", ncclGroupEnd());
	ncclGroupStart();
	ncclGroupEnd();
	reduce(comms[1], 4);
	ncclGroupStart();
	ncclSend(buffer, 8, ncclFloat32, 1, comms[1], NULL);
	ncclRecv(buffer, 8, ncclFloat32, 1, comms[1], NULL);
	ncclGroupEnd();
	printf("no group %d\n", ncclGroupEnd());
}

/* What is in it is not of the next one. */
static void scenario_failed_group(void)
{
	ncclComm_t comm = make('a', 0);

	ncclGroupStart();
	reduce(comm, 1);
	printf("wrong %d\n", ncclAllReduce(buffer, buffer, 8, 99, 0, comm, NULL));
	printf("end %d\n", ncclGroupEnd());
	ncclGroupStart();
	reduce(comm, 2);
	printf("end %d\n", ncclGroupEnd());
}

static sigjmp_buf before_call;

static void jump(int number)
{
	siglongjmp(before_call, 1);
}

/* A signal handler leaves a call, as a watchdog's may: here of a communicator that is none. */
static void scenario_jump(void)
{
	ncclComm_t comm = make('a', 0);

	signal(SIGSEGV, jump);
	for (volatile int i = 0; i < 3; i++) {
		ncclComm_t used = i ? comm : (ncclComm_t)sizeof(comm);

		if (!sigsetjmp(before_call, 1))
			ncclAllReduce(buffer, buffer, 8, ncclFloat32, 0, used, NULL);
	}
}

static void *reduce_often(void *first)
{
	ncclComm_t comm = make(*(char *)first, 0);

	for (int i = 0; i < 1000; i++)
		ncclAllReduce(buffer, buffer, 8, ncclFloat32, 0, comm, NULL);
	ncclCommDestroy(comm);
	return NULL;
}

/* CUDA is started before: the sanitizer of threads does not know the loader's lock. */
static void scenario_threads(void)
{
	static char names[] = "abcd";
	pthread_t threads[4];

	ncclCommDestroy(make('z', 0));
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, reduce_often, &names[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

/* Without launches between them, as fast as can be. */
static void scenario_many(void)
{
	ncclComm_t comm = make('a', 0);

	ncclGroupStart();
	for (int i = 0; i < 300000; i++)
		ncclAllReduce(buffer, buffer, 8, ncclFloat32, 0, comm, NULL);
	ncclGroupEnd();
	reduce(comm, 1);
	ncclCommDestroy(comm);
}

/* Of more than are counted. */
static void scenario_peers(void)
{
	ncclComm_t comm = make('a', 0);

	ncclGroupStart();
	for (int i = 0; i < 70000; i++)
		ncclSend(buffer, 8, ncclFloat32, i, comm, NULL);
	ncclGroupEnd();
}

/* The child has the parent's handle for a communicator of its own. */
static void scenario_fork(void)
{
	ncclComm_t comm = make('a', 0);
	pid_t child;

	reduce(comm, 1);
	reduce(comm, 1);
	fflush(stdout);
	scenario_flush(); /* the parent's file comes first */
	child = fork();
	if (!child) {
		ncclCommDestroy(comm);
		comm = make('b', 0);
		reduce(comm, 1);
		exit(0);
	}
	waitpid(child, NULL, 0);
	reduce(comm, 1);
}

static void scenario_in_progress(void)
{
	ncclConfig_t config = {.blocking = 0};
	ncclUniqueId ids[2] = {unique_id('a'), unique_id('b')};
	ncclComm_t comm;

	printf("init %d\n", ncclCommInitRankConfig(&comm, 2, ids[0], 1, &config));
	reduce(comm, 1);
	reduce(comm, 1);
	reduce(comm, 1);
	printf("init %d\n", ncclCommInitRankScalable(&comm, 2, 1, 2, ids, &config));
	reduce(comm, 1);
}

static void scenario_all(void)
{
	ncclComm_t comms[2];
	const int devices[] = {0, 0};

	printf("init %d\n", ncclCommInitAll(comms, 2, devices));
	ncclGroupStart();
	reduce(comms[0], 1);
	reduce(comms[1], 1);
	ncclGroupEnd();
}

/* Numbers go on between windows. */
static void scenario_windows(void)
{
	ncclComm_t comm = make('a', 0);
	void (*stop)(void) = NULL, (*start)(void) = NULL;

	*(void **)&stop = dlsym(RTLD_DEFAULT, "streamtrace_stop");
	*(void **)&start = dlsym(RTLD_DEFAULT, "streamtrace_start");
	reduce(comm, 1);
	if (stop)
		stop();
	reduce(comm, 1);
	ncclCommDestroy(comm);
	comm = make('b', 0);
	reduce(comm, 1);
	if (start)
		start();
	reduce(comm, 1);
}

/* A handle of dlsym() is the library's own. */
static void scenario_by_name(void)
{
	void *library = dlopen("libnccl.so.2", RTLD_NOW);
	ncclResult_t (*init)(ncclComm_t *, int, ncclUniqueId, int) = NULL;
	ncclComm_t comm = NULL;

	if (library)
		*(void **)&init = dlsym(library, "ncclCommInitRank");
	printf("init %d\n", init ? (int)init(&comm, 4, unique_id('a'), 0) : -1);
	/* Nobody told of it. */
	reduce(comm, 1);
	reduce(comm, 1);
}

static const struct scenario scenarios[] = {
	{"calls", scenario_calls},
	{"handles", scenario_handles},
	{"splits", scenario_splits},
	{"groups", scenario_groups},
	{"failed-group", scenario_failed_group},
	{"jump", scenario_jump},
	{"threads", scenario_threads},
	{"fork", scenario_fork},
	{"in-progress", scenario_in_progress},
	{"all", scenario_all},
	{"many", scenario_many},
	{"peers", scenario_peers},
	{"windows", scenario_windows},
	{"by-name", scenario_by_name},
	{NULL, NULL},
};

int plugin_run(void);

int plugin_run(void)
{
	scenarios[0].run();
	return 0;
}

#ifndef NCCL_PLUGIN
int main(int argc, char **argv)
{
	scenario_find(scenarios, argc, argv)->run();
	return 0;
}
#endif
