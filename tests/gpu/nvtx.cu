// Ranges around work on a GPU: `nvtx` makes them as a program does, `nvtx cost` says what one takes.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include <nvtx3/nvToolsExt.h>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		cudaError_t error = (call);                                                        \
		if (error) {                                                                       \
			fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));             \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

enum { STEPS = 20, THREADS = 3, BYTES = 32 << 20, LOOPS = 200000 };

__global__ void spin(float *data, int rounds)
{
	float value = data[threadIdx.x];

	for (int i = 0; i < rounds; i++)
		value = value * 1.0001f + 1;
	data[threadIdx.x] = value;
}

// A pageable copy in "load", a kernel in "forward": the finding is in the first.
static void step(nvtxDomainHandle_t domain, nvtxStringHandle_t forward, void *device, void *host)
{
	nvtxEventAttributes_t attributes = {};

	nvtxRangePushA("load");
	CHECK(cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice));
	nvtxRangePop();
	attributes.version = NVTX_VERSION;
	attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	attributes.colorType = NVTX_COLOR_ARGB;
	attributes.color = 0xff00aa00;
	attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
	attributes.message.registered = forward;
	nvtxDomainRangePushEx(domain, &attributes);
	spin<<<1, 32>>>((float *)device, 200000);
	nvtxDomainRangePop(domain);
}

static void work()
{
	nvtxRangePushA("run"); // before the first call
	nvtxDomainHandle_t domain = nvtxDomainCreateA("train");
	nvtxStringHandle_t forward = nvtxDomainRegisterStringA(domain, "forward");
	void *device, *host = malloc(BYTES);
	std::vector<std::thread> threads;
	char name[32];

	memset(host, 1, BYTES);
	CHECK(cudaMalloc(&device, BYTES));
	nvtxRangeId_t whole = nvtxRangeStartA("all steps");
	for (int i = 0; i < STEPS; i++) {
		snprintf(name, sizeof(name), "step %d", i);
		nvtxRangePushA(name);
		step(domain, forward, device, host);
		nvtxRangePop();
	}
	nvtxRangeEnd(whole);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++)
		threads.emplace_back([] {
			nvtxRangePushA("on a thread");
			CHECK(cudaStreamSynchronize(cudaStreamPerThread));
			nvtxRangePop();
		});
	for (std::thread &thread : threads)
		thread.join();
	nvtxRangePop();
	printf("steps %d\n", (int)STEPS);
}

static void cost()
{
	CHECK(cudaFree(nullptr));
	for (int run = 0; run < 3; run++) {
		auto start = std::chrono::steady_clock::now();

		for (int i = 0; i < LOOPS; i++) {
			nvtxRangePushA("a range of the loop");
			nvtxRangePop();
		}
		std::chrono::duration<double, std::nano> took =
			std::chrono::steady_clock::now() - start;
		printf("%.0f ", took.count() / LOOPS);
	}
	printf("ns a range\n");
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "cost"))
		cost();
	else
		work();
	return 0;
}
