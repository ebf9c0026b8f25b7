/* Threads that come and go, and end the program together. */
#include "harm_app.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <ucontext.h>

enum { CROWD = 64, MANY_THREADS = 2000, CHURN = 2000, ROUNDS = 3, FORKS = 100 };

static pthread_barrier_t barrier;

/* CROWD threads, main's the last, make a call each and come to end() at once. */
static void *crowd_main(void *end)
{
	make_calls(1);
	pthread_barrier_wait(&barrier);
	(*(void (**)(void))end)();
	return NULL;
}

static void end_in_a_crowd(void (*end)(void))
{
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, CROWD);
	for (int i = 1; i < CROWD; i++)
		MUST(!pthread_create(&thread, NULL, crowd_main, &end));
	crowd_main(&end);
}

static void leave_directly(void)
{
	_exit(3);
}

static void leave_quickly(void)
{
	quick_exit(3);
}

static void leave_each_in_its_way(void)
{
	static _Atomic int next;

	switch (next++ % 3) {
	case 0:
		_exit(3);
	case 1:
		quick_exit(3);
	default:
		exit(3);
	}
}

static void crowd_direct(void)
{
	end_in_a_crowd(leave_directly);
}

static void crowd_quick(void)
{
	end_in_a_crowd(leave_quickly);
}

static void crowd_abort(void)
{
	end_in_a_crowd(abort);
}

static void crowd_mixed(void)
{
	end_in_a_crowd(leave_each_in_its_way);
}

static pthread_key_t key;

/* As a library's per-thread handle does: once more in each round of destructors. */
static void destroy(void *left)
{
	int *rounds = left;

	make_calls(1);
	if (--*rounds)
		pthread_setspecific(key, rounds);
}

static void *keyed_main(void *unused)
{
	static __thread int rounds = ROUNDS;

	pthread_setspecific(key, &rounds);
	make_calls(1);
	return NULL;
}

static void key_destructors(void)
{
	pthread_t threads[8];

	pthread_key_create(&key, destroy);
	for (int i = 0; i < 8; i++)
		MUST(!pthread_create(&threads[i], NULL, keyed_main, NULL));
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
}

int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *dso);
extern void *__dso_handle;

static void call_once(void *unused)
{
	make_calls(1);
}

static void *cxx_main(void *unused)
{
	__cxa_thread_atexit_impl(call_once, NULL, &__dso_handle);
	make_calls(1);
	return NULL;
}

/* What a C++ thread_local's destructor is. */
static void cxx_thread_locals(void)
{
	pthread_t threads[5];

	for (int i = 0; i < 5; i++)
		MUST(!pthread_create(&threads[i], NULL, cxx_main, NULL));
	for (int i = 0; i < 5; i++)
		pthread_join(threads[i], NULL);
}

static void call_at_exit(void)
{
	printf("at exit %d\n", (int)cudaStreamQuery(NULL));
}

/* Registered behind the tracer's: it runs before. */
static void late_atexit(void)
{
	make_calls(CALLS - 1);
	atexit(call_at_exit);
}

/* It runs behind the tracer's, and cannot be recorded. */
static void early_atexit(void)
{
	atexit(call_at_exit);
	make_calls(CALLS);
}

static void *cancelled_main(void *unused)
{
	make_calls(1);
	pthread_barrier_wait(&barrier);
	for (;;) {
		cudaStreamQuery(NULL);
		pthread_testcancel();
	}
	return NULL;
}

static void cancel_deferred(void)
{
	pthread_t threads[4];
	void *result;

	pthread_barrier_init(&barrier, NULL, 5);
	for (int i = 0; i < 4; i++)
		MUST(!pthread_create(&threads[i], NULL, cancelled_main, NULL));
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 4; i++) {
		pthread_cancel(threads[i]);
		pthread_join(threads[i], &result);
		printf("cancelled %d\n", result == PTHREAD_CANCELED);
	}
}

static void *pending_main(void *unused)
{
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	/* No CUDA call is a cancellation point, and this thread's first one is here. */
	make_calls(CALLS);
	pthread_testcancel();
	return NULL;
}

static void cancel_pending(void)
{
	pthread_t thread;
	void *result;

	pthread_barrier_init(&barrier, NULL, 2);
	MUST(!pthread_create(&thread, NULL, pending_main, NULL));
	pthread_barrier_wait(&barrier);
	pthread_cancel(thread);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, &result);
	printf("cancelled %d\n", result == PTHREAD_CANCELED);
}

