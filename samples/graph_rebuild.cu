/*
 * Pitfall: a multigrid solver captures and instantiates the graph of its cycle in each step, because
 * one argument of its first kernel changes: the damping, which follows from the step before.
 * Fix: the graph is instantiated once; cudaGraphExecKernelNodeSetParams() sets the argument.
 */
#include "samples/pipeline.h"

/* A square grid of unsigned numbers, with a rim that stays; 18 nodes a cycle. */
enum { LEVELS = 4, EDGE = 1024, BLOCK_EDGE = 16, STEP_COUNT = 140, PARTS = 1024 };

struct grid_level {
	uint32_t *values, *other;
	int edge;
};

/* value = the mean of its four neighbours, weighed against itself. */
__global__ static void smooth(uint32_t *out, const uint32_t *in, int edge, uint32_t damping)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	int at = y * edge + x;
	uint64_t sum;

	if (x >= edge || y >= edge)
		return;
	if (x == 0 || y == 0 || x == edge - 1 || y == edge - 1) {
		out[at] = in[at];
		return;
	}
	sum = (uint64_t)in[at - 1] + in[at + 1] + in[at - edge] + in[at + edge];
	out[at] = (uint32_t)((sum / 4 * damping + (uint64_t)in[at] * (256 - damping)) / 256);
}

__global__ static void coarsen(uint32_t *coarse, const uint32_t *fine, int edge)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < edge && y < edge)
		coarse[y * edge + x] = fine[4 * y * edge + 2 * x];
}

__global__ static void refine(uint32_t *fine, const uint32_t *coarse, int edge)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	int at = y * edge + x;

	if (x > 0 && y > 0 && x < edge - 1 && y < edge - 1)
		fine[at] = fine[at] / 2 + coarse[y / 2 * (edge / 2) + x / 2] / 2;
}

/* Sums of parts of the grid, for the host. */
__global__ static void sum_parts(uint32_t *sums, const uint32_t *values, int count)
{
	int part = blockIdx.x * blockDim.x + threadIdx.x;
	uint32_t sum = 0;

	if (part >= PARTS)
		return;
	for (int i = part; i < count; i += PARTS)
		sum += values[i] >> 10;
	sums[part] = sum;
}

struct solver {
	struct grid_level levels[LEVELS];
	uint32_t *sums, *host_sums;
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaGraphExec_t cycle;
	cudaGraphNode_t first; /* whose damping changes */
	uint32_t damping;
	uint64_t result;
};

static dim3 grid_of(int edge)
{
	int blocks = (edge + BLOCK_EDGE - 1) / BLOCK_EDGE;

	return dim3(blocks, blocks);
}

static void enqueue_smooth(const struct solver *solver, const struct grid_level *level,
			   uint32_t damping)
{
	dim3 grid = grid_of(level->edge), block(BLOCK_EDGE, BLOCK_EDGE);

	smooth<<<grid, block, 0, solver->stream>>>(level->other, level->values, level->edge,
						   damping);
	CHECK(cudaGetLastError());
	smooth<<<grid, block, 0, solver->stream>>>(level->values, level->other, level->edge, 128);
	CHECK(cudaGetLastError());
}

static void enqueue_cycle(const struct solver *solver)
{
	const struct grid_level *levels = solver->levels;
	dim3 block(BLOCK_EDGE, BLOCK_EDGE);

	enqueue_smooth(solver, &levels[0], solver->damping);
	for (int i = 1; i < LEVELS; i++) {
		coarsen<<<grid_of(levels[i].edge), block, 0, solver->stream>>>(
			levels[i].values, levels[i - 1].values, levels[i].edge);
		CHECK(cudaGetLastError());
		enqueue_smooth(solver, &levels[i], 96);
	}
	for (int i = LEVELS - 1; i > 0; i--) {
		refine<<<grid_of(levels[i - 1].edge), block, 0, solver->stream>>>(
			levels[i - 1].values, levels[i].values, levels[i - 1].edge);
		CHECK(cudaGetLastError());
	}
	enqueue_smooth(solver, &levels[0], 192);
	sum_parts<<<PARTS / 128, 128, 0, solver->stream>>>(solver->sums, levels[0].values,
							   EDGE * EDGE);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpyAsync(solver->host_sums, solver->sums, PARTS * sizeof(*solver->sums),
			      cudaMemcpyDeviceToHost, solver->stream));
}

