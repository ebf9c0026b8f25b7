/* What a process does to itself: descriptors, folders, its identity, its environment. */
#include "harm_app.h"

#include <linux/close_range.h>
#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { FIRST_TAKEN = 3, LAST_TAKEN = 1023 };

extern char **environ;

/* As daemons do at their start, before any call, and behind them. */
static void close_all(bool is_raw)
{
	make_calls(CALLS / 2);
	wait_for_trace();
	if (is_raw)
		MUST(!syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_UNSHARE));
	else
		closefrom(3);
	make_calls(CALLS / 2);
	usleep(OPEN_US);
}

static void close_from(void)
{
	close_all(false);
}

static void close_range_unshared(void)
{
	close_all(true);
}

static void close_before(void)
{
	closefrom(3);
	make_calls(CALLS);
}

/* Every number becomes a file of the program's, the tracer's too. */
static void take_all_descriptors(void)
{
	static char text[65536];
	int file;

	make_calls(CALLS / 2);
	wait_for_trace();
	file = open("own", O_RDWR | O_CREAT, 0600);
	memset(text, 'x', sizeof(text));
	MUST(write(file, text, sizeof(text)) == sizeof(text));
	for (int i = FIRST_TAKEN; i <= LAST_TAKEN; i++)
		/* dup2() fails with EBUSY while another thread is opening a file with this number. */
		while (i != file && dup2(file, i) != i)
			MUST(errno == EBUSY);
	for (int i = 0; i < 4; i++) {
		make_calls(20000);
		usleep(OPEN_US);
	}
	MUST(pread(file, text, sizeof(text), 0) == sizeof(text));
	for (size_t i = 0; i < sizeof(text); i++)
		MUST(text[i] == 'x');
	printf("own %lld bytes\n", (long long)lseek(file, 0, SEEK_END));
	fflush(stdout);
	unlink("own");
}

/* Their numbers are the next ones that the program's files get. */
static void no_standard_files(void)
{
	struct stat status;
	int files[3];

	close(0);
	close(1);
	close(2);
	make_calls(CALLS / 2);
	wait_for_trace();
	usleep(OPEN_US); /* what reads /proc has closed its descriptor */
	for (int i = 0; i < 3; i++)
		files[i] = open("own", O_RDWR | O_CREAT | O_TRUNC, 0600);
	make_calls(CALLS / 2);
	usleep(OPEN_US);
	MUST(files[0] == 0 && files[1] == 1 && files[2] == 2);
	MUST(!fstat(0, &status));
	unlink("own");
	if (status.st_size)
		_exit(2);
}

/* A backup, say: it opens and closes what lies in its folder, and with that drops its locks. */
static void reads_the_folder(void)
{
	static const char *const names[] = {"trace.db", "trace.db-wal", "trace.db-shm",
					    "trace.db-journal"};
	char text[4096];
	pid_t child;

	for (int round = 0; round < 5; round++) {
		make_calls(CALLS / 5);
		wait_for_trace();
		for (int i = 0; i < 4; i++) {
			const int file = open(names[i], O_RDWR);

			while (file >= 0 && read(file, text, sizeof(text)) > 0)
				;
			close(file);
		}
	}
	/* And another process writes a trace of the same name. */
	child = fork();
	if (!child) {
		execl("/proc/self/exe", "harm_app", "nothing", (char *)NULL);
		_exit(1);
	}
	print_child(child);
}

static void nothing(void)
{
}

static void removes_the_folder(void)
{
	char path[4096];

	make_calls(CALLS / 2);
	wait_for_trace();
	MUST(getcwd(path, sizeof(path)));
	unlink("trace.db");
	unlink("trace.db-wal");
	unlink("trace.db-shm");
	make_calls(CALLS / 2);
	usleep(OPEN_US);
}

static void renames_the_trace(void)
{
	make_calls(CALLS / 2);
	wait_for_trace();
	rename("trace.db", "other.db");
	make_calls(CALLS / 2);
	usleep(OPEN_US);
	rename("other.db", "trace.db");
}

static void no_umask(void)
{
	umask(0777);
	make_calls(CALLS);
}

static void new_root(void)
{
	char path[] = "root.XXXXXX";

	make_calls(CALLS / 2);
	wait_for_trace();
	MUST(mkdtemp(path));
	if (chroot(path))
		cannot("chroot");
	MUST(!chdir("/"));
	make_calls(CALLS / 2);
	usleep(OPEN_US);
}

static void hide(const char *path)
{
	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", path, "tmpfs", 0, NULL))
		cannot("mount");
}

static void no_proc(void)
{
	hide("/proc");
	make_calls(CALLS);
}

/* The trace's folder is below it. */
static void no_tmp(void)
{
	hide("/tmp");
	make_calls(CALLS);
}

static void no_sys(void)
{
	hide("/sys");
	make_calls(CALLS);
}

static void become_nobody(void)
{
	if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY))
		cannot("setresuid");
}

