#include "mcp/process.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A traced program may have much to write when it is asked to end, and its trace must be finished. */
#define KILL_AFTER_MS 5000
/* Of the messages of a command, and of the errors of a traced program. */
#define MESSAGES_MOST_BYTES 8192
#define READ_BYTES	    65536

int64_t process_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void drop_first(struct kept *kept)
{
	if (kept->size <= kept->most)
		return;
	memmove(kept->bytes, kept->bytes + kept->size - kept->most, kept->most);
	kept->size = kept->most;
	kept->is_cut = true;
}

static void keep_last(struct kept *kept, const char *bytes, size_t size)
{
	kept->bytes = memory_shrink(kept->bytes, kept->size + size, 1);
	memcpy(kept->bytes + kept->size, bytes, size);
	kept->size += size;
	/* Not for each few bytes more. */
	if (kept->size > 2 * kept->most)
		drop_first(kept);
}

/* In the child. */
static void become_command(char *const *words, const char *folder, pid_t parent, int out,
			   int errors)
{
	int null = open("/dev/null", O_RDONLY);
	sigset_t none;

	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (null < 0 || getppid() != parent || chdir(folder))
		return;
	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(errors, STDERR_FILENO);
	if (null > STDERR_FILENO)
		close(null);
	execv("/proc/self/exe", words);
}

static void close_pipe(int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

bool process_start(struct process *process, char *const *words, const char *folder,
		   size_t most_output)
{
	const pid_t parent = getpid();
	int out[2], errors[2];

	*process = (struct process){.out = -1,
				    .errors = -1,
				    .output.most = most_output,
				    .messages.most = MESSAGES_MOST_BYTES};
	if (pipe2(out, O_CLOEXEC))
		return false;
	if (pipe2(errors, O_CLOEXEC)) {
		close_pipe(out);
		return false;
	}
	process->id = fork();
	if (process->id == 0) {
		become_command(words, folder, parent, out[1], errors[1]);
		_exit(127);
	}
	if (process->id < 0) {
		close_pipe(out);
		close_pipe(errors);
		return false;
	}
	setpgid(process->id, process->id);
	close(out[1]);
	close(errors[1]);
	process->out = out[0];
	process->errors = errors[0];
	fcntl(process->out, F_SETFL, O_NONBLOCK);
	fcntl(process->errors, F_SETFL, O_NONBLOCK);
	return true;
}

/* Returns the pipe, or -1 when it has ended. */
static int read_pipe(int from, struct kept *kept)
{
	char bytes[READ_BYTES];
	ssize_t size;

	if (from < 0)
		return from;
	while ((size = read(from, bytes, sizeof(bytes))) > 0)
		keep_last(kept, bytes, (size_t)size);
	if (size < 0 && (errno == EAGAIN || errno == EINTR))
		return from;
	close(from);
	return -1;
}

void process_read(struct process *process)
{
	process->out = read_pipe(process->out, &process->output);
	process->errors = read_pipe(process->errors, &process->messages);
}

/* What it started may go on; a stopped one leaves nothing. */
bool process_has_ended(struct process *process)
{
	siginfo_t info = {0};
	int status;

	if (waitid(P_PID, (id_t)process->id, &info, WEXITED | WNOHANG | WNOWAIT) || !info.si_pid)
		return false;
	if (process->kill_ms)
		kill(-process->id, SIGKILL);
	if (waitpid(process->id, &status, 0) != process->id)
		return false;
	process->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	process_read(process);
	drop_first(&process->output);
	drop_first(&process->messages);
	return true;
}

void process_stop(struct process *process)
{
	if (process->kill_ms)
		return;
	kill(-process->id, SIGTERM);
	process->kill_ms = process_now_ms() + KILL_AFTER_MS;
}

void process_press(struct process *process)
{
	if (process->kill_ms && process_now_ms() >= process->kill_ms)
		kill(-process->id, SIGKILL);
}

void process_free(struct process *process)
{
	if (process->out >= 0)
		close(process->out);
	if (process->errors >= 0)
		close(process->errors);
	free(process->output.bytes);
	free(process->messages.bytes);
	*process = (struct process){.out = -1, .errors = -1};
}
