/*
 * Host functions: one thread runs them, in the order in which they were enqueued, each not before
 * what stood before it in its stream. What was enqueued behind one does not wait for it; a host
 * that waits for the stream does.
 */
#include <pthread.h>
#include <stdlib.h>

#include "device.h"

struct waiting {
	struct waiting *next;
	struct CUstream_st *stream;
	uint64_t ready_ns;
	struct host_function function;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t started = PTHREAD_ONCE_INIT;
static struct waiting *first; /* stays first while it runs */

static void run(const struct waiting *waiting)
{
	const struct host_function *function = &waiting->function;

	device_sleep_until(waiting->ready_ns);
	fake_cuda_forbid_calls(true);
	if (function->callback)
		function->callback(waiting->stream, cudaSuccess, function->data);
	else
		function->function(function->data);
	fake_cuda_forbid_calls(false);
}

static void *run_all(void *unused)
{
	struct waiting *waiting;

	for (;;) {
		pthread_mutex_lock(&lock);
		while (!first)
			pthread_cond_wait(&changed, &lock);
		waiting = first;
		pthread_mutex_unlock(&lock);
		run(waiting);
		pthread_mutex_lock(&lock);
		first = waiting->next;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
		free(waiting);
	}
	return NULL;
}

static void start(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run_all, NULL) || pthread_detach(thread))
		fake_cuda_abort("no thread for host functions");
}

void host_function_enqueue(struct CUstream_st *stream, const struct host_function *function)
{
	struct waiting *waiting = calloc(1, sizeof(*waiting)), **link = &first;

	if (!waiting)
		fake_cuda_abort("out of memory");
	pthread_once(&started, start);
	*waiting = (struct waiting){
		.stream = stream, .ready_ns = device_ready_ns(stream), .function = *function};
	pthread_mutex_lock(&lock);
	while (*link)
		link = &(*link)->next;
	*link = waiting;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static bool is_waiting(const struct CUstream_st *stream)
{
	for (const struct waiting *waiting = first; waiting; waiting = waiting->next)
		if (!stream || waiting->stream == stream)
			return true;
	return false;
}

void host_functions_wait(const struct CUstream_st *stream)
{
	pthread_mutex_lock(&lock);
	while (is_waiting(stream))
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}
