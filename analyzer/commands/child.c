#include "commands/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What a terminal's signals and the parent's end do to the child, and what it may leave behind. */
static void isolate_child(pid_t parent)
{
	const struct rlimit no_core = {0};
	int null = open("/dev/null", O_RDWR);

	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	setrlimit(RLIMIT_CORE, &no_core);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (null < 0 || getppid() != parent)
		_exit(1);
	for (int i = 0; i <= STDERR_FILENO; i++)
		dup2(null, i);
}

static void set_devices(const char *visible)
{
	setenv("CUDA_VISIBLE_DEVICES", visible, 1);
	unsetenv("CUDA_INJECTION64_PATH");
	unsetenv("NVTX_INJECTION64_PATH");
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool wait_for_answer(int out, void *answer, size_t bytes, int64_t left_ms)
{
	struct pollfd ready = {.fd = out, .events = POLLIN};

	return poll(&ready, 1, (int)left_ms) == 1 && read(out, answer, bytes) == (ssize_t)bytes;
}

bool child_run(const char *visible, void (*work)(const void *input, void *answer),
	       const void *input, void *answer, size_t answer_bytes, int64_t *left_ms)
{
	int64_t since_ms = now_ms();
	pid_t parent = getpid(), child;
	bool is_answered;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return false;
	child = fork();
	if (child == 0) {
		isolate_child(parent);
		set_devices(visible);
		work(input, answer);
		_exit(write(ends[1], answer, answer_bytes) == (ssize_t)answer_bytes ? 0 : 1);
	}
	close(ends[1]);
	is_answered = child > 0 && wait_for_answer(ends[0], answer, answer_bytes, *left_ms);
	close(ends[0]);
	*left_ms -= now_ms() - since_ms;
	if (child > 0) {
		/* One that hangs in the driver would not end at once: it is left to init. */
		kill(child, SIGKILL);
		waitpid(child, NULL, WNOHANG);
	}
	return is_answered;
}
