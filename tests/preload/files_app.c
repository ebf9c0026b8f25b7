/*
 * The traced program of files_test.c: `files_app SCENARIO`. Processes that share an output's name,
 * and programs whose standard error is not what it seems.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_cuda.h"
#include "scenario.h"

enum { CALLS = 10, WORKERS = 4, THREADS = 4, FORKS = 60, EMPTIED = 20, EMPTIED_US = 50000 };

static void *device;

static void make_calls(void)
{
	cudaMalloc(&device, 64);
	for (int i = 0; i < CALLS - 2; i++)
		cudaStreamQuery(NULL);
	cudaMemset(device, 0, 64);
}

static void wait_for(pid_t child)
{
	int status;

	waitpid(child, &status, 0);
	printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

/* As multiprocessing's: forked before CUDA, they leave through _exit(). */
static pid_t start_worker(void)
{
	pid_t child;

	fflush(stdout); /* a sanitizer's _exit() writes it */
	child = fork();
	if (!child) {
		make_calls();
		_exit(3);
	}
	return child;
}

static void scenario_workers(void)
{
	pid_t children[WORKERS];

	for (int i = 0; i < WORKERS; i++)
		children[i] = start_worker();
	for (int i = 0; i < WORKERS; i++)
		wait_for(children[i]);
}

static void scenario_workers_in_turn(void)
{
	for (int i = 0; i < WORKERS; i++)
		wait_for(start_worker());
}

static void scenario_exec_again(void)
{
	make_calls();
	execl("/proc/self/exe", "files_app", "calls", (char *)NULL);
}

/* CUDA refuses the child; its own trace says so. */
static void scenario_fork_after_cuda(void)
{
	pid_t child;

	make_calls();
	scenario_flush();
	child = fork();
	if (!child)
		exit((int)cudaDeviceSynchronize());
	wait_for(child);
	fflush(stdout);
	child = fork();
	if (!child)
		exit(5);
	wait_for(child);
	make_calls();
}

static atomic_bool is_over;

static void *thread_main(void *unused)
{
	while (!atomic_load(&is_over))
		cudaStreamQuery(NULL);
	return NULL;
}

/* At any moment: the child finds locks and buffers as its parent's threads left them. */
static void scenario_fork_in_a_crowd(void)
{
	pthread_t threads[THREADS];
	int good = 0, status;

	cudaStreamQuery(NULL); /* from now on CUDA refuses children */
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, thread_main, NULL);
	for (int i = 0; i < FORKS; i++) {
		const pid_t child = fork();

		if (!child) {
			alarm(300); /* it hangs */
			exit((int)cudaDeviceSynchronize());
		}
		waitpid(child, &status, 0);
		good += WIFEXITED(status) && WEXITSTATUS(status) == 3;
	}
	atomic_store(&is_over, true);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("good %d\n", good);
}

/* Standard error's number is a file of the program's own. */
static void scenario_own_stderr(void)
{
	int own;

	close(STDERR_FILENO);
	own = open("own", O_RDWR | O_CREAT, 0600);
	make_calls();
	scenario_flush();
	printf("own %d holds %lld\n", own, (long long)lseek(own, 0, SEEK_END));
}

/* Nobody reads standard error: writing there is a signal. */
static void scenario_broken_stderr(void)
{
	int ends[2];

	if (pipe(ends) || dup2(ends[1], STDERR_FILENO) < 0)
		exit(2);
	close(ends[0]);
	execl("/proc/self/exe", "files_app", "calls", (char *)NULL);
}

static void scenario_calls(void)
{
	make_calls();
	scenario_flush();
	puts("made");
}

/* As in a container's sandbox: open() is refused where it is asked for no links, which none of ours but the
 * look at the output's name does. */
static void scenario_sandboxed(void)
{
	struct sock_filter rows[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_NOFOLLOW, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {sizeof(rows) / sizeof(*rows), rows};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0))
		exit(1);
	scenario_calls();
}

static void scenario_without_folder(void)
{
	if (mkdir("gone", 0700) || chdir("gone") || rmdir("../gone"))
		exit(2);
	scenario_calls();
}

/* As torchrun does: it counts the devices, and its workers are rank 0 and 1. */
static void scenario_launcher(void)
{
	char rank[] = "0";
	int count;

	printf("looked %d\n", (int)cudaGetDeviceCount(&count));
	fflush(stdout);
	for (; rank[0] < '2'; rank[0]++) {
		const pid_t worker = fork();

		if (!worker) {
			setenv("RANK", rank, 1);
			setenv("TORCHELASTIC_RUN_ID", "none", 1);
			execl("/proc/self/exe", "files_app", "calls", (char *)NULL);
			_exit(2);
		}
		waitpid(worker, NULL, 0);
	}
}

static void scenario_nothing(void)
{
	puts("nothing");
}

static bool is_trace_mapped(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	bool is_mapped = false;

	while (maps && fgets(line, sizeof(line), maps))
		is_mapped |= strstr(line, "/trace.db") != NULL;
	fclose(maps);
	return is_mapped;
}

/* Somebody empties a file beside the trace over several commits, as soon as it is there. */
static void empty_again_and_again(const char *name)
{
	for (int i = 0; i < EMPTIED; i++) {
		int file;

		make_calls();
		while ((file = open(name, O_WRONLY | O_TRUNC)) < 0)
			usleep(1000);
		close(file);
		usleep(EMPTIED_US);
	}
	printf("mapped %d\n", is_trace_mapped());
}

static void scenario_emptied_index(void)
{
	empty_again_and_again("trace.db-shm");
	scenario_flush();
	make_calls();
	usleep(4 * EMPTIED_US);
	printf("look %d\n", system(getenv("LOOK")));
}

static void scenario_emptied_log(void)
{
	empty_again_and_again("trace.db-wal");
}

static const struct scenario scenarios[] = {
	{"workers", scenario_workers},
	{"workers-in-turn", scenario_workers_in_turn},
	{"exec-again", scenario_exec_again},
	{"fork-after-cuda", scenario_fork_after_cuda},
	{"fork-in-a-crowd", scenario_fork_in_a_crowd},
	{"own-stderr", scenario_own_stderr},
	{"broken-stderr", scenario_broken_stderr},
	{"calls", scenario_calls},
	{"sandboxed", scenario_sandboxed},
	{"without-folder", scenario_without_folder},
	{"launcher", scenario_launcher},
	{"nothing", scenario_nothing},
	{"emptied-index", scenario_emptied_index},
	{"emptied-log", scenario_emptied_log},
	{NULL, NULL},
};

int main(int argc, char **argv)
{
	scenario_find(scenarios, argc, argv)->run();
	return 0;
}
