/*
 * A library function as one writes it first: it takes an image in host memory, allocates what it
 * needs on the device, filters, and returns a new std::vector with the result. The program calls it
 * for one image after the other and keeps what is brightest.
 *
 * Pitfalls: device memory is allocated and freed in each call, images and results are pageable, and
 * each result is memory of its own.
 * Fix: a filter object that keeps its device memory and one pinned buffer for image and result each.
 */
#include <memory>
#include <vector>

#include "tests/bench/pairs/pair.h"

enum { WIDTH = 2000, HEIGHT = 1500, IMAGES = 120, IMAGE_KINDS = 6, BLOCK_SIZE = 256 };

static const size_t image_words = (size_t)WIDTH * HEIGHT;
static const size_t image_bytes = image_words * sizeof(uint32_t);

static __global__ void filter_image(uint32_t *out, const uint32_t *in, int passes)
{
	int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

	if (i >= WIDTH * HEIGHT)
		return;

	uint32_t above = i >= WIDTH ? in[i - WIDTH] : 0, value = in[i];
	uint32_t below = i + WIDTH < WIDTH * HEIGHT ? in[i + WIDTH] : 0;

	for (int pass = 0; pass < passes; pass++)
		value = (value / 2 + above / 4 + below / 4) * 1664525u + 1013904223u;
	out[i] = value;
}

static void launch_filter(uint32_t *out, uint32_t *between, const uint32_t *in)
{
	unsigned int grid = (unsigned int)((image_words + BLOCK_SIZE - 1) / BLOCK_SIZE);

	filter_image<<<grid, BLOCK_SIZE>>>(between, in, 600);
	CHECK(cudaGetLastError());
	filter_image<<<grid, BLOCK_SIZE>>>(out, between, 600);
	CHECK(cudaGetLastError());
}

/* The first version. */
static std::vector<uint32_t> filtered(const std::vector<uint32_t> &image)
{
	std::vector<uint32_t> result(image_words);
	uint32_t *in, *between, *out;

	/* PITFALL: alloc-in-loop */
	CHECK(cudaMalloc(&in, image_bytes));
	CHECK(cudaMalloc(&between, image_bytes));
	CHECK(cudaMalloc(&out, image_bytes));
	/* PITFALL: pageable-blocking */
	CHECK(cudaMemcpy(in, image.data(), image_bytes, cudaMemcpyHostToDevice));
	launch_filter(out, between, in);
	/* PITFALL: pageable-blocking */
	CHECK(cudaMemcpy(result.data(), out, image_bytes, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(between));
	CHECK(cudaFree(in));
	return result;
}

/* The second one. Images are pinned by their owner. */
struct filter {
	uint32_t *in, *between, *out, *result;

	filter()
	{
		CHECK(cudaMalloc(&in, image_bytes));
		CHECK(cudaMalloc(&between, image_bytes));
		CHECK(cudaMalloc(&out, image_bytes));
		CHECK(cudaMallocHost(&result, image_bytes));
	}

	~filter()
	{
		CHECK(cudaFreeHost(result));
		CHECK(cudaFree(out));
		CHECK(cudaFree(between));
		CHECK(cudaFree(in));
	}

	/* Valid until the next call. */
	const uint32_t *apply(const std::vector<uint32_t> &image) const
	{
		CHECK(cudaMemcpy(in, image.data(), image_bytes, cudaMemcpyHostToDevice));
		launch_filter(out, between, in);
		CHECK(cudaMemcpy(result, out, image_bytes, cudaMemcpyDeviceToHost));
		return result;
	}
};

static uint64_t brightness(const uint32_t *words)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < image_words; i++)
		sum += words[i] & 255;
	return sum;
}

static std::vector<std::vector<uint32_t>> make_images(bool is_pinned)
{
	std::vector<std::vector<uint32_t>> images(IMAGE_KINDS, std::vector<uint32_t>(image_words));
	uint32_t state = 1;

	for (std::vector<uint32_t> &image : images) {
		for (uint32_t &word : image) {
			state = state * 1664525u + 1013904223u;
			word = state >> 3;
		}
		if (is_pinned)
			CHECK(cudaHostRegister(image.data(), image_bytes, 0));
	}
	return images;
}

/* The brightest of all results. */
static uint64_t run(const std::vector<std::vector<uint32_t>> &images, const filter *kept, int count)
{
	uint64_t best = 0;

	for (int i = 0; i < count; i++) {
		const std::vector<uint32_t> &image = images[(size_t)(i * 5 % IMAGE_KINDS)];
		uint64_t sum =
			kept ? brightness(kept->apply(image)) : brightness(filtered(image).data());

		best = sum > best ? sum : best;
	}
	return best;
}

int main(int argc, char **argv)
{
	bool is_fixed = pair_parse(argc, argv, PAIR_FIXED) == PAIR_FIXED;
	std::vector<std::vector<uint32_t>> images = make_images(is_fixed);
	std::unique_ptr<filter> kept(is_fixed ? new filter : nullptr);
	int64_t start_ns, time_ns;
	uint64_t best;

	run(images, kept.get(), 1); /* warms up: loads the kernel */
	CHECK(cudaProfilerStart());
	start_ns = pair_now_ns();
	best = run(images, kept.get(), IMAGES);
	time_ns = pair_now_ns() - start_ns;
	CHECK(cudaProfilerStop());
	pair_print(pair_checksum(0, (const uint32_t *)&best, sizeof(best) / 4), time_ns);
	if (is_fixed)
		for (std::vector<uint32_t> &image : images)
			CHECK(cudaHostUnregister(image.data()));
	return 0;
}