static void build_cycle(struct solver *solver)
{
	size_t count = 1;

	CHECK(cudaStreamBeginCapture(solver->stream, cudaStreamCaptureModeThreadLocal));
	enqueue_cycle(solver);
	CHECK(cudaStreamEndCapture(solver->stream, &solver->graph));
	/* PITFALL: graph-rebuild */
	CHECK(cudaGraphInstantiate(&solver->cycle, solver->graph, 0));
	CHECK(cudaGraphGetRootNodes(solver->graph, &solver->first, &count));
}

static void destroy_cycle(const struct solver *solver)
{
	CHECK(cudaGraphExecDestroy(solver->cycle));
	CHECK(cudaGraphDestroy(solver->graph));
}

static void update_cycle(struct solver *solver)
{
	struct grid_level *level = &solver->levels[0];
	void *arguments[] = {&level->other, &level->values, &level->edge, &solver->damping};
	struct cudaKernelNodeParams params = {};

	params.func = (void *)smooth;
	params.gridDim = grid_of(level->edge);
	params.blockDim = dim3(BLOCK_EDGE, BLOCK_EDGE);
	params.kernelParams = arguments;
	CHECK(cudaGraphExecKernelNodeSetParams(solver->cycle, solver->first, &params));
}

/* The sums decide the damping of the next step. */
static void step(struct solver *solver, bool is_fixed)
{
	if (is_fixed)
		update_cycle(solver);
	else
		build_cycle(solver);
	CHECK(cudaGraphLaunch(solver->cycle, solver->stream));
	CHECK(cudaStreamSynchronize(solver->stream));
	if (!is_fixed)
		destroy_cycle(solver);
	solver->result = solver->result * 31 + pipeline_checksum(solver->host_sums, PARTS);
	solver->damping = 64 + (uint32_t)(solver->result % 128);
}

static void open_solver(struct solver *solver)
{
	for (int i = 0; i < LEVELS; i++) {
		struct grid_level *level = &solver->levels[i];
		size_t count;

		level->edge = EDGE >> i;
		count = (size_t)level->edge * level->edge;
		CHECK(cudaMalloc(&level->values, count * sizeof(*level->values)));
		CHECK(cudaMalloc(&level->other, count * sizeof(*level->other)));
	}
	CHECK(cudaMalloc(&solver->sums, PARTS * sizeof(*solver->sums)));
	CHECK(cudaMallocHost(&solver->host_sums, PARTS * sizeof(*solver->host_sums)));
	CHECK(cudaStreamCreate(&solver->stream));
}

static void close_solver(const struct solver *solver)
{
	CHECK(cudaStreamDestroy(solver->stream));
	CHECK(cudaFreeHost(solver->host_sums));
	CHECK(cudaFree(solver->sums));
	for (const struct grid_level &level : solver->levels) {
		CHECK(cudaFree(level.other));
		CHECK(cudaFree(level.values));
	}
}

static void solve(struct solver *solver, const struct pipeline *p, int step_count)
{
	solver->damping = 100;
	solver->result = 0;
	CHECK(cudaMemcpyAsync(solver->levels[0].values, pipeline_in(p, 0), p->chunk_bytes,
			      cudaMemcpyHostToDevice, solver->stream));
	for (int i = 0; i < step_count; i++)
		step(solver, p->is_fixed);
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct solver solver = {};

	pipeline_parse(&pipeline, "graph_rebuild", STEP_COUNT, argc, argv);
	pipeline.chunk_bytes = EDGE * EDGE * sizeof(uint32_t);
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	open_solver(&solver);
	solver.damping = 100;
	if (pipeline.is_fixed)
		build_cycle(&solver);
	solve(&solver, &pipeline, 2); /* warms up: loads the module */
	pipeline_start(&pipeline);
	solve(&solver, &pipeline, pipeline.chunk_count);
	pipeline.host_result = solver.result;
	pipeline_stop(&pipeline);
	if (pipeline.is_fixed)
		destroy_cycle(&solver);
	close_solver(&solver);
	pipeline_close(&pipeline);
	return 0;
}
