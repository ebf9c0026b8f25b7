/*
 * The traced program of loader_test.c: `loader_app SCENARIO`. It loads and unloads libraries in ways
 * that are right, and that a tracer which asks the loader at a wrong time turns into a hang.
 */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cuda.h>
#include <cuda_profiler_api.h>

#include "fake_cuda.h"
#include "scenario.h"

enum { SMALL_BYTES = 16, COPY_BYTES = 4096, POLL_US = 1000, HANG_S = 60, CALLS = 10 };

void plugin_begin(void);
void plugin_end(void);

static void (*at_begin)(void), (*at_end)(void);

void plugin_begin(void)
{
	if (at_begin)
		at_begin();
}

void plugin_end(void)
{
	if (at_end)
		at_end();
}

static void *open_plugin(const char *path)
{
	void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!plugin) {
		fprintf(stderr, "loader_app: %s\n", dlerror());
		exit(2);
	}
	return plugin;
}

static pthread_t worker;
static sem_t stop, is_there;

static void run_worker(void *(*function)(void *))
{
	pthread_create(&worker, NULL, function, NULL);
}

static void join_worker(void)
{
	pthread_join(worker, NULL);
}

static void *keep_a_stream(void *unused)
{
	cudaStream_t stream;
	void *memory;

	cudaMalloc(&memory, COPY_BYTES);
	cudaStreamCreate(&stream);
	sem_post(&is_there);
	sem_wait(&stop);
	cudaStreamDestroy(stream);
	cudaFree(memory);
	return NULL;
}

static void begin_to_keep(void)
{
	run_worker(keep_a_stream);
	sem_wait(&is_there);
}

static void end_to_keep(void)
{
	sem_post(&stop);
	join_worker();
}

/* A plugin's destructor stops its worker, which gives back what it has. */
static void scenario_destructor_joins(void)
{
	at_begin = begin_to_keep;
	at_end = end_to_keep;
	cudaDeviceSynchronize();
	dlclose(open_plugin(PLUGIN_A_PATH));
}

/* The stand-in's driver asks the loader at the first call of each function, the real one does not. */
static void call_the_driver(void)
{
	CUpointer_attribute attribute = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
	CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
	CUstreamCaptureStatus status;
	unsigned int type;
	void *data = &type;

	cuPointerGetAttributes(1, &attribute, &data, (CUdeviceptr)data);
	cuThreadExchangeStreamCaptureMode(&mode);
	cuThreadExchangeStreamCaptureMode(&mode);
	cuStreamIsCapturing(NULL, &status);
}

static void on_host(void *unused)
{
}

/* A call of each kind for which something is looked up. */
static void *call_all(void *unused)
{
	static char memory[COPY_BYTES];
	void *device;

	cudaProfilerStart();
	cudaMalloc(&device, COPY_BYTES);
	cudaMemset(device, 0, COPY_BYTES);
	cudaMemcpy(device, memory, COPY_BYTES, cudaMemcpyHostToDevice);
	cudaLaunchHostFunc(NULL, on_host, NULL);
	cudaStreamSynchronize(NULL);
	cudaFree(device);
	cudaProfilerStop();
	return NULL;
}

static void call_all_and_join(void)
{
	run_worker(call_all);
	join_worker();
}

static void scenario_constructor_joins(void)
{
	at_begin = call_all_and_join;
	cudaDeviceSynchronize();
	call_the_driver();
	open_plugin(PLUGIN_A_PATH);
}

static char host[COPY_BYTES];
static void *device;
static atomic_bool is_copying, has_copied;

/* When the main thread has copied, or waits for this one. */
static void copy_beside(void)
{
	sem_post(&is_there);
	while (!atomic_load(&is_copying))
		usleep(POLL_US);
	while (!atomic_load(&has_copied) && !scenario_main_sleeps())
		usleep(POLL_US);
	cudaMemcpy(device, host, COPY_BYTES, cudaMemcpyHostToDevice);
}

static void *open_beside(void *unused)
{
	open_plugin(PLUGIN_A_PATH);
	return NULL;
}

