/*
 * Pitfall: one thread controls a device: it sends 256 kB of sensor values, needs the answer of a
 * small kernel, and goes on. Another thread's batch work fills the GPU in the background. All
 * streams have the same priority: a small kernel gets no room before a kernel of the batch has no
 * more blocks to begin.
 * Fix: a stream of a higher priority for the controlling thread.
 */
#include "samples/pipeline.h"

#include <thread>

enum {
	BATCH_KERNELS = 12,
	BATCH_BYTES = 128 << 20,
	BATCH_ELEMENTS = BATCH_BYTES / sizeof(uint32_t),
	BATCH_ROUNDS = 1900, /* 8 ms a kernel; of which a block takes 65 us */
	SENSOR_BYTES = 256 << 10,
	SENSOR_ELEMENTS = SENSOR_BYTES / sizeof(uint32_t),
	SENSOR_ROUNDS = 1500, /* 11 us alone */
	STEP_COUNT = 270
};

struct control {
	cudaStream_t stream;
	uint32_t *sensors;
};

static void run_batch(cudaStream_t stream, uint32_t *batch)
{
	for (int i = 0; i < BATCH_KERNELS; i++) {
		mix_elements<<<BATCH_ELEMENTS / 256, 256, 0, stream>>>(batch, batch, BATCH_ELEMENTS,
								       BATCH_ROUNDS);
		CHECK(cudaGetLastError());
	}
	CHECK(cudaStreamSynchronize(stream));
}

/* Each step depends on the answer to the one before. */
static void run_control(struct pipeline *p, const struct control *control, int step_count)
{
	for (int i = 0; i < step_count; i++) {
		CHECK(cudaMemcpyAsync(control->sensors, p->host_in, p->host_bytes,
				      cudaMemcpyHostToDevice, control->stream));
		/* PITFALL: priority */
		mix_elements<<<SENSOR_ELEMENTS / 256, 256, 0, control->stream>>>(
			control->sensors, control->sensors, SENSOR_ELEMENTS, SENSOR_ROUNDS);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpyAsync(p->host_out, control->sensors, p->host_bytes,
				      cudaMemcpyDeviceToHost, control->stream));
		CHECK(cudaStreamSynchronize(control->stream));
		p->host_result += pipeline_checksum(p->host_in, SENSOR_ELEMENTS) ^
				  pipeline_checksum(p->host_out, SENSOR_ELEMENTS);
		p->host_in[0] = (uint32_t)p->host_result;
	}
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct control control = {};
	cudaStream_t batch_stream;
	uint32_t *batch;
	int least, greatest;

	pipeline_parse(&pipeline, "priority", STEP_COUNT, argc, argv);
	pipeline.chunk_bytes = SENSOR_BYTES / SLOT_COUNT;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
	CHECK(cudaStreamCreateWithPriority(&control.stream, cudaStreamNonBlocking,
					   pipeline.is_fixed ? greatest : least));
	CHECK(cudaStreamCreateWithPriority(&batch_stream, cudaStreamNonBlocking, least));
	CHECK(cudaMalloc(&control.sensors, pipeline.host_bytes));
	CHECK(cudaMalloc(&batch, BATCH_BYTES));
	CHECK(cudaMemset(batch, 0, BATCH_BYTES));
	run_control(&pipeline, &control, 1); /* warms up: loads the module */
	pipeline.host_in[0] = 0;
	CHECK(cudaDeviceSynchronize());
	pipeline_start(&pipeline);

	std::thread background(run_batch, batch_stream, batch);

	run_control(&pipeline, &control, pipeline.chunk_count);
	background.join();
	pipeline_stop(&pipeline);
	CHECK(cudaFree(batch));
	CHECK(cudaFree(control.sensors));
	CHECK(cudaStreamDestroy(batch_stream));
	CHECK(cudaStreamDestroy(control.stream));
	pipeline_close(&pipeline);
	return 0;
}
