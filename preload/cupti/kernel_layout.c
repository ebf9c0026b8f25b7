#include "cupti/kernel_layout.h"

#include "base/atoms.h"
#include "base/loaded.h"
#include "base/losses.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>

#define WORD_BYTES	 sizeof(uint64_t)
#define PARAMETERS_BYTES 4096 /* beyond, a kernel's arguments are not read */
#define PARAMETERS	 (PARAMETERS_BYTES / WORD_BYTES)

typedef CUresult (*parameter_function)(CUfunction function, size_t index, size_t *offset,
				       size_t *size);

enum driver_state { DRIVER_NOT_ASKED, DRIVER_TELLS, DRIVER_IS_SILENT };

static struct {
	_Atomic int state;				    /* enum driver_state */
	_Atomic(parameter_function) of_function, of_kernel; /* a CUkernel, launched as it is */
} driver;

/* In the driver that the program has loaded. */
static bool find_driver(void)
{
	parameter_function of_function, of_kernel;

	if (atomic_load(&driver.state) != DRIVER_NOT_ASKED)
		return atomic_load(&driver.state) == DRIVER_TELLS;
	*(void **)&of_function = loaded_symbol("libcuda.so", "cuFuncGetParamInfo", NULL);
	*(void **)&of_kernel = loaded_symbol("libcuda.so", "cuKernelGetParamInfo", NULL);
	dlerror(); /* the program is not to find our failure there */
	atomic_store(&driver.of_function, of_function);
	atomic_store(&driver.of_kernel, of_kernel);
	atomic_store(&driver.state, of_function && of_kernel ? DRIVER_TELLS : DRIVER_IS_SILENT);
	return of_function && of_kernel;
}

/* How many parameters; 0 for none, or too many. */
static size_t ask(parameter_function tell, CUfunction function, uint64_t *words)
{
	size_t count = 0, offset, size;

	for (size_t i = 0; tell(function, i, &offset, &size) == CUDA_SUCCESS; i++) {
		size_t first = -offset % WORD_BYTES;

		if (i >= PARAMETERS_BYTES || offset + size > PARAMETERS_BYTES)
			return 0;
		if (count < PARAMETERS)
			words[count++] =
				PARAMETER_WORD(i, first < size ? first : size, size, offset);
	}
	return count;
}

static struct atom *ask_driver(CUfunction function)
{
	uint64_t words[PARAMETERS];
	size_t count = 0;
	struct atom *layout;

	if (!find_driver())
		return NULL;
	count = ask(atomic_load(&driver.of_function), function, words);
	if (!count)
		count = ask(atomic_load(&driver.of_kernel), function, words);
	if (!count)
		return NULL;
	layout = atom_intern(
		&(struct atom_text){.words = words, .count = (uint16_t)count, .kind = ATOM_LAYOUT},
		ATOM_ADD_SPARE);
	if (!layout)
		losses_count(LOSS_ARGUMENTS, 1);
	return layout;
}

struct atom *kernel_layout_ask(CUfunction function)
{
	int saved_errno = errno;
	struct atom *layout = ask_driver(function);

	errno = saved_errno;
	return layout;
}

const char *kernel_layout_status(void)
{
	int state = atomic_load(&driver.state);

	if (state == DRIVER_NOT_ASKED)
		return NULL;
	return state == DRIVER_TELLS ? "on"
				     : "the driver has no cuFuncGetParamInfo (before CUDA 12.4)";
}
