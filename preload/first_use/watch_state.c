#include "first_use/watch_state.h"

#include "base/hot.h"
#include "first_use/table.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

READ_MOSTLY _Atomic bool first_use_on;

struct first_use_state uses;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Blocks signals before it locks, because the program's handlers may call CUDA. By system call,
 * because libstrace_touch.so interposes libc's function. Faults are never blocked. */
void first_use_lock(uint64_t *signals)
{
	const uint64_t faults = UINT64_C(1) << (SIGSEGV - 1) | UINT64_C(1) << (SIGBUS - 1) |
				UINT64_C(1) << (SIGFPE - 1) | UINT64_C(1) << (SIGILL - 1);
	const uint64_t all = ~faults;

	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, signals, sizeof(all));
	pthread_mutex_lock(&mutex);
}

void first_use_unlock(const uint64_t *signals)
{
	pthread_mutex_unlock(&mutex);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, signals, NULL, sizeof(*signals));
}

void first_use_give_up(const char *reason)
{
	const char *none = NULL;

	atomic_compare_exchange_strong(&uses.obstacle, &none, reason);
	atomic_store(&first_use_on, false);
	first_use_close(FIRST_USE_GIVEN_UP);
}

void first_use_state_after_fork(void)
{
	pthread_mutex_init(&mutex, NULL);
	memset(uses.events, 0, sizeof(uses.events));
}
