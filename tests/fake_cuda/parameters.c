/* What kernels take, as far as a test says so. */
#include "device.h"

enum { KERNELS = 16, PARAMETERS = 8 };

static struct parameters {
	const void *kernel;
	size_t sizes[PARAMETERS], count;
} all[KERNELS];

/* The kernel's entry, or a free one. */
static struct parameters *find(const void *kernel)
{
	for (int i = 0; i < KERNELS; i++)
		if (!all[i].kernel || all[i].kernel == kernel)
			return &all[i];
	fake_cuda_abort("more than %d kernels with parameters", KERNELS);
}

void fake_cuda_set_parameters(const void *kernel, const size_t *sizes, size_t count)
{
	struct parameters *parameters;

	if (count > PARAMETERS)
		fake_cuda_abort("more than %d parameters", PARAMETERS);
	device_lock();
	parameters = find(kernel);
	*parameters = (struct parameters){.kernel = kernel, .count = count};
	for (size_t i = 0; i < count; i++)
		parameters->sizes[i] = sizes[i];
	device_unlock();
}

bool fake_cuda_parameter(const void *kernel, size_t index, size_t *offset, size_t *size)
{
	struct parameters parameters;

	device_lock();
	parameters = *find(kernel);
	device_unlock();
	if (!parameters.kernel)
		parameters = (struct parameters){.sizes = {sizeof(uint64_t)}, .count = 1};
	if (index >= parameters.count)
		return false;
	*offset = 0;
	for (size_t i = 0;; i++) {
		/* Aligned as on the device: to 8 bytes, or to its own size. */
		size_t alignment = parameters.sizes[i] < 8 ? parameters.sizes[i] : 8;

		*offset = (*offset + alignment - 1) / alignment * alignment;
		*size = parameters.sizes[i];
		if (i == index)
			return true;
		*offset += *size;
	}
}
