/* Signals: how often they come, on which stack, and what their handlers do. */
#include "harm_app.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

enum { TIMER_US = 1000, TIMED_CALLS = 200000, ERRNO = 4242, JUMPS = 1000 };

static volatile sig_atomic_t ticks;

static void count_tick(int number)
{
	ticks++;
}

static void set_handler(int number, void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigemptyset(&action.sa_mask);
	MUST(!sigaction(number, &action, NULL));
}

static void start_timer(int which)
{
	const struct itimerval every = {{0, TIMER_US}, {0, TIMER_US}};

	MUST(!setitimer(which, &every, NULL));
}

/* errno stays, and a read that a signal ends is the program's own. */
static void work_under_a_timer(void)
{
	int changed = 0;

	for (int i = 0; i < TIMED_CALLS; i++) {
		errno = ERRNO;
		cudaStreamQuery(NULL);
		changed += errno != ERRNO;
	}
	while (ticks < 100)
		make_calls(0);
	printf("errno changed %d times\n", changed);
}

static void alarms(void)
{
	set_handler(SIGALRM, count_tick, 0);
	start_timer(ITIMER_REAL);
	work_under_a_timer();
}

static void alarms_restart(void)
{
	set_handler(SIGALRM, count_tick, SA_RESTART);
	start_timer(ITIMER_REAL);
	work_under_a_timer();
}

/* As gprof and profilers of samples do. */
static void profiler(void)
{
	set_handler(SIGPROF, count_tick, SA_RESTART);
	start_timer(ITIMER_PROF);
	work_under_a_timer();
}

/* The timer goes on to the very end: the exit waits for the writer under it. */
static void exit_under_alarms(void)
{
	set_handler(SIGALRM, count_tick, 0);
	start_timer(ITIMER_REAL);
	make_calls(CALLS);
	exit(6);
}

static sigjmp_buf tick_jump;

static void jump_away(int number)
{
	siglongjmp(tick_jump, 1);
}

/* Out of a sleep, not out of a call. */
static void timer_jumps(void)
{
	volatile int jumps = 0;

	set_handler(SIGALRM, jump_away, 0);
	while (jumps < JUMPS / 10) {
		if (sigsetjmp(tick_jump, 1)) {
			jumps++;
			continue;
		}
		ualarm(TIMER_US, 0);
		pause();
	}
	make_calls(CALLS);
	printf("jumps %d\n", jumps);
}

static void all_blocked(void)
{
	static const int count = CALLS - 5;
	sigset_t all, now;
	pthread_t thread;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	make_calls(5);
	MUST(!pthread_create(&thread, NULL, calls_main, (void *)&count));
	pthread_join(thread, NULL);
	kill(getpid(), SIGTERM);
	kill(getpid(), SIGINT);
	sigpending(&now);
	printf("pending %d %d\n", sigismember(&now, SIGTERM), sigismember(&now, SIGINT));
}

static void all_ignored(void)
{
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_IGN);
	make_calls(CALLS);
	printf("wait %d", (int)wait(NULL));
	printf(" errno %d\n", errno);
}

/* A signal for the process comes to a thread of the program. */
static void signal_wait(void)
{
	sigset_t set;
	int number;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGRTMIN);
	sigaddset(&set, SIGRTMAX);
	sigprocmask(SIG_BLOCK, &set, NULL);
	make_calls(CALLS);
	scenario_flush();
	for (int i = 0; i < 3; i++) {
		kill(getpid(), i == 0 ? SIGUSR1 : i == 1 ? SIGRTMIN : SIGRTMAX);
		sigwait(&set, &number);
		printf("signal %d\n", number);
	}
}

static void on_crash(int number)
{
	static const char text[] = "crash handler\n";

	if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
		_exit(1);
	signal(number, SIG_DFL);
	raise(number);
}

static void fault(void)
{
	/* Where the program expects no page. */
	volatile int *nothing = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*nothing = 1;
}

static void crash(void)
{
	make_calls(CALLS);
	scenario_flush();
	fault();
}

static void crash_handled(void)
{
	set_handler(SIGSEGV, on_crash, SA_NODEFER);
	crash();
}

