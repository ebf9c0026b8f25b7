/* Filters of system calls (seccomp), as sandboxes have them. */
#include "harm_app.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

enum { MOST_CALLS = 16 };

/* The calls that follow, up to a -1, get `action` on every thread, from now on. */
static void filter(uint32_t action, const int *calls)
{
	struct sock_filter program[2 * MOST_CALLS + 2] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog whole = {.len = 1, .filter = program};

	for (; *calls >= 0; calls++) {
		program[whole.len++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
								    (uint32_t)*calls, 0, 1);
		program[whole.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
	}
	program[whole.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	MUST(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &whole))
		cannot("seccomp");
}

/* Before the first call: the tracing begins under the filter. */
#define DENY(name, error, ...)                                                                     \
	static void name##_early(void)                                                             \
	{                                                                                          \
		filter(SECCOMP_RET_ERRNO | (error), (const int[]){__VA_ARGS__, -1});               \
		make_calls(CALLS);                                                                 \
	}                                                                                          \
	static void name##_late(void)                                                              \
	{                                                                                          \
		make_calls(CALLS / 2);                                                             \
		wait_for_trace();                                                                  \
		filter(SECCOMP_RET_ERRNO | (error), (const int[]){__VA_ARGS__, -1});               \
		make_calls(CALLS / 2);                                                             \
	}
#define ROWS(name, text)                                                                           \
	{text "-early", name##_early},                                                             \
	{                                                                                          \
		text "-late", name##_late                                                          \
	}

DENY(deny_open, EACCES, SYS_open, SYS_openat, SYS_openat2, SYS_creat)
DENY(deny_write, EIO, SYS_pwrite64, SYS_ftruncate, SYS_fallocate, SYS_pwritev)
DENY(deny_stat, EPERM, SYS_stat, SYS_fstat, SYS_lstat, SYS_newfstatat, SYS_statx)
DENY(deny_locks, ENOLCK, SYS_fcntl, SYS_flock)
DENY(deny_unlink, EPERM, SYS_unlink, SYS_unlinkat, SYS_rename, SYS_renameat2)
DENY(deny_sync, EIO, SYS_fsync, SYS_fdatasync, SYS_msync)
DENY(deny_threads, EAGAIN, SYS_clone, SYS_clone3, SYS_fork, SYS_vfork)
DENY(deny_maps, ENOMEM, SYS_mmap, SYS_mremap, SYS_mprotect)
DENY(deny_advice, EINVAL, SYS_madvise, SYS_mlock, SYS_munmap)

DENY(deny_signals, EPERM, SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_sigaltstack, SYS_tgkill)
DENY(deny_names, EPERM, SYS_prctl, SYS_arch_prctl)
DENY(deny_schedule, EPERM, SYS_sched_getaffinity, SYS_sched_setaffinity, SYS_sched_setscheduler,
     SYS_sched_yield, SYS_setpriority)
DENY(deny_clocks, EPERM, SYS_clock_gettime, SYS_nanosleep, SYS_clock_nanosleep, SYS_getrusage)
DENY(deny_identity, EPERM, SYS_gettid, SYS_getcpu, SYS_uname, SYS_getrandom, SYS_ioctl,
     SYS_prlimit64, SYS_getrlimit, SYS_sysinfo, SYS_readlink, SYS_getcwd, SYS_access)

/* glibc itself ends a program that it refuses: it must not need any. */
static void deny_futex_late(void)
{
	clock_t before;

	make_calls(CALLS / 2);
	wait_for_trace();
	filter(SECCOMP_RET_ERRNO | ENOSYS, (const int[]){SYS_futex, -1});
	make_calls(CALLS / 2);
	/* Nor may its threads try all the time. */
	before = clock();
	usleep(OPEN_US);
	printf("busy %d\n", (clock() - before) * 3 > OPEN_US);
}

/* What the tracer never calls, and what a sandbox ends a program for. */
static const int never[] = {
	SYS_socket, SYS_connect,	 SYS_ptrace, SYS_kill, SYS_execve,
	SYS_fork,   SYS_vfork,		 SYS_mount,  SYS_bpf,  SYS_setuid,
	SYS_setgid, SYS_perf_event_open, SYS_chmod,  SYS_link, SYS_process_vm_readv,
	-1,
};

static void kill_early(void)
{
	filter(SECCOMP_RET_KILL_PROCESS, never);
	make_calls(CALLS);
}

static void kill_late(void)
{
	make_calls(CALLS / 2);
	wait_for_trace();
	filter(SECCOMP_RET_KILL_PROCESS, never);
	make_calls(CALLS / 2);
}

/* Kernels and containers without one way to a table of descriptors, or without both. */
static void deny_close_range(void)
{
	filter(SECCOMP_RET_ERRNO | ENOSYS, (const int[]){SYS_close_range, -1});
	watch_descriptors();
}

static void deny_own_table(void)
{
	filter(SECCOMP_RET_ERRNO | EPERM, (const int[]){SYS_close_range, SYS_unshare, -1});
	watch_descriptors();
}

const struct scenario filter_scenarios[] = {
	ROWS(deny_open, "deny-open"),
	ROWS(deny_write, "deny-write"),
	ROWS(deny_stat, "deny-stat"),
	ROWS(deny_locks, "deny-locks"),
	ROWS(deny_unlink, "deny-unlink"),
	ROWS(deny_sync, "deny-sync"),
	ROWS(deny_threads, "deny-threads"),
	ROWS(deny_maps, "deny-maps"),
	ROWS(deny_advice, "deny-advice"),
	{"deny-futex-late", deny_futex_late},
	ROWS(deny_signals, "deny-signals"),
	ROWS(deny_names, "deny-names"),
	ROWS(deny_schedule, "deny-schedule"),
	ROWS(deny_clocks, "deny-clocks"),
	ROWS(deny_identity, "deny-identity"),
	{"deny-close-range", deny_close_range},
	{"deny-own-table", deny_own_table},
	{"kill-early", kill_early},
	{"kill-late", kill_late},
	{NULL, NULL},
};
