#include "life/scheduling.h"

#include <fenv.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_CPUS	 8192 /* the most that Linux can be built for on x86 */
#define MOST_NODES	 1024 /* the most NUMA nodes */
#define WORD_BITS	 (8 * sizeof(unsigned long))
#define IOPRIO_OF_THREAD 1 /* IOPRIO_WHO_PROCESS of linux/ioprio.h, which means a thread */
#define FLAG_RESET	 1 /* SCHED_FLAG_RESET_ON_FORK of linux/sched.h, which sched.h excludes */
#define DEADLINE	 6 /* SCHED_DEADLINE, which sched.h excludes too */

/* struct sched_attr of sched_getattr(2) in its first version; not every libc declares it. */
struct scheduling {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

/* Negative: unreadable. */
static struct {
	long cpus_bytes, io_priority, memory_policy, slack_ns;
	int nice;
	unsigned long cpus[MOST_CPUS / WORD_BITS];
	unsigned long nodes[MOST_NODES / WORD_BITS];
} at_start;

#if defined(__x86_64__)
/* A system call of our own: libc's function cannot be called before this library is relocated. */
__attribute__((no_sanitize("address", "thread", "undefined"))) static inline long
system_call(long number, long first, long second, void *third)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(first), "S"(second), "d"(third)
			 : "rcx", "r11", "memory");
	return result;
}

static void do_nothing(void)
{
}

/* libgomp pins the main thread in its constructor (OMP_PROC_BIND), which runs before a preloaded
 * library's. The loader calls this resolver earlier, when it relocates the library. */
__attribute__((used,
	       no_sanitize("address", "thread", "undefined"))) static void (*read_cpus(void))(void)
{
	at_start.cpus_bytes =
		system_call(SYS_sched_getaffinity, system_call(SYS_getpid, 0, 0, NULL),
			    sizeof(at_start.cpus), at_start.cpus);
	return do_nothing;
}

static void cpus_are_read(void) __attribute__((ifunc("read_cpus")));
#else
static void cpus_are_read(void)
{
	at_start.cpus_bytes =
		syscall(SYS_sched_getaffinity, getpid(), sizeof(at_start.cpus), at_start.cpus);
}
#endif

void scheduling_remember(void)
{
	int policy;

	cpus_are_read();
	at_start.nice = getpriority(PRIO_PROCESS, getpid());
	at_start.slack_ns = prctl(PR_GET_TIMERSLACK);
	at_start.io_priority = syscall(SYS_ioprio_get, IOPRIO_OF_THREAD, getpid());
	at_start.memory_policy =
		syscall(SYS_get_mempolicy, &policy, at_start.nodes, MOST_NODES, NULL, 0) ? -1
											 : policy;
}

static bool change_reset(bool is_set)
{
	struct scheduling now = {.size = sizeof(now)};

	if ((sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) != DEADLINE ||
	    syscall(SYS_sched_getattr, 0, &now, sizeof(now), 0) ||
	    !!(now.flags & FLAG_RESET) == is_set)
		return false;
	now.flags ^= FLAG_RESET;
	return !syscall(SYS_sched_setattr, 0, &now, 0);
}

bool scheduling_create_begin(void)
{
	return change_reset(true);
}

void scheduling_create_end(bool changed)
{
	if (changed)
		change_reset(false);
}

static void restore_cpus(void)
{
	unsigned long now[MOST_CPUS / WORD_BITS];
	long bytes = syscall(SYS_sched_getaffinity, 0, sizeof(now), now);

	/* Sets the mask only if it differs: Linux remembers that a mask was set. */
	if (at_start.cpus_bytes > 0 &&
	    (bytes != at_start.cpus_bytes || memcmp(now, at_start.cpus, (size_t)bytes) != 0))
		syscall(SYS_sched_setaffinity, 0, at_start.cpus_bytes, at_start.cpus);
}

void scheduling_restore(void)
{
	const struct sched_param none = {0};

	sched_setscheduler(0, SCHED_OTHER, &none);
	setpriority(PRIO_PROCESS, 0, at_start.nice);
	restore_cpus();
	if (at_start.slack_ns > 0)
		prctl(PR_SET_TIMERSLACK, at_start.slack_ns);
	if (at_start.io_priority >= 0)
		syscall(SYS_ioprio_set, IOPRIO_OF_THREAD, 0, at_start.io_priority);
	if (at_start.memory_policy >= 0)
		syscall(SYS_set_mempolicy, at_start.memory_policy, at_start.nodes, MOST_NODES);
	/* With the program's feenableexcept() our own arithmetic could raise signals, and would
	 * round in its mode. */
	fesetenv(FE_DFL_ENV);
}
