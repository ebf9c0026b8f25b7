/*
 * Pitfall: a solver with two phases in each step. Between them the host fetches both fields and
 * sends them back as they came, for the second phase was written for fields on the host.
 * Fix: the fields stay on the device.
 */
#include "samples/pipeline.h"

/* The heat of a grid of cells, and what it is carried by: a field of 24 MiB and one of 6. */
enum { ROWS = 3072, COLUMNS = 2048, FLOW_PART = 4, BLOCK = 256, TRANSPORT_PASSES = 120 };

struct field {
	uint32_t *on_host, *on_device;
	size_t bytes;
};

struct fields {
	struct field heat, flow;
	uint32_t *last_heat; /* on the device, of the step before */
	struct field change; /* one word */
};

/* Each cell takes from the cell that its flow points to, `passes` times. */
__global__ void transport(uint32_t *out, const uint32_t *heat, const uint32_t *flow, int passes)
{
	uint32_t cell = blockIdx.x * BLOCK + threadIdx.x, value = heat[cell];

	for (int i = 0; i < passes; i++) {
		uint32_t from =
			flow[(cell + (uint32_t)i) / FLOW_PART % (ROWS * COLUMNS / FLOW_PART)];

		value += heat[(cell + from % COLUMNS) % (ROWS * COLUMNS)] ^ (value >> 3);
	}
	out[cell] = value;
}

/* The mean of the neighbours; *change counts cells by what they lost or won. */
__global__ void diffuse(uint32_t *out, const uint32_t *heat, uint32_t *flow, uint32_t *change)
{
	uint32_t cell = blockIdx.x * BLOCK + threadIdx.x, count = ROWS * COLUMNS;
	uint32_t sum = heat[(cell + 1) % count] / 4 + heat[(cell + count - 1) % count] / 4 +
		       heat[(cell + COLUMNS) % count] / 4 +
		       heat[(cell + count - COLUMNS) % count] / 4;

	out[cell] = sum;
	if (cell % FLOW_PART == 0)
		flow[cell / FLOW_PART] += sum % 5;
	if (cell % 4096 == 0)
		atomicAdd(change, sum ^ heat[cell]);
}

static void open_field(struct field *field, size_t count, uint32_t factor)
{
	field->bytes = count * sizeof(uint32_t);
	CHECK(cudaMalloc(&field->on_device, field->bytes));
	CHECK(cudaMallocHost(&field->on_host, field->bytes));
	for (size_t i = 0; i < count; i++)
		field->on_host[i] = (uint32_t)i * factor;
	CHECK(cudaMemcpy(field->on_device, field->on_host, field->bytes, cudaMemcpyHostToDevice));
}

static void close_field(struct field *field)
{
	CHECK(cudaFreeHost(field->on_host));
	CHECK(cudaFree(field->on_device));
}

static void open_fields(struct fields *fields)
{
	open_field(&fields->heat, (size_t)ROWS * COLUMNS, 2654435761u);
	open_field(&fields->flow, (size_t)ROWS * COLUMNS / FLOW_PART, 40503);
	open_field(&fields->change, 1, 0);
	CHECK(cudaMalloc(&fields->last_heat, fields->heat.bytes));
	CHECK(cudaMemcpy(fields->last_heat, fields->heat.on_host, fields->heat.bytes,
			 cudaMemcpyHostToDevice));
}

static void close_fields(struct fields *fields)
{
	CHECK(cudaFree(fields->last_heat));
	close_field(&fields->change);
	close_field(&fields->flow);
	close_field(&fields->heat);
}

static void fetch(const struct field *field)
{
	CHECK(cudaMemcpy(field->on_host, field->on_device, field->bytes, cudaMemcpyDeviceToHost));
}

static void send_back(const struct field *field)
{
	/* PITFALL: redundant-transfer */
	CHECK(cudaMemcpy(field->on_device, field->on_host, field->bytes, cudaMemcpyHostToDevice));
}

/* Returns what changed, which the next step needs. */
static uint32_t step(const struct fields *fields, bool is_fixed, int passes)
{
	const struct field *heat = &fields->heat, *flow = &fields->flow, *change = &fields->change;
	dim3 grid(ROWS * COLUMNS / BLOCK), block(BLOCK);

	transport<<<grid, block>>>(heat->on_device, fields->last_heat, flow->on_device, passes);
	CHECK(cudaGetLastError());
	if (!is_fixed) {
		fetch(heat);
		fetch(flow);
		send_back(heat);
		send_back(flow);
	}
	diffuse<<<grid, block>>>(fields->last_heat, heat->on_device, flow->on_device,
				 change->on_device);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(change->on_host, change->on_device, change->bytes,
			 cudaMemcpyDeviceToHost));
	return *change->on_host;
}

static uint64_t run(const struct fields *fields, bool is_fixed, int step_count)
{
	uint64_t result = 0;
	uint32_t change = 0;

	for (int i = 0; i < step_count; i++) {
		change = step(fields, is_fixed, TRANSPORT_PASSES + (int)(change % 8));
		result = result * 31 + change;
	}
	return result;
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct fields fields;

	pipeline_parse(&pipeline, "round_trip", 80, argc, argv);
	pipeline.chunk_bytes = sizeof(uint32_t);
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	open_fields(&fields);
	run(&fields, pipeline.is_fixed, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	pipeline.host_result = run(&fields, pipeline.is_fixed, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	close_fields(&fields);
	pipeline_close(&pipeline);
	return 0;
}
