/*
 * A loop of regular steps, of which some are slow, each for a reason of its own: what `streamtrace run --watch` must
 * notice and name (score.py).
 *
 *   slow_steps SEED [STEPS [KIND...]]   KINDs in an order that SEED decides, default: all; STEPS in all (default 800)
 *
 * Prints "PLANTED STEP KIND MS ms" for each, the step counted from 0, and what the others took.
 */
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <cuda_runtime.h>
#include <fcntl.h>
#include <nvrtc.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "preload/streamtrace.h"

#define CHECK(call)                                                                                \
	do {                                                                                       \
		cudaError_t error_ = (call);                                                       \
		if (error_ != cudaSuccess) {                                                       \
			fprintf(stderr, "slow_steps: %s: %s\n", #call,                             \
				cudaGetErrorString(error_));                                       \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

constexpr size_t copy_bytes = 1 << 20, file_bytes = 64 << 20, large_bytes = 512ul << 20;
constexpr int first_planted = 150, busy_processes = 20;
// On a fast machine, too, these take longer than the rest of a step, which is what makes it slow.
constexpr int allocations = 60, compiled_kernels = 240;

void launch_late(
	cudaStream_t
		stream); // late_kernel.cu: a module of its own, loaded when it is first launched

struct Pipe {
	int ends[2];
	Pipe()
	{
		if (pipe(ends))
			exit(1);
	}
	void tell()
	{
		char c = 0;
		if (write(ends[1], &c, 1) != 1)
			exit(1);
	}
	bool wait()
	{
		char c;
		return read(ends[0], &c, 1) == 1;
	}
};

static int64_t now_ns()
{
	timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static void busy_until(int64_t end_ns)
{
	while (now_ns() < end_ns)
		;
}

// Work that takes as long as it takes: not by the clock.
static volatile double sink;
static void host_work(int count)
{
	double x = 1;
	for (int i = 0; i < count; i++)
		x = x * 1.0000001 + 1e-9;
	sink = x;
}

static __global__ void spin(long long cycles)
{
	long long start = clock64();
	while (clock64() - start < cycles)
		;
}

// Children, made before CUDA begins: they act when told.
struct Helpers {
	Pipe stop, busy;
	std::vector<pid_t> pids;

	void start()
	{
		pid_t parent = getpid();
		int processors = std::thread::hardware_concurrency();

		add([&] {
			while (stop.wait()) {
				kill(parent, SIGSTOP);
				usleep(250000);
				kill(parent, SIGCONT);
			}
		});
		for (int i = 0; i < busy_processes * processors; i++)
			add([&] {
				while (busy.wait())
					busy_until(now_ns() + 400000000);
			});
	}
	template <class F> void add(F f)
	{
		pid_t pid = fork();
		if (!pid) {
			close(stop.ends[1]);
			close(busy.ends[1]);
			f();
			_exit(0);
		}
		pids.push_back(pid);
	}
	void press()
	{
		for (size_t i = 1; i < pids.size(); i++)
			busy.tell();
	}
	void end()
	{
		for (pid_t pid : pids)
			kill(pid, SIGKILL), waitpid(pid, nullptr, 0);
	}
};

struct Program {
	Helpers helpers;
	cudaStream_t stream;
	char *host, *device, *large_host, *large_device, *file_buffer;
	int file, log;
	std::string file_name;
	std::mutex results;
	std::atomic<bool> holds{false};

	void start()
	{
		helpers.start();
		CHECK(cudaStreamCreate(&stream));
		CHECK(cudaMallocHost((void **)&host, copy_bytes));
		CHECK(cudaMalloc((void **)&device, copy_bytes));
		CHECK(cudaMallocHost((void **)&large_host, large_bytes));
		CHECK(cudaMalloc((void **)&large_device, large_bytes));
		file_buffer = (char *)malloc(file_bytes);
		memset(file_buffer, 1, file_bytes);
		file_name = "/tmp/slow_steps." + std::to_string(getpid());
		file = open(file_name.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
		if (pwrite(file, file_buffer, file_bytes, 0) != (ssize_t)file_bytes)
			exit(1);
		fsync(file);
		log = open("/dev/null", O_WRONLY);
	}
	void end()
	{
		helpers.end();
		unlink(file_name.c_str());
	}
	void load()
	{
		if (pread(file, file_buffer, file_bytes, 0) != (ssize_t)file_bytes)
			exit(1);
		memcpy(host, file_buffer, copy_bytes);
	}
	void write_log(int fd)
	{
		for (int tries = 0; tries < 20; tries++) {
			if (write(fd, "step\n", 5) == 5)
				return;
			usleep(10000); // the disk is full: somebody will make room
		}
	}
	void store()
	{
		std::lock_guard<std::mutex> guard(results);
		host_work(100000);
	}
	void compute()
	{
		CHECK(cudaMemcpyAsync(device, host, copy_bytes, cudaMemcpyHostToDevice, stream));
		spin<<<1, 32, 0, stream>>>(4000000);
		CHECK(cudaMemcpyAsync(host, device, copy_bytes, cudaMemcpyDeviceToHost, stream));
		CHECK(cudaStreamSynchronize(stream));
	}
	void compile()
	{
		std::string source;
		for (int i = 0; i < compiled_kernels; i++)
			source += "__global__ void k" + std::to_string(i) +
				  "(float *p) { for (int i = 0; i < 64; i++) p[i] = sinf(p[i]) + "
				  "cosf(p[i + 1]); }\n";
		nvrtcProgram program;
		nvrtcCreateProgram(&program, source.c_str(), "late.cu", 0, nullptr, nullptr);
		nvrtcCompileProgram(program, 0, nullptr);
		nvrtcDestroyProgram(&program);
	}
	void reallocate()
	{
		for (int i = 0; i < allocations; i++) {
			char *block;
			CHECK(cudaMalloc((void **)&block, 2ul << 30));
			CHECK(cudaMemsetAsync(block, 0, 1 << 20, stream));
			CHECK(cudaFree(block));
		}
	}
	void straggle()
	{
		for (int i = 0; i < 8; i++)
			CHECK(cudaMemcpyAsync(large_host, large_device, large_bytes,
					      cudaMemcpyDeviceToHost, stream));
	}
	void hold_lock()
	{
		std::thread([this] {
			std::lock_guard<std::mutex> guard(results);
			holds = true;
			usleep(250000);
		}).detach();
		while (!holds)
			usleep(100);
		holds = false;
	}
	void step(const std::string &kind)
	{
		if (kind == "cold-file")
			posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
		if (kind == "stopped")
			helpers.stop.tell();
		if (kind == "other-processes")
			helpers.press();
		load();
		if (kind == "compile")
			compile();
		if (kind == "allocation")
			reallocate();
		if (kind == "copy")
			straggle();
		if (kind == "late-kernel")
			launch_late(stream);
		compute();
		if (kind == "lock")
			hold_lock();
		store();
		host_work(3000000);
		if (kind == "full-disk") {
			int fd = open("/dev/full", O_WRONLY);
			write_log(fd);
			close(fd);
		}
		write_log(log);
	}
};

int main(int argc, char **argv)
{
	std::vector<std::string> kinds{"stopped",	  "cold-file", "late-kernel",
				       "allocation",	  "full-disk", "copy",
				       "other-processes", "lock",      "compile"};
	int seed = argc > 1 ? atoi(argv[1]) : 1, steps = argc > 2 ? atoi(argv[2]) : 800;
	if (argc > 3)
		kinds.assign(argv + 3, argv + argc);
	std::vector<double> ms;
	static Program program;

	if (steps <= first_planted || kinds.empty()) {
		fprintf(stderr, "slow_steps: more than %d steps, and a kind\n", first_planted);
		return 2;
	}
	srand(seed);
	for (size_t i = kinds.size(); i > 1; i--)
		std::swap(kinds[i - 1], kinds[rand() % i]);
	int apart = (steps - first_planted) / (int)kinds.size();
	program.start();
	for (int i = 0; i < steps; i++) {
		int index = i - first_planted;
		std::string kind =
			index >= 0 && index % apart == 0 && index / apart < (int)kinds.size()
				? kinds[index / apart]
				: "";
		int64_t start_ns = now_ns();

		streamtrace_step();
		program.step(kind);
		double took_ms = (now_ns() - start_ns) / 1e6;
		if (kind.empty())
			ms.push_back(took_ms);
		else
			printf("PLANTED %d %s %.1f ms\n", i, kind.c_str(), took_ms), fflush(stdout);
	}
	program.end();
	std::sort(ms.begin(), ms.end());
	printf("ms %.2f median %.2f 99 of 100 %.2f longest\n", ms[ms.size() / 2],
	       ms[ms.size() * 99 / 100], ms.back());
	_exit(0);
}
