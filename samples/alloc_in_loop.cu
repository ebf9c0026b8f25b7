/*
 * Pitfall: a function that is called again and again allocates its device memory and frees it. No
 * work is pending then, so that nothing waits; the calls take long by themselves.
 * Fix: allocate before the loop, and free after it.
 */
#include "samples/pipeline.h"

/* 4 MiB take an H100 0.13 us a round. The host reads the last words of a result. */
enum { PROBLEM_BYTES = 4 << 20, PROBLEM_ROUNDS = 200, RESULT_PART = 16 };

/* Device memory for one problem. */
struct workspace {
	uint32_t *state, *scratch;
};

static struct workspace open_workspace(const struct pipeline *p)
{
	struct workspace workspace;

	/* PITFALL: alloc-in-loop */
	CHECK(cudaMalloc(&workspace.state, p->chunk_bytes));
	/* PITFALL: alloc-in-loop */
	CHECK(cudaMalloc(&workspace.scratch, 3 * p->chunk_bytes));
	return workspace;
}

static void close_workspace(const struct workspace *workspace)
{
	CHECK(cudaFree(workspace->scratch));
	CHECK(cudaFree(workspace->state));
}

static void solve(const struct pipeline *p, const struct workspace *kept, uint32_t *result,
		  const uint32_t *problem)
{
	struct workspace workspace = kept ? *kept : open_workspace(p);
	cudaStream_t stream = p->slots[0].stream;
	uint32_t *state = workspace.state, *scratch = workspace.scratch;
	size_t bytes = p->chunk_bytes, count = pipeline_elements(p);
	size_t result_count = count / RESULT_PART;

	CHECK(cudaMemcpyAsync(state, problem, bytes, cudaMemcpyHostToDevice, stream));
	mix_elements<<<p->grid, p->block, 0, stream>>>(scratch, state, count, PROBLEM_ROUNDS);
	CHECK(cudaGetLastError());
	mix_elements<<<p->grid, p->block, 0, stream>>>(state, scratch, count, PROBLEM_ROUNDS);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpyAsync(result, state + count - result_count, bytes / RESULT_PART,
			      cudaMemcpyDeviceToHost, stream));
	CHECK(cudaStreamSynchronize(stream));
	if (!kept)
		close_workspace(&workspace);
}

/* Each result decides which problem is next. */
static void run(struct pipeline *p, const struct workspace *kept, int problem_count)
{
	int problem = 0;

	for (int i = 0; i < problem_count; i++) {
		uint32_t *result = pipeline_out(p, i);

		solve(p, kept, result, pipeline_in(p, problem));
		p->host_result = p->host_result * 31 +
				 pipeline_checksum(result, pipeline_elements(p) / RESULT_PART);
		problem = (int)(p->host_result % SLOT_COUNT);
	}
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct workspace kept, *workspace = NULL;

	pipeline_parse(&pipeline, "alloc_in_loop", 70, argc, argv);
	pipeline.chunk_bytes = PROBLEM_BYTES;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	if (pipeline.is_fixed) {
		kept = open_workspace(&pipeline);
		workspace = &kept;
	}
	run(&pipeline, workspace, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, workspace, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	if (workspace)
		close_workspace(workspace);
	pipeline_close(&pipeline);
	return 0;
}
