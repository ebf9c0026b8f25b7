/*
 * The traced program of host_test.c: `host_app SCENARIO`. Prints what its threads do, for the test to find in the
 * looks at them.
 */
#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "fake_cuda.h"
#include "scenario.h"

enum {
	SHOWN_US = 400000,
	STEP_US = 20000,
	WAVES = 5,
	WAVE_THREADS = 100,
	EARLIER_THREADS = 8,
	NOBODY = 65534
};

static atomic_bool is_over;
static useconds_t shown_us = SHOWN_US; /* for how long threads are at what they do */
static int ends[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static pid_t child;

/* `thread NAME ID OFFSET`: the thread is in the function that lies there in this program. */
static void show(const char *name, void *function)
{
	Dl_info info;

	if (!dladdr(function, &info))
		exit(2);
	printf("thread %s %d %ld\n", name, (int)syscall(SYS_gettid),
	       (long)((char *)function - (char *)info.dli_fbase));
	fflush(stdout);
	cudaStreamQuery(NULL);
}

/* Each has something to do behind the call: it is no tail call. */
static atomic_int sink;

static __attribute__((noinline)) void sleep_long(void)
{
	while (!atomic_load(&is_over))
		usleep(shown_us);
	sink++;
}

static __attribute__((noinline)) void read_pipe(void)
{
	char byte;

	sink = (int)read(ends[0], &byte, 1);
}

static __attribute__((noinline)) void lock_mutex(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	sink++;
}

static __attribute__((noinline)) void wait_for_condition(void)
{
	pthread_mutex_lock(&other_mutex);
	while (!atomic_load(&is_over))
		pthread_cond_wait(&condition, &other_mutex);
	pthread_mutex_unlock(&other_mutex);
	sink++;
}

static __attribute__((noinline)) void wait_for_child(void)
{
	waitpid(child, NULL, 0);
	sink++;
}

static __attribute__((noinline)) void be_busy(void)
{
	while (!atomic_load(&is_over))
		sink++;
}

static const struct doing {
	const char *name;
	void (*function)(void);
} doings[] = {
	{"sleeps", sleep_long},	       {"reads", read_pipe},	   {"locks", lock_mutex},
	{"waits", wait_for_condition}, {"parent", wait_for_child}, {"runs", be_busy},
};
enum { DOINGS = sizeof(doings) / sizeof(doings[0]) };

static void *doing_main(void *data)
{
	const struct doing *doing = data;

	show(doing->name, (void *)doing->function);
	doing->function();
	return NULL;
}

static void scenario_sources(void)
{
	pthread_t threads[DOINGS];

	if (pipe(ends))
		exit(2);
	child = fork();
	if (!child) {
		pause();
		_exit(0);
	}
	pthread_mutex_lock(&mutex);
	for (int i = 0; i < DOINGS; i++)
		pthread_create(&threads[i], NULL, doing_main, (void *)&doings[i]);
	usleep(shown_us);
	atomic_store(&is_over, true);
	pthread_mutex_unlock(&mutex);
	pthread_mutex_lock(&other_mutex);
	pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&other_mutex);
	close(ends[1]);
	kill(child, SIGKILL);
	for (int i = 0; i < DOINGS; i++)
		pthread_join(threads[i], NULL);
}

static __attribute__((noinline)) void wait_in_libc(void)
{
	while (sem_wait(&semaphore))
		;
	sink++;
}

/* Both wait in the same place with the same frame: only what lies above it differs. */
static __attribute__((noinline)) void wait_here(void)
{
	wait_in_libc();
	sink++;
}

static __attribute__((noinline)) void wait_there(void)
{
	wait_in_libc();
	sink--;
}

static void *two_places_main(void *unused)
{
	show("here", (void *)wait_here);
	show("there", (void *)wait_there);
	while (!atomic_load(&is_over)) {
		wait_here();
		wait_there();
	}
	return NULL;
}

static void scenario_two_places(void)
{
	pthread_t thread;

	sem_init(&semaphore, 0, 0);
	pthread_create(&thread, NULL, two_places_main, NULL);
	for (useconds_t i = 0; i < shown_us / STEP_US; i++) {
		usleep(STEP_US);
		sem_post(&semaphore);
	}
	atomic_store(&is_over, true);
	sem_post(&semaphore);
	sem_post(&semaphore);
	pthread_join(thread, NULL);
}

static void *end_child_main(void *unused)
{
	usleep(shown_us);
	atomic_store(&is_over, true);
	return NULL;
}