static void many_threads(void)
{
	static pthread_t threads[MANY_THREADS];
	static const int one = 1;
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 65536);
	for (int i = 0; i < MANY_THREADS; i++)
		MUST(!pthread_create(&threads[i], &attributes, calls_main, (void *)&one));
	for (int i = 0; i < MANY_THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void *churn_main(void *forks)
{
	static const int count = 1000;
	pthread_t thread;

	for (int i = 0; i < CHURN / 4; i++) {
		MUST(!pthread_create(&thread, NULL, calls_main, (void *)&count));
		pthread_join(thread, NULL);
	}
	return NULL;
}

/* 2 M calls of CHURN threads, four at a time, beside forks: children with and without an exec. */
static void churn_and_forks(void)
{
	pthread_t threads[4];
	volatile int good = 0;
	int status;
	pid_t child;

	make_calls(1);
	for (int i = 0; i < 4; i++)
		MUST(!pthread_create(&threads[i], NULL, churn_main, NULL));
	for (int i = 0; i < FORKS; i++) {
		child = i % 2 ? fork() : vfork();
		if (!child && i % 4 < 2)
			_exit(7);
		if (!child) {
			execl("/bin/sh", "sh", "-c", "exit 7", (char *)NULL);
			_exit(1);
		}
		good += waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7;
	}
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	printf("good children %d\n", good);
}

static void *named_main(void *unused)
{
	char name[16];

	make_calls(CALLS);
	prctl(PR_GET_NAME, name);
	printf("name %s\n", name);
	return NULL;
}

static void thread_names(void)
{
	pthread_t thread;

	prctl(PR_SET_NAME, "streamtrace"); /* as the writer is called */
	MUST(!pthread_create(&thread, NULL, named_main, NULL));
	pthread_join(thread, NULL);
}

static ucontext_t outside, inside;

static void coroutine(void)
{
	for (int i = 0; i < CALLS; i++) {
		make_calls(1);
		swapcontext(&inside, &outside);
	}
}

/* The stack is mapped between pages that are not. */
static void coroutines(void)
{
	static char stack[65536] __attribute__((aligned(4096)));

	getcontext(&inside);
	inside.uc_stack.ss_sp = stack;
	inside.uc_stack.ss_size = sizeof(stack);
	inside.uc_link = &outside;
	makecontext(&inside, coroutine, 0);
	for (int i = 0; i < CALLS; i++)
		swapcontext(&outside, &inside);
}

static pthread_t worker;
static _Atomic int is_over;

static void *worker_main(void *unused)
{
	while (!is_over)
		cudaStreamQuery(NULL);
	return NULL;
}

static void join_worker(void)
{
	is_over = 1;
	pthread_join(worker, NULL);
	puts("joined");
}

/* As destructors of thread pools do. This one was registered before the tracer's. */
static void joins_at_exit(void)
{
	atexit(join_worker);
	make_calls(1);
	MUST(!pthread_create(&worker, NULL, worker_main, NULL));
	usleep(1000);
	exit(4);
}

static _Atomic int is_launched;

static void CUDART_CB leave_in_a_host_function(void *unused)
{
	while (!is_launched)
		usleep(1000);
	exit(5);
}

static void exit_in_a_host_function(void)
{
	make_calls(CALLS - 1);
	cudaLaunchHostFunc(NULL, leave_in_a_host_function, NULL);
	is_launched = 1;
	cudaDeviceSynchronize();
	for (;;)
		pause();
}

const struct scenario thread_scenarios[] = {
	{"crowd-direct", crowd_direct},
	{"crowd-quick", crowd_quick},
	{"crowd-abort", crowd_abort},
	{"crowd-mixed", crowd_mixed},
	{"key-destructors", key_destructors},
	{"cxx-thread-locals", cxx_thread_locals},
	{"late-atexit", late_atexit},
	{"early-atexit", early_atexit},
	{"cancel-deferred", cancel_deferred},
	{"cancel-pending", cancel_pending},
	{"many-threads", many_threads},
	{"churn-and-forks", churn_and_forks},
	{"thread-names", thread_names},
	{"coroutines", coroutines},
	{"joins-at-exit", joins_at_exit},
	{"exit-in-a-host-function", exit_in_a_host_function},
	{NULL, NULL},
};
