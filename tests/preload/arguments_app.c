/*
 * The traced program of arguments_test.c: `arguments_app SCENARIO`. It prints the addresses that
 * its kernels were given, which the trace must hold.
 */
#include <stdio.h>

#include "fake_cuda.h"
#include "scenario.h"

static const dim3 one = {1, 1, 1};

/* A struct that is passed by value. */
struct view {
	int rows, columns;
	const float *data;
	double scale;
	float *out;
};

void scale_kernel(void **args);
void view_kernel(void **args);
void count_kernel(void **args);
void wide_kernel(void **args);
void idle_kernel(void **args);
void fill_kernel(void **args);

void scale_kernel(void **args)
{
}

void view_kernel(void **args)
{
}

void count_kernel(void **args)
{
}

void wide_kernel(void **args)
{
}

void idle_kernel(void **args)
{
}

void fill_kernel(void **args)
{
}

static void register_kernels(void)
{
	const size_t scale[] = {8, 4, 8, 8}, view[] = {8, sizeof(struct view)}, count[] = {8, 4, 8};
	const size_t wide[] = {8, 65 * 8}, fill[] = {8, 8, 4};

	fake_cuda_set_parameters((const void *)scale_kernel, scale, 4);
	fake_cuda_set_parameters((const void *)view_kernel, view, 2);
	fake_cuda_set_parameters((const void *)count_kernel, count, 3);
	fake_cuda_set_parameters((const void *)wide_kernel, wide, 2);
	fake_cuda_set_parameters((const void *)idle_kernel, NULL, 0);
	fake_cuda_set_parameters((const void *)fill_kernel, fill, 3);
}

static void launch(void (*kernel)(void **), void **args)
{
	__cudaLaunchKernel((cudaKernel_t)kernel, one, one, args, 0, NULL);
}

static void scale_some(int count, float *out, const float *in)
{
	uint64_t duration_ns = 1000;

	launch(scale_kernel, (void *[]){&duration_ns, &count, &out, &in});
}

static void scale(float *out, const float *in)
{
	scale_some(7, out, in);
}

static float *allocate(void)
{
	void *memory;

	cudaMalloc(&memory, 4096);
	return memory;
}

static void print(const void *address)
{
	printf("%lld\n", (long long)(intptr_t)address);
}

/* The same pointers, others, the same again; one of them into the middle. */
static void scenario_pointers(void)
{
	float *a = allocate(), *b = allocate();

	for (int i = 0; i < 3; i++)
		scale(a, b);
	scale(b, a + 16);
	scale(a, b);
	print(a);
	print(b);
}

static void scenario_struct(void)
{
	uint64_t duration_ns = 1000;
	void *pinned;
	struct view view = {3, 4, allocate(), 0.5, NULL};

	cudaMallocHost(&pinned, 4096);
	view.out = pinned;
	launch(view_kernel, (void *[]){&duration_ns, &view});
	print(view.data);
	print(view.out);
}

/* The second launch has other pointers only, the third another number. */
static void scenario_numbers(void)
{
	uint64_t duration_ns = 1000;
	float *a = allocate(), *b = allocate();
	struct view view = {3, 4, a, 0.5, b};

	scale_some(7, a, b);
	scale_some(7, b, a);
	scale_some(8, a, b);
	scale_some(7, a, b);
	launch(view_kernel, (void *[]){&duration_ns, &view});
	view.data = b;
	launch(view_kernel, (void *[]){&duration_ns, &view});
	view.scale = 0.25; /* structs are not looked into */
	launch(view_kernel, (void *[]){&duration_ns, &view});
	view.scale = 0.5;
	launch(view_kernel, (void *[]){&duration_ns, &view});
	launch(idle_kernel, (void *[]){&duration_ns});
}

/* Numbers, no parameters, too many pointers: none has arguments. */
static void scenario_none(void)
{
	uint64_t duration_ns = 1000, big = 123456789;
	int count = 7;
	float *wide[65];

	wide[0] = allocate();
	for (int i = 1; i < 65; i++)
		wide[i] = wide[0] + i;
	launch(count_kernel, (void *[]){&duration_ns, &count, &big});
	launch(idle_kernel, (void *[]){&duration_ns});
	launch(wide_kernel, (void *[]){&duration_ns, wide});
}

/* NULL, memory that nothing known is near, and NULL again; a number that no pointer can be, and one
 * that could be. */
static void scenario_null(void)
{
	uint64_t duration_ns = 1000;
	int count = 7;
	void *fills[] = {NULL, (void *)(uintptr_t)0x123456789000, NULL};
	uint64_t numbers[] = {UINT64_C(1) << 48, UINT64_C(1) << 32};

	for (int i = 0; i < 3; i++)
		launch(fill_kernel, (void *[]){&duration_ns, &fills[i], &count});
	for (int i = 0; i < 2; i++)
		launch(count_kernel, (void *[]){&duration_ns, &count, &numbers[i]});
}

/* Only what is launched, and whatever was allocated before the window. */
static void scenario_entry_points(void)
{
	uint64_t duration_ns = 1000;
	int count = 7;
	float *a = allocate();
	void *args[] = {&duration_ns, &count, &a, &a};
	const cudaLaunchConfig_t config = {.gridDim = one, .blockDim = one};

	cudaLaunchKernel((const void *)scale_kernel, one, one, args, 0, NULL);
	cudaLaunchKernelExC(&config, (const void *)scale_kernel, args);
	cudaLaunchCooperativeKernel((const void *)scale_kernel, one, one, args, 0, NULL);
	cudaMemset(a, 0, 4096);
}

static const struct scenario scenarios[] = {
	{"pointers", scenario_pointers},
	{"struct", scenario_struct},
	{"numbers", scenario_numbers},
	{"none", scenario_none},
	{"entry-points", scenario_entry_points},
	{"null", scenario_null},
	{NULL, NULL},
};

int main(int argc, char **argv)
{
	const struct scenario *scenario = scenario_find(scenarios, argc, argv);

	register_kernels();
	scenario->run();
	cudaDeviceSynchronize();
	return 0;
}