/* The first copy that is looked at, beside a constructor that copies. */
static void scenario_copy_beside(void)
{
	at_begin = copy_beside;
	call_the_driver();
	cudaMalloc(&device, COPY_BYTES);
	cudaMemcpy(device, host, SMALL_BYTES, cudaMemcpyHostToDevice);
	run_worker(open_beside);
	sem_wait(&is_there);
	atomic_store(&is_copying, true);
	cudaMemcpy(device, host, COPY_BYTES, cudaMemcpyHostToDevice);
	atomic_store(&has_copied, true);
	join_worker();
}

/* Not a tail call: the caller is to stay on the stack. */
static __attribute__((noinline)) void make_calls(int count)
{
	for (int i = 0; i < count; i++)
		cudaStreamQuery(NULL);
	__asm__ volatile("");
}

static void stay(void)
{
	sem_post(&is_there);
	sem_wait(&stop);
}

/* The writer goes on meanwhile: what it has written survives an end that it does not see. */
static void scenario_die_beside_an_opening(void)
{
	at_begin = stay;
	make_calls(1);
	run_worker(open_beside);
	sem_wait(&is_there);
	make_calls(CALLS);
	scenario_flush();
	syscall(SYS_exit_group, 3);
}

static void call_and_exit(void)
{
	make_calls(CALLS);
	exit(7);
}

static void scenario_exit_in_a_constructor(void)
{
	at_begin = call_and_exit;
	make_calls(1);
	open_plugin(PLUGIN_A_PATH);
}

/* The child cannot get a lock that another thread of its parent had. */
static void fork_beside_the_worker(void)
{
	int status;
	pid_t child;

	sem_wait(&is_there);
	child = fork();
	if (!child) {
		alarm(HANG_S);
		make_calls(CALLS);
		_exit(5);
	}
	waitpid(child, &status, 0);
	printf("%d %d\n", (int)child, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	sem_post(&stop);
	join_worker();
}

static void scenario_fork_beside_an_opening(void)
{
	at_begin = stay;
	make_calls(1);
	run_worker(open_beside);
	fork_beside_the_worker();
}

static int stay_in_a_walk(struct dl_phdr_info *info, size_t size, void *data)
{
	stay();
	return 1;
}

static void *walk(void *unused)
{
	dl_iterate_phdr(stay_in_a_walk, NULL);
	return NULL;
}

static void scenario_fork_beside_a_walk(void)
{
	make_calls(1);
	run_worker(walk);
	fork_beside_the_worker();
}

static void run_plugin(const char *path)
{
	void *plugin = open_plugin(path);
	int (*run)(void);

	*(void **)&run = dlsym(plugin, "plugin_run");
	if (run())
		exit(2);
	dlclose(plugin);
}

/* One gets the other's place, before the writer has looked. */
static void scenario_plugins_in_turn(void)
{
	make_calls(1);
	for (int i = 0; i < 2; i++) {
		run_plugin(PLUGIN_A_PATH);
		run_plugin(PLUGIN_B_PATH);
	}
}

/* An embedded Python is unloaded with its plugin. */
static void scenario_python_closed(void)
{
	make_calls(1);
	run_plugin(PLUGIN_PYTHON_PATH);
	make_calls(CALLS);
	scenario_flush();
	make_calls(CALLS);
}

static const struct scenario scenarios[] = {
	{"destructor-joins", scenario_destructor_joins},
	{"constructor-joins", scenario_constructor_joins},
	{"copy-beside", scenario_copy_beside},
	{"die-beside-an-opening", scenario_die_beside_an_opening},
	{"exit-in-a-constructor", scenario_exit_in_a_constructor},
	{"fork-beside-an-opening", scenario_fork_beside_an_opening},
	{"fork-beside-a-walk", scenario_fork_beside_a_walk},
	{"plugins-in-turn", scenario_plugins_in_turn},
	{"python-closed", scenario_python_closed},
	{NULL, NULL},
};

int main(int argc, char **argv)
{
	alarm(HANG_S);
	sem_init(&stop, 0, 0);
	sem_init(&is_there, 0, 0);
	scenario_find(scenarios, argc, argv)->run();
	return 0;
}
