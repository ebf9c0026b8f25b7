/*
 * The traced program of first_use_test.c for what --first-use must not change: `untold_app SCENARIO`. It prints
 * the results of calls that meet the memory which is watched, and of those that change signals.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_cuda.h"
#include "scenario.h"

enum { BYTES = 1 << 20, AT = 8192 };

static char *memory;
static volatile int *volatile nowhere = (int *)8;
static sigjmp_buf out;
static volatile int seen;

/* From here on the memory is watched, until something touches it. */
static void watch(char content)
{
	static void *device;

	if (!device) {
		cudaMalloc(&device, BYTES);
		memory = malloc(BYTES);
	}
	cudaMemset(device, content, BYTES);
	cudaMemcpy(memory, device, BYTES, cudaMemcpyDeviceToHost);
}

#define SHOW(call)                                                                                 \
	do {                                                                                       \
		long result_;                                                                      \
                                                                                                   \
		watch('/');                                                                        \
		errno = 0;                                                                         \
		result_ = (long)(call);                                                            \
		printf("%s: %ld, errno %d\n", #call, result_, errno);                              \
	} while (0)

/* A name of one character in watched memory. */
static const char *root(void)
{
	static void *device;
	char *name = memory + AT;

	if (!device)
		cudaMalloc(&device, BYTES);
	cudaMemset(device, 0, BYTES);
	cudaMemset(device, '/', AT + 1);
	cudaMemcpy(memory, device, BYTES, cudaMemcpyDeviceToHost);
	return name;
}

static void scenario_memory(void)
{
	SHOW(mlock(memory, BYTES));
	SHOW(munlock(memory, BYTES));
	SHOW(mlock2(memory + AT, AT, 0));
	SHOW(madvise(memory + AT, AT, MADV_WILLNEED));
	SHOW(mprotect(memory, 0, PROT_READ));
}

static void scenario_files(void)
{
	const int folder = open("/", O_RDONLY | O_DIRECTORY);
	int pair[2], value = 1;
	socklen_t length = sizeof(value);
	char name[8];

	SHOW(getcwd(memory + AT, 4096) == memory + AT);
	SHOW(stat("/", (struct stat *)(memory + AT)));
	SHOW(lstat("/", (struct stat *)(memory + AT)));
	SHOW(fstat(folder, (struct stat *)(memory + AT)));
	SHOW(fstatat(folder, ".", (struct stat *)(memory + AT), 0));
	SHOW(statx(folder, ".", 0, STATX_SIZE, (struct statx *)(memory + AT)));
	SHOW(statfs("/", (struct statfs *)(memory + AT)));
	SHOW(readlink("/proc/self/exe", memory + AT, 4) == 4);
	SHOW(syscall(SYS_getdents64, folder, memory + AT, 4096) > 0);
	SHOW(access(root(), F_OK));
	SHOW(open(root(), O_RDONLY) >= 0);
	SHOW(stat(root(), (struct stat *)(memory + 2 * AT)));
	SHOW(poll((struct pollfd *)(memory + AT), 1, 0));
	SHOW(getrandom(memory + AT, 16, 0));
	SHOW(uname((struct utsname *)(memory + AT)));
	SHOW(socketpair(AF_UNIX, SOCK_STREAM, 0, (int *)(memory + AT)));
	SHOW(pipe((int *)(memory + AT)));
	socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
	SHOW(getsockopt(pair[0], SOL_SOCKET, SO_TYPE, memory + AT, &length));
	SHOW(ioctl(pair[0], FIONREAD, memory + AT));
	SHOW(send(pair[0], "abc", 3, 0));
	SHOW(recvfrom(pair[1], name, sizeof(name), 0, (struct sockaddr *)(memory + AT),
		      (socklen_t *)(memory + 2 * AT)));
	SHOW(syscall(SYS_getcwd, memory + AT, 4096) > 0);
	SHOW(syscall(SYS_write, pair[0], memory + AT, 5));
}

static void scenario_children(void)
{
	extern char **environ;
	char *arguments[] = {"true", NULL, NULL};
	pid_t child;

	watch('a');
	arguments[1] = memory + BYTES - 1;
	memory[BYTES - 1] = '\0';
	watch('\0');
	printf("spawn %d\n", posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ));
	watch('\0');
	printf("waitpid %d\n", waitpid(child, (int *)(memory + AT), 0) == child);
	watch('\0');
	child = fork();
	if (!child) {
		execv("/bin/true", arguments);
		_exit(1);
	}
	watch('\0');
	printf("wait %d\n", wait((int *)(memory + AT)) == child);
}

static void on_fault(int number)
{
	seen++;
	siglongjmp(out, 1);
}

static void fault(void)
{
	if (!sigsetjmp(out, 1))
		*nowhere = 1;
	printf("seen %d\n", seen);
}

