#include "trial/trial.h"

#include "base/driver.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct trial_page *trial_page;
_Atomic bool trial_is_applying;

/* This process's place among those that called CUDA, from 1. 0: it has called none yet. COUNTING: a thread is finding it. */
static _Atomic uint32_t number;
enum { COUNTING = INT_MAX };
/* How often another thread yields then, at most: what it waits for takes one addition. */
enum { COUNTING_YIELDS = 1000 };
static __thread bool is_inside __attribute__((tls_model("initial-exec")));
__thread bool trial_has_called, trial_is_calling;
static void (*resets[TRIAL_FORK_HANDLERS])(void);
static int reset_count;

/* Only a memfd that cannot shrink: memory behind the end of a file would kill the program. */
static struct trial_page *map_page(int file, uint64_t inode)
{
	const int seals = fcntl(file, F_GET_SEALS); /* -1: no memfd */
	struct stat status;
	struct trial_page *mapped;

	if (seals < 0 || !(seals & F_SEAL_SHRINK) || fstat(file, &status) ||
	    status.st_size != sizeof(*mapped) || status.st_ino != inode)
		return NULL;
	mapped = mmap(NULL, sizeof(*mapped), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (mapped == MAP_FAILED)
		return NULL;
	if (mapped->version == TRIAL_VERSION && mapped->site_count <= TRIAL_MOST_SITES &&
	    (!mapped->turn_calls || mapped->turn_site < mapped->site_count))
		return mapped;
	munmap(mapped, sizeof(*mapped));
	return NULL;
}

static void reset_in_child(void)
{
	atomic_store(&number, 0);
	is_inside = trial_is_calling = false;
	for (int i = 0; i < reset_count; i++)
		resets[i]();
}

void trial_after_fork(void (*reset)(void))
{
	resets[reset_count++] = reset;
}

/* A run's child may start a program when another run's page has this path. */
__attribute__((constructor)) static void open_page(void)
{
	const char *name = getenv("STREAMTRACE_TRY"), *colon = name ? strrchr(name, ':') : NULL;
	const size_t length = colon ? (size_t)(colon - name) : 0;
	char path[PATH_MAX];
	int file;

	if (!length || length >= sizeof(path))
		return;
	memcpy(path, name, length);
	path[length] = '\0';
	file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file < 0)
		return;
	if (!pthread_atfork(NULL, NULL, reset_in_child))
		trial_page = map_page(file, strtoull(colon + 1, NULL, 10));
	close(file);
	if (trial_page)
		atomic_store(&trial_is_applying, trial_page->applies);
}

bool trial_begin(void)
{
	if (!trial_page || is_inside)
		return false;
	is_inside = true;
	return true;
}

void trial_end(void)
{
	is_inside = false;
}

int64_t trial_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static __attribute__((noinline)) void count_process(void)
{
	uint32_t none = 0;

	/* No lock, which a child would inherit. */
	if (atomic_compare_exchange_strong(&number, &none, COUNTING))
		atomic_store(&number, atomic_fetch_add(&trial_page->processes, 1) + 1);
	for (int i = 0; i < COUNTING_YIELDS && atomic_load(&number) == COUNTING; i++)
		sched_yield();
}

void trial_note_entry(void)
{
	int64_t none = 0;

	trial_has_called = true;
	/* 0 or COUNTING: 0 less 1 is the largest number. */
	if (__builtin_expect(
		    atomic_load_explicit(&number, memory_order_relaxed) - 1 >= COUNTING - 1, 0))
		count_process();
	if (!atomic_load_explicit(&trial_page->first_ns, memory_order_relaxed))
		atomic_compare_exchange_strong(&trial_page->first_ns, &none, trial_now_ns());
}

bool trial_has_begun(void)
{
	return atomic_load_explicit(&trial_page->began_ns, memory_order_relaxed) != 0;
}

void trial_note_work(void)
{
	int64_t none = 0;

	if (!trial_has_begun() &&
	    atomic_compare_exchange_strong(&trial_page->began_ns, &none, trial_now_ns()))
		atomic_store(&trial_page->start_set_up_ns, atomic_load(&trial_page->set_up_ns));
}