/* The child has a trace of its own, and looks in it: a daemon, say. */
static void scenario_forked(void)
{
	pthread_t thread;

	cudaStreamQuery(NULL);
	scenario_flush();
	child = fork();
	if (!child) {
		pthread_create(&thread, NULL, end_child_main, NULL);
		doing_main((void *)&doings[0]);
		pthread_join(thread, NULL);
		exit(0);
	}
	waitpid(child, NULL, 0);
}

static void *first_ended_main(void *unused)
{
	show("runs", (void *)be_busy);
	usleep(2 * SHOWN_US);
	return NULL;
}

/* The first thread waits for nothing and runs no more, but is there. */
static void scenario_first_ended(void)
{
	pthread_t thread;

	printf("thread first %d 0\n", (int)getpid());
	fflush(stdout);
	cudaStreamQuery(NULL);
	scenario_flush();
	pthread_create(&thread, NULL, first_ended_main, NULL);
	pthread_exit(NULL);
}

static pthread_barrier_t barrier;

static void *wave_main(void *unused)
{
	cudaStreamQuery(NULL);
	pthread_barrier_wait(&barrier);
	usleep(8 * STEP_US);
	return NULL;
}

/* How many files our last thread has open. */
static int count_kept(void)
{
	char path[64];
	DIR *folder;
	int count = 0;

	snprintf(path, sizeof(path), "/proc/self/task/%d/fd", (int)scenario_find_writer());
	folder = opendir(path);
	while (folder && readdir(folder))
		count++;
	if (folder)
		closedir(folder);
	return count;
}

/* More threads at once than are looked at. */
static void scenario_crowd(void)
{
	pthread_t threads[WAVE_THREADS];

	pthread_barrier_init(&barrier, NULL, WAVE_THREADS);
	for (int wave = 0; wave < WAVES; wave++) {
		for (int i = 0; i < WAVE_THREADS; i++)
			pthread_create(&threads[i], NULL, wave_main, NULL);
		for (int i = 0; i < WAVE_THREADS; i++)
			pthread_join(threads[i], NULL);
	}
	printf("kept open %d\n", count_kept());
}

/* Ends with SIGSYS where something is opened, else with SIGKILL. */
static void scenario_nothing_opened(void)
{
	struct sock_filter program[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog whole = {.len = 4, .filter = program};

	cudaStreamQuery(NULL);
	scenario_flush();
	usleep(SHOWN_US);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &whole)) {
		puts("cannot");
		exit(0);
	}
	cudaStreamQuery(NULL);
	usleep(2 * SHOWN_US); /* three flushes */
	raise(SIGKILL);
}

/* With the row of a thread that sleeps still open. */
static void scenario_killed(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, doing_main, (void *)&doings[0]);
	usleep(15 * SHOWN_US); /* a busy machine's flushes come late */
	raise(SIGKILL);
}

/* The limit sinks below what is kept open of the threads so far. */
static void scenario_few_files(void)
{
	static const struct doing earlier = {"earlier", sleep_long};
	const struct rlimit few = {16, 16};
	pthread_t threads[EARLIER_THREADS];

	for (int i = 0; i < EARLIER_THREADS; i++)
		pthread_create(&threads[i], NULL, doing_main, (void *)&earlier);
	usleep(SHOWN_US);
	setrlimit(RLIMIT_NOFILE, &few);
	scenario_sources();
	for (int i = 0; i < EARLIER_THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* Processes of others cannot be seen, one's own can. */
static void scenario_hidden(void)
{
	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("proc", "/proc", "proc", 0, "hidepid=2") || chown(".", NOBODY, NOBODY) ||
	    setgid(NOBODY) || setuid(NOBODY)) {
		puts("cannot");
		exit(0);
	}
	execl("/proc/self/exe", "host_app", "sources", (char *)NULL);
	puts("cannot");
}

static const struct scenario scenarios[] = {
	{"sources", scenario_sources},	       {"two-places", scenario_two_places},
	{"forked", scenario_forked},	       {"crowd", scenario_crowd},
	{"first-ended", scenario_first_ended}, {"nothing-opened", scenario_nothing_opened},
	{"killed", scenario_killed},	       {"few-files", scenario_few_files},
	{"hidden", scenario_hidden},	       {NULL, NULL},
};

int main(int argc, char **argv)
{
	const char *times = getenv("SHOWN_TIMES");

	if (times)
		shown_us *= (useconds_t)atoi(times);
	scenario_find(scenarios, argc, argv)->run();
	return 0;
}
