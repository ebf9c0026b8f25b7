/*
 * The traced program of loader_test.c: `loader_app SCENARIO`. It loads and unloads libraries in ways
 * that are right, and that a tracer which asks the loader at a wrong time turns into a hang.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include <cuda.h>
#include <cuda_profiler_api.h>

#include "fake_cuda.h"
#include "scenario.h"

enum { SMALL_BYTES = 16, COPY_BYTES = 4096, POLL_US = 1000, HANG_S = 60 };

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

static const struct scenario scenarios[] = {
	{"destructor-joins", scenario_destructor_joins},
	{"constructor-joins", scenario_constructor_joins},
	{"copy-beside", scenario_copy_beside},
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
