/*
 * Regular steps without end, in which one incident begins after some: what killed.py kills. steps OUTPUT, its output's name without .db.
 * Runs on tests/fake_cuda, too.
 */
#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "preload/streamtrace.h"

enum { CALLS = 20, BYTES = 1 << 16, TRIGGER_STEP = 200, PAUSE_US = 1000 };

int main(int argc, char **argv)
{
	char trigger[4096];
	void *device;

	if (argc != 2 || cudaMalloc(&device, BYTES))
		return 2;
	snprintf(trigger, sizeof(trigger), "%s.trigger", argv[1]);
	for (int i = 0;; i++) {
		streamtrace_step();
		for (int k = 0; k < CALLS; k++)
			cudaMemsetAsync(device, k, BYTES, NULL);
		cudaStreamSynchronize(NULL);
		if (i == TRIGGER_STEP)
			close(creat(trigger, 0600));
		usleep(PAUSE_US);
	}
}