static void leave_at_once(int number)
{
	_exit(9);
}

/* The least stack that a handler may have. */
static void small_signal_stack(void)
{
	static char memory[2 * 4096] __attribute__((aligned(4096)));
	const stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};

	MUST(!sigaltstack(&stack, NULL));
	set_handler(SIGSEGV, leave_at_once, SA_ONSTACK);
	make_calls(CALLS);
	fault();
}

static int __attribute__((noinline)) recurse(int depth)
{
	volatile char frame[4096];

	frame[0] = (char)depth;
	return depth ? recurse(depth + 1) + frame[0] : 0;
}

/* Without a stack of its own the handler cannot run: the kernel ends the program. */
static void stack_overflow(void)
{
	static char memory[65536];
	const stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};
	const struct rlimit small = {1 << 20, 1 << 20};

	setrlimit(RLIMIT_STACK, &small);
	sigaltstack(&stack, NULL);
	set_handler(SIGSEGV, leave_at_once, SA_ONSTACK);
	make_calls(CALLS);
	printf("%d\n", recurse(1));
}

static void calls_in_handler(int number)
{
	const int saved_errno = errno;

	make_calls(1);
	errno = saved_errno;
}

/* On a stack that the walk of the call stack does not know. */
static void calls_on_signal_stack(void)
{
	static char memory[1 << 17];
	const stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};

	MUST(!sigaltstack(&stack, NULL));
	set_handler(SIGUSR1, calls_in_handler, SA_ONSTACK);
	for (int i = 0; i < CALLS; i++)
		raise(SIGUSR1);
}

static void terminated(void)
{
	make_calls(CALLS);
	scenario_flush();
	kill(getpid(), SIGTERM);
	pause();
}

/* A child stops and continues its parent while that makes calls. */
static void stopped(void)
{
	const pid_t parent = getpid(), child = fork();

	if (!child) {
		for (int i = 0; i < 20; i++) {
			kill(parent, SIGSTOP);
			usleep(2000);
			kill(parent, SIGCONT);
			usleep(2000);
		}
		_exit(4);
	}
	while (waitpid(child, NULL, WNOHANG) == 0)
		cudaStreamQuery(NULL);
	puts("continued");
}

static void closed_pipe(void)
{
	int ends[2];

	MUST(!pipe(ends));
	close(ends[0]);
	make_calls(CALLS);
	scenario_flush();
	MUST(write(ends[1], "x", 1) == 1);
}

/* A call from code that no file has, on a frame that says nothing, and that is gone afterwards. */
static void generated_code(void)
{
	/* sub $8,%rsp; xor %ebp,%ebp (and back); xor %edi,%edi; mov $...,%rax; call *%rax; add; ret */
	unsigned char code[] = {0x55, 0x31, 0xed, 0x31, 0xff, 0x48, 0xb8, 0,	0,   0,
				0,    0,    0,	  0,	0,    0xff, 0xd0, 0x5d, 0xc3};
	void *const target = (void *)cudaStreamQuery;

	memcpy(code + 7, &target, sizeof(target));
	for (int i = 0; i < CALLS; i++) {
		void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				  -1, 0);

		memcpy(page, code, sizeof(code));
		MUST(!mprotect(page, 4096, PROT_READ | PROT_EXEC));
		(*(cudaError_t(**)(void)) & page)();
		munmap(page, 4096);
	}
}

const struct scenario signal_scenarios[] = {
	{"alarms", alarms},
	{"alarms-restart", alarms_restart},
	{"profiler", profiler},
	{"exit-under-alarms", exit_under_alarms},
	{"timer-jumps", timer_jumps},
	{"all-blocked", all_blocked},
	{"all-ignored", all_ignored},
	{"signal-wait", signal_wait},
	{"crash", crash},
	{"crash-handled", crash_handled},
	{"small-signal-stack", small_signal_stack},
	{"stack-overflow", stack_overflow},
	{"calls-on-signal-stack", calls_on_signal_stack},
	{"terminated", terminated},
	{"stopped", stopped},
	{"closed-pipe", closed_pipe},
	{"generated-code", generated_code},
	{NULL, NULL},
};
