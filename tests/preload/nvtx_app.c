/* The traced program of nvtx_test.c: `nvtx_app SCENARIO`. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nvtx3/nvToolsExt.h>

#include "fake_cuda.h"
#include "scenario.h"
#include "streamtrace.h"

enum { DEPTH = 100, LONG_NAME = 300, MANY = 50000, NAMES = 100, MANY_THREADS = 4 };

static void call_cuda(size_t bytes)
{
	static void *device;

	if (!device)
		cudaMalloc(&device, 1 << 16);
	cudaMemsetAsync(device, 0, bytes, NULL);
}

/* The level that is returned is what a program without a tool reads, too. */
static void scenario_nested(void)
{
	int levels[4];

	call_cuda(1);
	levels[0] = nvtxRangePushA("outer");
	levels[1] = nvtxRangePushA("inner");
	call_cuda(2);
	levels[2] = nvtxRangePop();
	call_cuda(4);
	levels[3] = nvtxRangePop();
	printf("levels %d %d %d %d\n", levels[0], levels[1], levels[2], levels[3]);
	/* One too many. */
	nvtxRangePop();
}

/* Before the first call into CUDA: what is open then is recorded, what has ended is not. */
static void scenario_before(void)
{
	nvtxRangePushA("over");
	nvtxRangePop();
	nvtxRangePushA("waiting");
	nvtxRangePushA("open for ever");
	nvtxRangeStartA("too early");
	call_cuda(1);
	nvtxRangePushA("later");
	nvtxRangePop();
}

/* The same, and nothing but the end comes behind the call. */
static void scenario_waiting(void)
{
	nvtxRangePushA("all");
	call_cuda(1);
}

/* Ten steps after a warm-up, each with a set of 1, 2, 4... bytes, and a range in each whose name is like a step's. */
static void scenario_steps(void)
{
	char name[32];

	call_cuda(4096);
	nvtxRangePushA("train");
	for (int i = 0; i < 10; i++) {
		snprintf(name, sizeof(name), "Step %d", i);
		nvtxRangePushA(name);
		nvtxRangePushA("optimizer.step");
		call_cuda((size_t)1 << i);
		nvtxRangePop();
		nvtxRangePop();
	}
	nvtxRangePop();
	call_cuda(8192);
}

/* The same with ranges of nvtxRangeStart(), named by registered strings. */
static void scenario_started_steps(void)
{
	nvtxStringHandle_t registered =
		nvtxDomainRegisterStringA(NULL, "generate a token, at last a name that is long");
	nvtxEventAttributes_t attributes = {.version = NVTX_VERSION,
					    .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
					    .messageType = NVTX_MESSAGE_TYPE_REGISTERED,
					    .message.registered = registered};

	for (int i = 0; i < 5; i++) {
		nvtxRangeId_t id = nvtxRangeStartEx(&attributes);

		call_cuda((size_t)1 << i);
		nvtxRangeEnd(id);
	}
}

static void scenario_no_cuda(void)
{
	nvtxRangePushA("host only");
	nvtxRangePop();
}

static void push_with(nvtxDomainHandle_t domain, nvtxEventAttributes_t *attributes)
{
	attributes->version = NVTX_VERSION;
	attributes->size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	nvtxDomainRangePushEx(domain, attributes);
}

/* Ranges of two domains that end in the order in which they began. */
static void scenario_domains(void)
{
	nvtxDomainHandle_t domain = nvtxDomainCreateA("library");
	nvtxStringHandle_t registered = nvtxDomainRegisterStringA(domain, "registered");
	nvtxEventAttributes_t attributes = {.colorType = NVTX_COLOR_ARGB,
					    .color = 0xff336699,
					    .messageType = NVTX_MESSAGE_TYPE_REGISTERED,
					    .message.registered = registered};

	printf("same %d\n", domain == nvtxDomainCreateW(L"library"));
	call_cuda(1);
	nvtxRangePushW(L"Größe 木 😀");
	push_with(domain, &attributes);
	nvtxRangePop();
	nvtxDomainRangePop(domain);
	/* Handles of nobody, and attributes of no version. */
	attributes.message.registered = (nvtxStringHandle_t)(uintptr_t)12345678;
	push_with((nvtxDomainHandle_t)(uintptr_t)1e15, &attributes);
	nvtxDomainRangePop((nvtxDomainHandle_t)(uintptr_t)1e15);
	nvtxRangePushEx(&(nvtxEventAttributes_t){0});
	nvtxRangePop();
	nvtxRangePushA(NULL);
	nvtxRangePop();
}