void trial_note_return(void)
{
	const int64_t now_ns = trial_now_ns();
	int64_t last_ns = atomic_load_explicit(&trial_page->last_ns, memory_order_relaxed);

	while (last_ns < now_ns &&
	       !atomic_compare_exchange_weak(&trial_page->last_ns, &last_ns, now_ns))
		;
}

bool trial_is_first_process(void)
{
	return atomic_load_explicit(&number, memory_order_relaxed) == 1;
}

void trial_raise(_Atomic uint64_t *most, uint64_t value)
{
	uint64_t before = atomic_load(most);

	while (before < value && !atomic_compare_exchange_weak(most, &before, value))
		;
}

void *trial_real(enum cudart cudart, enum symbol symbol)
{
	void *found = atomic_load_explicit(&cudart_functions[cudart][symbol], memory_order_acquire);

	return found ? found : resolve_function(cudart, symbol);
}

static _Atomic bool has_driver;

bool trial_has_driver(void)
{
	return atomic_load_explicit(&has_driver, memory_order_acquire);
}

/* A program whose end throws away more work does not want it. */
enum { DEVICE_WAIT_S = 2 };

static char is_idle; /* its address: what a waiting thread returns then */

static void *wait_for_device(void *context)
{
	const struct driver *driver = driver_functions();

	return !DRIVER_CALL(driver, cuCtxSetCurrent)(context) &&
			       !DRIVER_CALL(driver, cuCtxSynchronize)()
		       ? &is_idle
		       : NULL;
}

/* On a thread without signals. */
static bool start_waiting(CUcontext context, pthread_t *thread)
{
	sigset_t all, before;
	bool is_started;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	is_started = !pthread_create(thread, NULL, wait_for_device, context);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return is_started;
}

#ifdef __SANITIZE_THREAD__ /* which knows of no other way to join in time */
#define JOIN_CLOCK		       CLOCK_REALTIME
#define JOIN_UNTIL(thread, out, until) pthread_timedjoin_np(thread, out, until)
#else
#define JOIN_CLOCK		       CLOCK_MONOTONIC
#define JOIN_UNTIL(thread, out, until) pthread_clockjoin_np(thread, out, JOIN_CLOCK, until)
#endif

bool trial_wait_for_device(void)
{
	const CUcontext context = trial_context();
	const struct driver *driver = driver_functions();
	struct timespec until;
	void *outcome = NULL;
	pthread_t thread;
	int cancel_state;

	if (!context || !DRIVER_CALL(driver, cuCtxSetCurrent) ||
	    !DRIVER_CALL(driver, cuCtxSynchronize) || !start_waiting(context, &thread))
		return false;
	clock_gettime(JOIN_CLOCK, &until);
	until.tv_sec += DEVICE_WAIT_S;
	/* A call of CUDA is no point of cancellation, and the caller may hold a lock. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	if (JOIN_UNTIL(thread, &outcome, &until))
		pthread_detach(thread);
	pthread_setcancelstate(cancel_state, NULL);
	return outcome == &is_idle;
}

/* Work that the program leaves to the device in the end is part of its time, also where a fix took away the last wait.
 * Runs before the handlers of CUDA, which were registered earlier. A forked child that made no CUDA call does nothing. */
static void wait_for_end(void)
{
	if (!atomic_load(&number) || !trial_begin())
		return;
	if (trial_wait_for_device())
		trial_note_return();
	trial_end();
}

void trial_note_driver(void)
{
	bool none = false;

	if (!trial_has_driver() && atomic_compare_exchange_strong(&has_driver, &none, true))
		atexit(wait_for_end);
}

CUcontext trial_context(void)
{
	const struct driver *driver;
	CUcontext context = NULL;

	if (!trial_has_driver())
		return NULL;
	driver = driver_functions();
	if (!DRIVER_CALL(driver, cuCtxGetCurrent) || DRIVER_CALL(driver, cuCtxGetCurrent)(&context))
		return NULL;
	return context;
}
