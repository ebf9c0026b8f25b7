/*
 * cuBLAS beside kernels of its own: rounds of copy in, two products (one in a second stream), a
 * kernel, copy back. Built with a shared and with a static cudart: cuBLAS has its own in either
 * case.
 */
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 25, SIDE = 256, ELEMENTS = SIDE * SIDE, BYTES = ELEMENTS * 4 };

static void check(int error, const char *call)
{
	if (!error)
		return;
	fprintf(stderr, "cublas_gemm: %s: error %d\n", call, error);
	exit(1);
}

#define CHECK(call) check((int)(call), #call)

static __global__ void shrink(float *data)
{
	data[blockIdx.x * blockDim.x + threadIdx.x] /= SIDE;
}

static void multiply(cublasHandle_t blas, cudaStream_t stream, const float *in, float *out)
{
	const float one = 1, zero = 0;

	CHECK(cublasSetStream(blas, stream));
	CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_T, SIDE, SIDE, SIDE, &one, in, SIDE, in,
			  SIDE, &zero, out, SIDE));
}

int main(void)
{
	float *host, *in, *out, *beside;
	cudaStream_t streams[2];
	cublasHandle_t blas;
	double sum = 0;

	CHECK(cublasCreate(&blas));
	for (int i = 0; i < 2; i++)
		CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
	CHECK(cudaMallocHost((void **)&host, BYTES));
	CHECK(cudaMalloc((void **)&in, BYTES));
	CHECK(cudaMalloc((void **)&out, BYTES));
	CHECK(cudaMalloc((void **)&beside, BYTES));
	for (int i = 0; i < ELEMENTS; i++)
		host[i] = (float)(i % 17) / 17;
	for (int i = 0; i < ROUNDS; i++) {
		CHECK(cudaMemcpyAsync(in, host, BYTES, cudaMemcpyHostToDevice, streams[0]));
		CHECK(cudaStreamSynchronize(streams[0]));
		multiply(blas, streams[0], in, out);
		multiply(blas, streams[1], in, beside);
		CHECK(cudaMemsetAsync(beside, 0, BYTES, streams[1]));
		shrink<<<ELEMENTS / 256, 256, 0, streams[0]>>>(out);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpyAsync(host, out, BYTES, cudaMemcpyDeviceToHost, streams[0]));
		CHECK(cudaDeviceSynchronize());
	}
	for (int i = 0; i < ELEMENTS; i++)
		sum += host[i];
	printf("sum %.4g\n", sum); /* cuBLAS in two streams may differ in the last bits */
	CHECK(cublasDestroy(blas));
	return 0;
}