/* As servers do when they have what only root may have. */
static void drop_root_late(void)
{
	make_calls(CALLS / 2);
	wait_for_trace();
	become_nobody();
	make_calls(CALLS / 2);
	usleep(OPEN_US);
}

/* In a folder where it may write nothing. */
static void drop_root_early(void)
{
	become_nobody();
	make_calls(CALLS);
}

static void drop_root_of_a_thread(void)
{
	make_calls(CALLS / 2);
	if (syscall(SYS_setresuid, NOBODY, NOBODY, NOBODY))
		cannot("setresuid");
	make_calls(CALLS / 2);
}

static void not_dumpable(void)
{
	prctl(PR_SET_DUMPABLE, 0);
	make_calls(CALLS);
}

static void no_new_privileges(void)
{
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	make_calls(CALLS);
	printf("wait %d", (int)wait(NULL));
	printf(" errno %d\n", errno);
}

static void namespaces(void)
{
	const int all = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWUTS | CLONE_NEWIPC |
			CLONE_NEWNET;
	pid_t child;

	if (unshare(all))
		cannot("unshare");
	child = fork(); /* process 1 there */
	if (child) {
		print_child(child);
		return;
	}
	make_calls(CALLS);
	printf("process %d\n", (int)getpid());
	exit(0);
}

/* With the parent's memory, and without its threads. */
static int clone_main(void *unused)
{
	_exit(7);
}

static void clone_of_memory(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	pid_t child;

	make_calls(CALLS / 2);
	child = clone(clone_main, stack + sizeof(stack), CLONE_VM | SIGCHLD, NULL);
	print_child(child);
	make_calls(CALLS / 2);
}

static void spawns(void)
{
	static char *const arguments[] = {"sh", "-c", "exit 5", NULL};
	char line[16] = "";
	pid_t child;
	FILE *pipe;

	make_calls(CALLS);
	printf("system %d\n", WEXITSTATUS(system("exit 4")));
	MUST(!posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ));
	print_child(child);
	pipe = popen("echo hello", "r");
	MUST(fgets(line, sizeof(line), pipe));
	printf("%spopen %d\n", line, pclose(pipe));
}

static void fork_storm(void)
{
	int status, good = 0;
	pid_t child;

	make_calls(CALLS);
	for (int i = 0; i < 200; i++) {
		child = fork();
		if (!child)
			_exit(i % 100);
		good += waitpid(child, &status, 0) == child && WEXITSTATUS(status) == i % 100;
	}
	printf("good %d\n", good);
}

static void no_environment(void)
{
	clearenv();
	make_calls(CALLS / 2);
	environ = NULL;
	make_calls(CALLS / 2);
}

static void odd_name(void)
{
	static char *const arguments[] = {"\xff\xfe\n\x1b[31m'\"", "calls", NULL};

	execv("/proc/self/exe", arguments);
}

static void no_name(void)
{
	program_invocation_name = program_invocation_short_name = "";
	make_calls(CALLS);
}

/* As an anti-debugger does: one tracer at most. */
static void traced_by_parent(void)
{
	const pid_t child = fork();
	int status;

	if (!child) {
		MUST(!ptrace(PTRACE_TRACEME, 0, NULL, NULL));
		raise(SIGSTOP);
		make_calls(CALLS);
		exit(3);
	}
	while (waitpid(child, &status, 0) == child && WIFSTOPPED(status))
		ptrace(PTRACE_CONT, child, NULL,
		       WSTOPSIG(status) == SIGSTOP ? 0 : WSTOPSIG(status));
	printf("child: status %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

static void locked_memory(void)
{
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		cannot("mlockall");
	make_calls(CALLS);
}

const struct scenario process_scenarios[] = {
	{"close-from", close_from},
	{"close-range-unshared", close_range_unshared},
	{"close-before", close_before},
	{"take-all-descriptors", take_all_descriptors},
	{"no-standard-files", no_standard_files},
	{"reads-the-folder", reads_the_folder},
	{"nothing", nothing},
	{"removes-the-folder", removes_the_folder},
	{"renames-the-trace", renames_the_trace},
	{"no-umask", no_umask},
	{"new-root", new_root},
	{"no-proc", no_proc},
	{"no-tmp", no_tmp},
	{"no-sys", no_sys},
	{"drop-root-late", drop_root_late},
	{"drop-root-early", drop_root_early},
	{"drop-root-of-a-thread", drop_root_of_a_thread},
	{"not-dumpable", not_dumpable},
	{"no-new-privileges", no_new_privileges},
	{"namespaces", namespaces},
	{"clone-of-memory", clone_of_memory},
	{"spawns", spawns},
	{"fork-storm", fork_storm},
	{"no-environment", no_environment},
	{"odd-name", odd_name},
	{"no-name", no_name},
	{"traced-by-parent", traced_by_parent},
	{"locked-memory", locked_memory},
	{NULL, NULL},
};