static void *end_range(void *id)
{
	nvtxRangeEnd(*(nvtxRangeId_t *)id);
	return NULL;
}

/* Two that overlap, of which another thread ends one; and ends of what never began. */
static void scenario_started(void)
{
	nvtxRangeId_t first, second;
	pthread_t thread;

	call_cuda(1);
	first = nvtxRangeStartA("first");
	second = nvtxRangeStartA("second");
	pthread_create(&thread, NULL, end_range, &first);
	pthread_join(thread, NULL);
	nvtxRangeEnd(second);
	printf("ids differ %d\n", first != second && first && second);
	nvtxRangeEnd(0);
	nvtxRangeEnd(42);
	nvtxRangeEnd(second);
}

static void *push_on_thread(void *unused)
{
	nvtxRangePushA("of a thread");
	nvtxRangePop();
	nvtxRangePushA("left open");
	return NULL;
}

/* A thread that makes no call into CUDA. */
static void scenario_threads(void)
{
	pthread_t thread;

	call_cuda(1);
	nvtxRangePushA("of main");
	pthread_create(&thread, NULL, push_on_thread, NULL);
	pthread_join(thread, NULL);
	nvtxRangePop();
}

static void *push_many(void *unused)
{
	char name[32];

	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "range %d", i % NAMES);
		nvtxRangePushA(name);
		nvtxRangePop();
	}
	return NULL;
}

/* As fast as they come. */
static void scenario_many(void)
{
	pthread_t threads[MANY_THREADS];

	call_cuda(1);
	nvtxInitialize(NULL); /* its first call sets pointers that other threads read */
	for (int i = 0; i < MANY_THREADS; i++)
		pthread_create(&threads[i], NULL, push_many, NULL);
	for (int i = 0; i < MANY_THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void scenario_names(void)
{
	char name[LONG_NAME + 1], *endless = malloc(100000);

	call_cuda(1);
	for (int length = 79; length <= LONG_NAME; length += length == 82 ? LONG_NAME - 82 : 1) {
		memset(name, 'n', (size_t)length);
		name[length] = '\0';
		nvtxRangePushA(name);
		nvtxRangePop();
	}
	memset(endless, 'e', 99999);
	endless[99999] = '\0';
	nvtxRangePushA(endless);
	nvtxRangePop();
	free(endless);
}

static void scenario_deep(void)
{
	char name[16];

	call_cuda(1);
	for (int i = 0; i < DEPTH; i++) {
		snprintf(name, sizeof(name), "%d", i);
		nvtxRangePushA(name);
	}
	for (int i = 0; i < DEPTH; i++)
		nvtxRangePop();
	nvtxRangePushA("behind");
	nvtxRangePop();
}

static void scenario_windows(void)
{
	call_cuda(1);
	nvtxRangePushA("around");
	nvtxRangePushA("outside");
	nvtxRangePop();
	streamtrace_start();
	nvtxRangePushA("inside");
	call_cuda(2);
	nvtxRangePop();
	streamtrace_stop();
	nvtxRangePushA("outside");
	nvtxRangePop();
	nvtxRangePop();
}

static void scenario_killed(void)
{
	call_cuda(1);
	nvtxRangePushA("killed");
	nvtxRangePushA("done");
	nvtxRangePop();
	scenario_wait_to_be_killed();
}

static void scenario_fork(void)
{
	call_cuda(1);
	nvtxRangePushA("parent");
	if (fork() == 0) {
		nvtxRangePop();
		nvtxRangePushA("child");
		nvtxRangePop();
		exit(0);
	}
	wait(NULL);
	nvtxRangePop();
}

static void scenario_environment(void)
{
	const char *path = getenv("NVTX_INJECTION64_PATH");

	scenario_nested();
	printf("path %s\n", path ? path : "none");
}

static const struct scenario scenarios[] = {
	{"nested", scenario_nested},
	{"before", scenario_before},
	{"waiting", scenario_waiting},
	{"no-cuda", scenario_no_cuda},
	{"domains", scenario_domains},
	{"started", scenario_started},
	{"threads", scenario_threads},
	{"many", scenario_many},
	{"names", scenario_names},
	{"deep", scenario_deep},
	{"windows", scenario_windows},
	{"steps", scenario_steps},
	{"started-steps", scenario_started_steps},
	{"killed", scenario_killed},
	{"fork", scenario_fork},
	{"environment", scenario_environment},
	{NULL, NULL},
};

int main(int argc, char **argv)
{
	scenario_find(scenarios, argc, argv)->run();
	return 0;
}
