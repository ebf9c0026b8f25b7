/* What a launch gives its kernel, as the driver is told: without a tracer around it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_test.h"
#include "base/argument_position.h"
#include "base/atoms.h"
#include "fake_cuda.h"
#include "cupti/launch_arguments.h"
#include "recorder/recorder.h"
#include "store/store.h"
#include "base/losses.h"

/* The recorder's, the writer's and the store's part. */
__thread struct recorder_thread recorder_thread;
_Atomic int recorder_state = RECORDER_ON;
static uint64_t lost;

void losses_count(enum loss loss, uint64_t count)
{
	assert_int_equal(loss, LOSS_ARGUMENTS);
	lost += count;
}

void store_metadata(struct store *store, const char *key, const char *value)
{
}

static char kernels[4][16];
static char memory[4096];

static const struct atom *enter(const cuLaunchKernel_params *params)
{
	const CUpti_CallbackData data = {.callbackSite = CUPTI_API_ENTER, .functionParams = params};

	launch_arguments_enter(FUNCTION_cuLaunchKernel, &data);
	return recorder_thread.arguments;
}

static const struct atom *launch(const void *kernel, void *a, uint64_t n)
{
	void *args[] = {&a, &n};

	return enter(&(cuLaunchKernel_params){.f = (CUfunction)kernel, .kernelParams = args});
}

static int set_up(void **state)
{
	const size_t sizes[] = {8, 8};

	fake_cuda_set_parameters(kernels[0], sizes, 2);
	fake_cuda_set_parameters(kernels[1], sizes, 2);
	launch_arguments_note_memory((uint64_t)memory, sizeof(memory));
	return cudaFree(NULL);
}

TEST(test_equal_arguments_are_one)
{
	const struct atom *first = launch(kernels[0], memory, 5);

	assert_non_null(first);
	assert_int_equal(first->count, 2);
	assert_int_equal(first->words[0], argument_position(0, 0));
	assert_int_equal(first->words[1], (uint64_t)memory);
	assert_ptr_equal(launch(kernels[0], memory, 6), first);
	assert_ptr_not_equal(launch(kernels[0], memory + 64, 5), first);
	assert_ptr_equal(launch(kernels[1], memory, 5), first);
}

TEST(test_parameters_in_one_buffer)
{
	uint64_t buffer[2] = {3, (uint64_t)memory};
	size_t size = sizeof(buffer);
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
			 CU_LAUNCH_PARAM_END};
	const cuLaunchKernel_params params = {.f = (CUfunction)kernels[0], .extra = extra};
	const struct atom *found = enter(&params);

	assert_non_null(found);
	assert_int_equal(found->words[0], argument_position(1, 0));
	assert_int_equal(found->words[1], (uint64_t)memory);
	size = 8; /* the second one is not in it */
	assert_null(enter(&params));
}

TEST(test_what_the_driver_would_refuse)
{
	assert_null(enter(&(cuLaunchKernel_params){.f = (CUfunction)kernels[0]}));
	assert_null(launch(NULL, memory, 5));
	assert_null(enter(&(cuLaunchKernel_params){.f = (CUfunction)kernels[0],
						   .kernelParams = (void *[]){NULL, NULL}}));
}

/* A handle that came to mean another kernel must not be read by the first one's layout. */
TEST(test_a_module_goes)
{
	const size_t one = 8;

	fake_cuda_set_parameters(kernels[2], (size_t[]){4, 8}, 2);
	assert_null(launch(kernels[2], memory, 5)); /* its pointer would be the second */
	fake_cuda_set_parameters(kernels[2], &one, 1);
	assert_null(launch(kernels[2], memory, 5));
	launch_arguments_forget_kernels();
	assert_non_null(launch(kernels[2], memory, 5));
	/* As many as a layout's 16 bits can count. */
	fake_cuda_set_parameters(kernels[2], (size_t[]){4, 8}, 2);
	for (int i = 0; i < 1 << 16; i++)
		launch_arguments_forget_kernels();
	assert_null(launch(kernels[2], memory, 5));
}

TEST(test_other_calls_have_none)
{
	const CUpti_CallbackData data = {.callbackSite = CUPTI_API_ENTER};

	assert_non_null(launch(kernels[0], memory, 5));
	launch_arguments_enter(FUNCTION_cuMemcpy, &data);
	assert_null(recorder_thread.arguments);
}

TEST(test_between_windows_nothing_is_read)
{
	recorder_state = RECORDER_PAUSED;
	assert_null(launch(kernels[0], memory, 5));
	recorder_state = RECORDER_ON;
	assert_non_null(launch(kernels[0], memory, 5));
}

/* Sets take half of the table at most: the rest is for call stacks. */
TEST(test_the_table_is_full)
{
	enum { SETS = 40000 };
	uint64_t kept = 0;

	launch_arguments_note_memory((uint64_t)memory & -((uint64_t)1 << 30), (uint64_t)1 << 30);
	for (uint64_t i = 0; i < SETS; i++)
		kept += launch(kernels[0], memory + i % 64, (uint64_t)memory + i) != NULL;
	assert_in_range(kept, 30000, ATOMS_LIMIT / 2);
	assert_int_equal(lost, SETS - kept);
	assert_false(atoms_are_full());
}

RUN_TESTS(set_up, NULL)
