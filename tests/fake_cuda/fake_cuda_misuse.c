/* Misuse, injection and exit: each in a process of its own, `fake_cuda_test NAME`. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "fake_cuda_tracer.h"

/* What each misuse does, in a process of its own: `fake_cuda_test NAME`. */
static void misuse_destroyed_stream(void)
{
	cudaStream_t stream;

	cudaStreamCreate(&stream);
	cudaStreamDestroy(stream);
	cudaStreamSynchronize(stream);
}

static void misuse_destroyed_event(void)
{
	cudaEvent_t event;

	cudaEventCreate(&event);
	cudaEventDestroy(event);
	cudaEventRecord(event, NULL);
}

static void misuse_double_free(void)
{
	void *memory;

	cudaMalloc(&memory, 64);
	cudaFree(memory);
	cudaFree(memory);
}

static void misuse_free_of_pinned(void)
{
	void *memory;

	cudaMallocHost(&memory, 64);
	cudaFree(memory);
}

static void misuse_flush_first(void)
{
	cuptiActivityFlushAll(0);
}

static void misuse_enable_unsubscribed(void)
{
	cuptiEnableDomain(1, NULL, CUPTI_CB_DOMAIN_DRIVER_API);
}

static void misuse_enable_unregistered(void)
{
	cuptiActivityEnable(CUPTI_ACTIVITY_KIND_DEVICE);
	cudaFree(NULL);
}

static void misuse_foreign_buffer(void)
{
	static uint64_t buffer[64];
	CUpti_Activity *record = NULL;

	cuptiActivityGetNextRecord((uint8_t *)buffer, sizeof(buffer), &record);
}

static void request_null(uint8_t **buffer, size_t *size, size_t *max_records)
{
	*buffer = NULL;
	*size = 0;
	*max_records = 0;
}

static void misuse_null_buffer(void)
{
	cuptiActivityRegisterCallbacks(request_null, on_complete);
	cuptiActivityEnable(CUPTI_ACTIVITY_KIND_DEVICE);
	cudaFree(NULL);
}

static void request_same(uint8_t **buffer, size_t *size, size_t *max_records)
{
	static uint64_t memory[64];

	*buffer = (uint8_t *)memory;
	*size = sizeof(memory);
	*max_records = 1;
}

static void misuse_buffer_given_twice(void)
{
	cuptiActivityRegisterCallbacks(request_same, on_complete);
	enable_all_kinds();
	cudaFree(NULL);
}

static void complete_with_cuda(CUcontext context, uint32_t stream_id, uint8_t *buffer, size_t size,
			       size_t valid_size)
{
	cudaDeviceSynchronize();
}

static void misuse_cuda_in_buffer_callback(void)
{
	cuptiActivityRegisterCallbacks(on_request, complete_with_cuda);
	enable_all_kinds();
	cudaFree(NULL);
	cuptiActivityFlushAll(0);
}

static const struct {
	const char *name;
	void (*run)(void);
	const char *message; /* part of its line on stderr */
} misuses[] = {
	{"destroyed-stream", misuse_destroyed_stream, "does not exist"},
	{"destroyed-event", misuse_destroyed_event, "does not exist"},
	{"double-free", misuse_double_free, "was freed before"},
	{"free-of-pinned", misuse_free_of_pinned, "not an allocation of this kind"},
	{"flush-first", misuse_flush_first, "before cuptiActivityRegisterCallbacks"},
	{"enable-unsubscribed", misuse_enable_unsubscribed, "without a subscription"},
	{"enable-unregistered", misuse_enable_unregistered, "no buffer callback"},
	{"foreign-buffer", misuse_foreign_buffer, "not handed back"},
	{"null-buffer", misuse_null_buffer, "cannot hold records"},
	{"buffer-given-twice", misuse_buffer_given_twice, "was given before"},
	{"cuda-in-buffer-callback", misuse_cuda_in_buffer_callback, "a CUDA call inside"},
};

/* Runs this program with one argument; returns its wait status and what it wrote to fd. */
static int run_self(const char *argument, int fd, char *output, size_t size)
{
	int pipe_fds[2];
	size_t length = 0;
	ssize_t got;
	int status;
	pid_t child;

	assert_int_equal(pipe(pipe_fds), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		dup2(pipe_fds[1], fd);
		close(pipe_fds[0]);
		execl("/proc/self/exe", "fake_cuda_test", argument, (char *)NULL);
		_exit(127);
	}
	close(pipe_fds[1]);
	while ((got = read(pipe_fds[0], output + length, size - 1 - length)) > 0)
		length += (size_t)got;
	output[length] = '\0';
	close(pipe_fds[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

void test_misuse_aborts(void **state)
{
	char output[4096];

	for (size_t i = 0; i < sizeof(misuses) / sizeof(misuses[0]); i++) {
		const int status = run_self(misuses[i].name, STDERR_FILENO, output, sizeof(output));

		print_message("%s: %s", misuses[i].name, output);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGABRT);
		assert_non_null(strstr(output, misuses[i].message));
		assert_ptr_equal(strchr(output, '\n'), output + strlen(output) - 1);
	}
}

void test_injection_happens_once(void **state)
{
	char output[256];

	setenv("CUDA_INJECTION64_PATH", INJECTED_PATH, 1);
	assert_int_equal(run_self("two-calls", STDOUT_FILENO, output, sizeof(output)), 0);
	assert_string_equal(output, "injected\n");
	setenv("FAKE_NO_CUPTI_INJECTION", "1", 1);
	assert_int_equal(run_self("two-calls", STDOUT_FILENO, output, sizeof(output)), 0);
	assert_string_equal(output, "");
	unsetenv("FAKE_NO_CUPTI_INJECTION");
	unsetenv("CUDA_INJECTION64_PATH");
}

static void flush_too_late(void)
{
	printf("%d %d\n", cudaFree(NULL) == cudaErrorCudartUnloading,
	       cuptiActivityFlushAll(0) == CUPTI_ERROR_NOT_INITIALIZED);
}

/* What is registered before cuInit runs after the driver has gone. */
void test_an_early_exit_handler_runs_too_late(void **state)
{
	char output[256];

	assert_int_equal(run_self("late-handler", STDOUT_FILENO, output, sizeof(output)), 0);
	assert_string_equal(output, "1 1\n");
}

int run_named(const char *name)
{
	if (!strcmp(name, "two-calls"))
		return cudaFree(NULL) || cudaFree(NULL);
	if (!strcmp(name, "late-handler"))
		return atexit(flush_too_late) || cudaFree(NULL);
	for (size_t i = 0; i < sizeof(misuses) / sizeof(misuses[0]); i++)
		if (!strcmp(name, misuses[i].name))
			misuses[i].run();
	return 0;
}
