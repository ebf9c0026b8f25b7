/*
 * The traced program of behave_test.c: `behave_app SCENARIO`. It prints what it can see of itself,
 * and does to itself what programs do; with libstrace.so all must look the same.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fake_cuda.h"
#include "scenario.h"

enum {
	OPEN_US = 300000,
	ALARM_US = 100000,
	SITE_DEPTH = 6,
	FORKS = 100,
	FORK_PATIENCE_S = 120,
	LOW_DESCRIPTORS = 900, /* the tracer's lie above, below the limit of 1024 */
};

extern char **environ;

static const dim3 one = {1, 1, 1};

static void idle_kernel(void **args)
{
}

/* The result, errno and the last error of a call, which it may change. */
#define SHOW(call)                                                                                 \
	do {                                                                                       \
		cudaError_t result_;                                                               \
                                                                                                   \
		errno = 1000 + __LINE__ % 100;                                                     \
		result_ = (call);                                                                  \
		printf("%s: %d, errno %d, peek %d", #call, (int)result_, errno,                    \
		       (int)cudaPeekAtLastError());                                                \
		printf(", get %d", (int)cudaGetLastError());                                       \
		printf(", get %d\n", (int)cudaGetLastError());                                     \
	} while (0)

/* Of every class one that fails, where the runtime checks; else one that goes well. */
static void show_calls(void)
{
	static char host[64];
	uint64_t long_ns = 50000000;
	void *args[] = {&long_ns}, *none[] = {NULL};
	void *device, *pinned;
	cudaStream_t stream;
	cudaEvent_t event;

	SHOW(cudaMalloc(&device, 64));
	SHOW(cudaMalloc(NULL, 64));
	SHOW(cudaMallocManaged(NULL, 64, cudaMemAttachGlobal));
	SHOW(cudaMallocHost(&pinned, 64));
	SHOW(cudaMallocHost(NULL, 64));
	SHOW(cudaHostAlloc(NULL, 64, 0));
	SHOW(cudaHostRegister(NULL, 64, 0));
	SHOW(cudaHostRegister(pinned, 64, 0));
	SHOW(cudaHostUnregister(NULL));
	SHOW(cudaMemcpy(device, host, 65, cudaMemcpyHostToDevice));
	SHOW(cudaMemcpy(device, host, 64, (enum cudaMemcpyKind)9));
	SHOW(cudaMemcpy(NULL, host, 64, cudaMemcpyHostToDevice));
	SHOW(cudaMemcpyAsync(device, host, 65, cudaMemcpyHostToDevice, NULL));
	SHOW(cudaMemcpy2DAsync(device, 8, host, 4, 8, 8, cudaMemcpyDefault, NULL));
	SHOW(cudaMemset(host, 1, 64));
	SHOW(cudaMemsetAsync(device, 1, 65, NULL));
	SHOW(cudaLaunchKernel(NULL, one, one, args, 0, NULL));
	SHOW(cudaLaunchKernel((const void *)idle_kernel, (dim3){0, 1, 1}, one, args, 0, NULL));
	SHOW(__cudaLaunchKernel((cudaKernel_t)idle_kernel, one, one, none, 0, NULL));
	SHOW(cudaLaunchKernelExC(NULL, (const void *)idle_kernel, args));
	SHOW(cudaLaunchCooperativeKernel(NULL, one, one, args, 0, NULL));
	SHOW(cudaStreamCreate(NULL));
	SHOW(cudaStreamCreateWithFlags(&stream, 77));
	SHOW(cudaStreamCreateWithPriority(NULL, 0, 0));
	SHOW(cudaStreamCreate(&stream));
	SHOW(cudaEventCreate(NULL));
	SHOW(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
	SHOW(__cudaLaunchKernel((cudaKernel_t)idle_kernel, one, one, args, 0, stream));
	SHOW(cudaEventRecord(event, stream));
	SHOW(cudaStreamQuery(stream));
	SHOW(cudaEventQuery(event));
	SHOW(cudaStreamWaitEvent(stream, event, 0));
	SHOW(cudaEventSynchronize(event));
	SHOW(cudaStreamSynchronize(stream));
	SHOW(cudaDeviceSynchronize());
	SHOW(cudaEventDestroy(event));
	SHOW(cudaStreamDestroy(stream));
	SHOW(cudaMallocAsync(&device, 0, NULL));
	SHOW(cudaFree(NULL));
	SHOW(cudaFreeHost(pinned));
}

/* Modules lie elsewhere in each run. */
static unsigned long location_of(unsigned long address)
{
	Dl_info info;

	return address > 1 && dladdr((void *)address, &info)
		       ? address - (unsigned long)info.dli_fbase
		       : address;
}

static void show_signals(void)
{
	struct sigaction action;
	/* glibc takes signals 32 and 33 when the first thread is made, be it ours. */
	static const unsigned long long of_threads = 3ull << 31;
	unsigned long long mask;
	char line[256], name[8];
	FILE *status = fopen("/proc/self/status", "r");

	for (int signal = 1; signal < NSIG; signal++)
		if (!sigaction(signal, NULL, &action))
			printf("signal %d: %lx, flags %x\n", signal,
			       location_of((unsigned long)action.sa_handler),
			       (unsigned int)action.sa_flags);
	while (status && fgets(line, sizeof(line), status))
		if ((!strncmp(line, "Sig", 3) || !strncmp(line, "Shd", 3)) &&
		    sscanf(line, "%6[A-Za-z]: %llx", name, &mask) == 2 && strcmp(name, "SigQ"))
			printf("%s %llx\n", name, mask & ~of_threads);
	if (status)
		fclose(status);
}

/* But for what switches the tracing on, and the driver's interface for profilers. */
static void show_environment(void)
{
	for (char **variable = environ; *variable; variable++)
		if (strncmp(*variable, "STREAMTRACE_", 12) &&
		    strncmp(*variable, "LD_PRELOAD=", 11) &&
		    strncmp(*variable, "CUDA_INJECTION64_PATH=", 22) &&
		    strncmp(*variable, "NVTX_INJECTION64_PATH=", 22))
			puts(*variable);
}

static void show_descriptors(void)
{
	for (int i = 0; i < LOW_DESCRIPTORS; i++)
		if (fcntl(i, F_GETFD) >= 0)
			printf("descriptor %d\n", i);
}

/* But for the writer, by its name. */
static void show_tasks(void)
{
#ifdef __SANITIZE_THREAD__
	DIR *folder = NULL; /* the sanitizer has a thread of its own where there are two */
#else
	DIR *folder = opendir("/proc/self/task");
#endif
	struct dirent *entry;
	char path[300], name[32];
	FILE *file;

	while (folder && (entry = readdir(folder))) {
		snprintf(path, sizeof(path), "/proc/self/task/%s/comm", entry->d_name);
		file = entry->d_name[0] == '.' ? NULL : fopen(path, "r");
		if (file && fgets(name, sizeof(name), file) && strcmp(name, "streamtrace\n"))
			printf("task %s", name);
		if (file)
			fclose(file);
	}
	if (folder)
		closedir(folder);
}

/* A failure of the program's own is still there after calls that were made before. */
static void show_dl_error(void)
{
	const char *error;

	dlsym(RTLD_DEFAULT, "behave_app_has_no_such_function");
	cudaDeviceSynchronize();
	cudaFree(NULL);
	error = dlerror();
	printf("dlerror: %s\n", error ? error : "none");
}

static void scenario_visible(void)
{
	signal(SIGUSR1, SIG_IGN);
	show_calls();
	scenario_flush();
	show_calls();
	show_signals();
	show_environment();
	show_descriptors();
	show_tasks();
	show_dl_error();
	exit(11);
}

static void make_calls(int count)
{
	for (int i = 0; i < count; i++)
		cudaStreamQuery(NULL);
}

static void start_long_work(uint64_t duration_ns)
{
	void *args[] = {&duration_ns};

	__cudaLaunchKernel((cudaKernel_t)idle_kernel, one, one, args, 0, NULL);
}

static void leave(int signal)
{
	exit(7);
}

/* As programs do on SIGTERM, allowed or not. */
static void scenario_exit_in_a_handler(void)
{
	make_calls(10);
	start_long_work(UINT64_C(3600000000000));
	signal(SIGALRM, leave);
	ualarm(ALARM_US, 0);
	cudaDeviceSynchronize();
}

static void *wait_main(void *unused)
{
	cudaDeviceSynchronize();
	return NULL;
}

static void scenario_exit_beside_a_call(void)
{
	pthread_t thread;

	make_calls(10);
	start_long_work(UINT64_C(3600000000000));
	pthread_create(&thread, NULL, wait_main, NULL);
	usleep(ALARM_US);
	exit(8);
}

/* Its data file gets the number of standard error. */
static void scenario_reused_stderr(void)
{
	close(STDERR_FILENO);
	if (open("data", O_WRONLY | O_CREAT | O_TRUNC, 0600) != STDERR_FILENO)
		exit(2);
	make_calls(10);
}

static void scenario_calls(void)
{
	make_calls(10);
	puts("went well");
}

/* Starts again with a standard error that no one reads any more. */
static void scenario_broken_stderr(void)
{
	int ends[2];

	if (pipe(ends) || dup2(ends[1], STDERR_FILENO) < 0)
		exit(2);
	close(ends[0]);
	close(ends[1]);
	execl("/proc/self/exe", "behave_app", "calls", (char *)NULL);
	exit(2);
}

/* Starts again with a standard error that no one reads yet, and that has no room. */
static void scenario_full_stderr(void)
{
	int ends[2], flags;

	if (pipe(ends) || dup2(ends[1], STDERR_FILENO) < 0)
		exit(2);
	flags = fcntl(STDERR_FILENO, F_GETFL);
	fcntl(STDERR_FILENO, F_SETFL, flags | O_NONBLOCK);
	while (write(STDERR_FILENO, "", 1) == 1)
		;
	fcntl(STDERR_FILENO, F_SETFL, flags);
	execl("/proc/self/exe", "behave_app", "calls", (char *)NULL);
	exit(2);
}

static _Atomic int is_over;

/* 4^SITE_DEPTH stacks: the writer looks their modules up, one after the other. */
static __attribute__((noinline)) void call_from_many_sites(int depth)
{
	if (!depth) {
		cudaStreamQuery(NULL);
		return;
	}
	call_from_many_sites(depth - 1);
	call_from_many_sites(depth - 1);
	call_from_many_sites(depth - 1);
	call_from_many_sites(depth - 1);
	__asm__ volatile("");
}

static void *many_sites_main(void *unused)
{
	call_from_many_sites(SITE_DEPTH);
	is_over = 1;
	return NULL;
}

static int find_nothing(struct dl_phdr_info *info, size_t size, void *data)
{
	return 0;
}

/* Prints "hung" when the child does not get the loader's lock. */
static void fork_and_load(void)
{
	pid_t child = fork();
	int status;

	if (!child) {
		alarm(FORK_PATIENCE_S);
		dl_iterate_phdr(find_nothing, NULL);
		free(malloc(100000));
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || status)
		puts("hung");
}

static int fork_here(struct dl_phdr_info *info, size_t size, void *data)
{
	pid_t child;

	/* A new call site, for whose module the writer waits now. */
	cudaDeviceSynchronize();
	usleep(OPEN_US);
	child = fork();
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	return 1;
}

/* The writer waits for the lock that the fork is made with: it must not wait for the writer. */
static void fork_in_a_callback(void)
{
	dl_iterate_phdr(fork_here, NULL);
	puts("forked");
}

static void scenario_forks(void)
{
	pthread_t thread;
	int forks = 0;

	make_calls(1);
	scenario_flush();
	pthread_create(&thread, NULL, many_sites_main, NULL);
	for (; forks < FORKS || !is_over; forks++)
		fork_and_load();
	pthread_join(thread, NULL);
	fork_in_a_callback();
}

/* With little memory, or none for the tracer (malloc_shim.c). */
static void scenario_work(void)
{
	void *device;

	printf("%d", cudaMalloc(&device, 4096));
	printf(" %d", cudaMemset(device, 0, 4096));
	for (int i = 0; i < 20; i++)
		start_long_work(1000);
	make_calls(100);
	/* Some memory is asked for before the last calls, some after. Not by an exec that fails: where
	 * memory ends behind its flush the trace goes on saying that the program ended so. */
	usleep(OPEN_US / 4);
	printf(" %d", cudaDeviceSynchronize());
	printf(" %d\n", cudaFree(device));
	exit(12);
}

static const struct scenario scenarios[] = {
	{"visible", scenario_visible},
	{"exit-in-a-handler", scenario_exit_in_a_handler},
	{"exit-beside-a-call", scenario_exit_beside_a_call},
	{"reused-stderr", scenario_reused_stderr},
	{"calls", scenario_calls},
	{"broken-stderr", scenario_broken_stderr},
	{"full-stderr", scenario_full_stderr},
	{"forks", scenario_forks},
	{"work", scenario_work},
	{NULL, NULL},
};

int main(int argc, char **argv)
{
	scenario_find(scenarios, argc, argv)->run();
	return 0;
}