/* As programs do before an exec: the parent's handler and mask stay. */
static void scenario_vfork(void)
{
	const struct sigaction own = {.sa_handler = on_fault};
	struct sigaction now;
	sigset_t faults, mask;
	int status;
	pid_t child;

	sigaction(SIGSEGV, &own, NULL);
	sigemptyset(&faults);
	sigaddset(&faults, SIGSEGV);
	pthread_sigmask(SIG_BLOCK, &faults, NULL);
	watch(1);
	child = vfork();
	if (!child) {
		for (int i = 1; i < 32; i++)
			signal(i, SIG_DFL);
		sigemptyset(&mask);
		sigprocmask(SIG_SETMASK, &mask, NULL);
		if (memory[AT] != 1)
			_exit(1);
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	waitpid(child, &status, 0);
	sigaction(SIGSEGV, NULL, &now);
	pthread_sigmask(SIG_UNBLOCK, &faults, &mask);
	printf("child %d, handler %d, blocked %d\n", status, now.sa_handler == on_fault,
	       sigismember(&mask, SIGSEGV));
	watch(2);
	printf("%d\n", memory[AT]);
	fault();
}

static void show_blocked(void)
{
	sigset_t mask;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	printf("blocked %d\n", sigismember(&mask, SIGSEGV));
	watch(3);
	printf("%d\n", memory[AT]);
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static void scenario_old_calls(void)
{
	struct sigaction now;

	watch(1);
	printf("no signal %d %d\n", sighold(0), sigrelse(0));
	printf("%d ", sighold(SIGSEGV));
	show_blocked();
	printf("%d ", sigrelse(SIGSEGV));
	show_blocked();
	printf("%d ", sigset(SIGSEGV, on_fault) == SIG_DFL);
	show_blocked();
	printf("%d ", sigset(SIGSEGV, SIG_HOLD) == on_fault);
	show_blocked();
	printf("%d ", sigset(SIGSEGV, on_fault) == SIG_HOLD);
	show_blocked();
	printf("%d\n", siginterrupt(SIGSEGV, 0));
	sigaction(SIGSEGV, NULL, &now);
	printf("flags %x\n", (unsigned int)now.sa_flags);
	printf("%d\n", siginterrupt(SIGSEGV, 1));
	signal(SIGSEGV, on_fault);
	sigaction(SIGSEGV, NULL, &now);
	printf("flags %x\n", (unsigned int)now.sa_flags);
	printf("%d\n", sigignore(SIGSEGV));
	sigaction(SIGSEGV, NULL, &now);
	printf("ignored %d\n", now.sa_handler == SIG_IGN);
	show_blocked();
	signal(SIGSEGV, on_fault);
	fault();
}

static void touch_it(int number)
{
	printf("%d\n", memory[AT]);
}

static void *wake(void *main_thread)
{
	while (!scenario_main_sleeps())
		usleep(1000);
	pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
	return NULL;
}

/* Another signal's handler runs with the mask of a call that waits. */
static void scenario_waits(void)
{
	pthread_t self = pthread_self(), thread;
	sigset_t mask;

	signal(SIGUSR1, touch_it);
	sigfillset(&mask);
	pthread_sigmask(SIG_BLOCK, &mask, NULL);
	sigdelset(&mask, SIGUSR1);
	for (int i = 0; i < 3; i++) {
		watch(4);
		pthread_create(&thread, NULL, wake, &self);
		if (i == 0)
			sigsuspend(&mask);
		else if (i == 1)
			ppoll(NULL, 0, NULL, &mask);
		else
			pselect(0, NULL, NULL, NULL, NULL, &mask);
		pthread_join(thread, NULL);
		show_blocked();
	}
}

/* A SIGSEGV that is sent waits while it is blocked, and can be fetched. */
static void scenario_fetched(void)
{
	const struct sigaction own = {.sa_handler = on_fault};
	sigset_t faults, pending;
	int number = 0;

	sigaction(SIGSEGV, &own, NULL);
	sigemptyset(&faults);
	sigaddset(&faults, SIGSEGV);
	pthread_sigmask(SIG_BLOCK, &faults, NULL);
	watch(5);
	raise(SIGSEGV);
	sigpending(&pending);
	printf("pending %d seen %d\n", sigismember(&pending, SIGSEGV), seen);
	printf("%d %d\n", sigwait(&faults, &number), number);
	kill(getpid(), SIGSEGV);
	printf("%d\n", sigwaitinfo(&faults, NULL));
	printf("%d seen %d\n", memory[AT], seen);
	if (!sigsetjmp(out, 1)) {
		raise(SIGSEGV);
		pthread_sigmask(SIG_UNBLOCK, &faults, NULL);
	}
	printf("seen %d\n", seen);
}

static const struct scenario scenarios[] = {
	{"memory", scenario_memory},	   {"files", scenario_files},
	{"children", scenario_children},   {"vfork", scenario_vfork},
	{"old-calls", scenario_old_calls}, {"waits", scenario_waits},
	{"fetched", scenario_fetched},	   {NULL, NULL},
};

int main(int argc, char **argv)
{
	scenario_find(scenarios, argc, argv)->run();
	return 0;
}
