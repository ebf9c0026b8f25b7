/*
 * Pitfall: an inference loop that sends the weights of all layers with each batch, though they are
 * what the device has already.
 * Fix: the weights are sent once, before the loop.
 */
#include "samples/pipeline.h"

enum { LAYER_COUNT = 4, BATCH_ITEMS = 256, TILE_ITEMS = 8, TILE_OUTPUTS = 32 };

/* Inputs of each layer; the last number are the outputs of the network. */
static const int widths[LAYER_COUNT + 1] = {1024, 2048, 2048, 1024, 256};

/* 16 MiB to 1 KiB of words; two tensors a layer: its matrix and what is added to it. */
struct tensor {
	uint32_t *on_host, *on_device;
	size_t bytes;
};

struct network {
	struct tensor tensors[2 * LAYER_COUNT];
	uint32_t *activations[2]; /* on the device */
};

/* out[item][o] = shift[o] + sum of matrix[i][o] * in[item][i]. */
__global__ void apply_layer(uint32_t *out, const uint32_t *in, const uint32_t *matrix,
			    const uint32_t *shift, int in_count, int out_count)
{
	int o = (int)(blockIdx.x * TILE_OUTPUTS + threadIdx.x);
	size_t item = blockIdx.y * TILE_ITEMS + threadIdx.y;
	uint32_t sum = shift[o];

	for (int i = 0; i < in_count; i++)
		sum += matrix[(size_t)i * out_count + o] * in[item * in_count + i];
	out[item * out_count + o] = sum;
}

static void open_tensor(struct tensor *tensor, size_t count, uint32_t seed)
{
	tensor->bytes = count * sizeof(uint32_t);
	CHECK(cudaMallocHost(&tensor->on_host, tensor->bytes));
	CHECK(cudaMalloc(&tensor->on_device, tensor->bytes));
	for (size_t i = 0; i < count; i++)
		tensor->on_host[i] = ((uint32_t)i + seed) * 2654435761u;
}

static void open_network(struct network *network)
{
	for (int i = 0; i < LAYER_COUNT; i++) {
		open_tensor(&network->tensors[2 * i], (size_t)widths[i] * widths[i + 1], 7 * i);
		open_tensor(&network->tensors[2 * i + 1], widths[i + 1], 1000 * i);
	}
	for (uint32_t *&activations : network->activations)
		CHECK(cudaMalloc(&activations, (size_t)BATCH_ITEMS * 2048 * sizeof(uint32_t)));
}

static void close_network(struct network *network)
{
	for (uint32_t *activations : network->activations)
		CHECK(cudaFree(activations));
	for (struct tensor &tensor : network->tensors) {
		CHECK(cudaFree(tensor.on_device));
		CHECK(cudaFreeHost(tensor.on_host));
	}
}

static void send_weights(const struct network *network, cudaStream_t stream)
{
	for (const struct tensor &tensor : network->tensors)
		/* PITFALL: redundant-transfer */
		CHECK(cudaMemcpyAsync(tensor.on_device, tensor.on_host, tensor.bytes,
				      cudaMemcpyHostToDevice, stream));
}

/* Brings the outputs for the batch to result. */
static void infer(const struct pipeline *p, const struct network *network, const uint32_t *batch,
		  uint32_t *result)
{
	const struct slot *slot = &p->slots[0];
	uint32_t *in = slot->in;
	size_t result_bytes = (size_t)BATCH_ITEMS * widths[LAYER_COUNT] * sizeof(*result);

	CHECK(cudaMemcpyAsync(in, batch, p->chunk_bytes, cudaMemcpyHostToDevice, slot->stream));
	for (int i = 0; i < LAYER_COUNT; i++) {
		uint32_t *out = network->activations[i % 2];
		dim3 grid(widths[i + 1] / TILE_OUTPUTS, BATCH_ITEMS / TILE_ITEMS);

		apply_layer<<<grid, dim3(TILE_OUTPUTS, TILE_ITEMS), 0, slot->stream>>>(
			out, in, network->tensors[2 * i].on_device,
			network->tensors[2 * i + 1].on_device, widths[i], widths[i + 1]);
		CHECK(cudaGetLastError());
		in = out;
	}
	CHECK(cudaMemcpyAsync(result, in, result_bytes, cudaMemcpyDeviceToHost, slot->stream));
	CHECK(cudaStreamSynchronize(slot->stream));
}

/* Each result decides which batch is next. */
static void run(struct pipeline *p, const struct network *network, int batch_count)
{
	int next = 0;

	for (int i = 0; i < batch_count; i++) {
		uint32_t *result = pipeline_out(p, 0);

		if (!p->is_fixed)
			send_weights(network, p->slots[0].stream);
		infer(p, network, pipeline_in(p, next), result);
		p->host_result = p->host_result * 31 +
				 pipeline_checksum(result, BATCH_ITEMS * widths[LAYER_COUNT] / 16);
		next = (int)(p->host_result % (uint64_t)p->host_chunk_count);
	}
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct network network;

	pipeline_parse(&pipeline, "resent_weights", 100, argc, argv);
	pipeline.chunk_bytes = (size_t)BATCH_ITEMS * widths[0] * sizeof(uint32_t);
	pipeline.host_rows = 4;
	pipeline_open(&pipeline, HOST_PINNED);
	open_network(&network);
	if (pipeline.is_fixed)
		send_weights(&network, pipeline.slots[0].stream);
	run(&pipeline, &network, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, &network, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	close_network(&network);
	pipeline_close(&pipeline);
	return 0;
}
