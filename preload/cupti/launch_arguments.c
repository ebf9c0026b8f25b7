#include "cupti/launch_arguments.h"

#include "base/argument_position.h"
#include "base/atoms.h"
#include "base/hash.h"
#include "base/loaded.h"
#include "base/losses.h"
#include "recorder/recorder.h"
#include "store/store.h"

#include <cuda.h>

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

#define WORD_BYTES	 sizeof(uint64_t)
#define PARAMETERS_BYTES 4096 /* beyond, a kernel's arguments are not read */
#define PARAMETERS	 (PARAMETERS_BYTES / WORD_BYTES)
#define KEPT_WORDS	 64 /* of a launch; with more it has none */

#define KERNELS 16384 /* a power of two */
#define PROBES	64    /* slots that a search tries */

/* Memory that was ever allocated, a bit a GiB: what the device addresses lies below 2^47. */
#define GRANULE_BITS 30
#define ADDRESS_BITS 47
#define GRANULES     (1u << (ADDRESS_BITS - GRANULE_BITS))

/* A parameter of a layout, in one word. */
#define PARAMETER_WORD(index, offset, size)                                                        \
	((uint64_t)(index) << 32 | (uint64_t)(offset) << 16 | (uint64_t)(size))
#define PARAMETER_INDEX(word)  ((size_t)((word) >> 32))
#define PARAMETER_OFFSET(word) ((size_t)((word) >> 16 & 0xffff))
#define PARAMETER_SIZE(word)   ((size_t)((word)&0xffff))

/* Pointers fit into 48 bits; above them the generation of kernels that it was asked in. */
#define POINTER_BITS 48
#define POINTER_MASK ((UINT64_C(1) << POINTER_BITS) - 1)

struct kernel {
	_Atomic uint64_t function; /* the CUfunction, 0: free */
	/* Generation and an atom of kind ATOM_LAYOUT; no atom: it has no parameters that could be
	 * read. 0: not asked. */
	_Atomic uint64_t layout;
	_Atomic(struct atom *) last; /* arguments: most launches repeat them */
};

typedef CUresult (*parameter_function)(CUfunction function, size_t index, size_t *offset,
				       size_t *size);

enum driver_state { DRIVER_NOT_ASKED, DRIVER_TELLS, DRIVER_IS_SILENT };

static struct {
	struct kernel kernels[KERNELS];
	_Atomic uint64_t granules[GRANULES / 64];
	_Atomic int driver;				    /* enum driver_state */
	_Atomic(parameter_function) of_function, of_kernel; /* a CUkernel, launched as it is */
} known;

static _Atomic uint32_t generation_now = 1; /* beside the rest, which takes no room in the file */

/* A launch as the driver was given it. */
struct launch {
	CUfunction function;
	void **parameters; /* NULL: they lie in the buffer */
	const char *buffer;
	size_t buffer_bytes;
};

void launch_arguments_note_memory(uint64_t address, uint64_t size_bytes)
{
	uint64_t first = address >> GRANULE_BITS;
	uint64_t last = size_bytes ? (address + size_bytes - 1) >> GRANULE_BITS : first;

	for (uint64_t i = first; i <= last && i < GRANULES; i++)
		atomic_fetch_or(&known.granules[i / 64], UINT64_C(1) << i % 64);
}

static bool is_address(uint64_t word)
{
	uint64_t granule = word >> GRANULE_BITS;

	return granule < GRANULES &&
	       atomic_load_explicit(&known.granules[granule / 64], memory_order_relaxed) >>
			       granule % 64 &
		       1;
}

void launch_arguments_forget_kernels(void)
{
	atomic_fetch_add(&generation_now, 1);
}

/* In the driver that the program has loaded. */
static bool find_driver(void)
{
	parameter_function of_function, of_kernel;

	if (atomic_load(&known.driver) != DRIVER_NOT_ASKED)
		return atomic_load(&known.driver) == DRIVER_TELLS;
	*(void **)&of_function = loaded_symbol("libcuda.so", "cuFuncGetParamInfo", NULL);
	*(void **)&of_kernel = loaded_symbol("libcuda.so", "cuKernelGetParamInfo", NULL);
	dlerror(); /* the program is not to find our failure there */
	atomic_store(&known.of_function, of_function);
	atomic_store(&known.of_kernel, of_kernel);
	atomic_store(&known.driver, of_function && of_kernel ? DRIVER_TELLS : DRIVER_IS_SILENT);
	return of_function && of_kernel;
}

/* How many parameters; 0 for none, or too many. */
static size_t ask(parameter_function tell, CUfunction function, uint64_t *words)
{
	size_t count = 0, offset, size;

	for (size_t i = 0; tell(function, i, &offset, &size) == CUDA_SUCCESS; i++) {
		if (i >= PARAMETERS_BYTES || offset + size > PARAMETERS_BYTES)
			return 0;
		if (count < PARAMETERS)
			words[count++] = PARAMETER_WORD(i, offset, size);
	}
	return count;
}

/* Its own function: of the program's stack, which may be small, a launch is to take little. */
static __attribute__((noinline)) struct atom *ask_driver(CUfunction function)
{
	uint64_t words[PARAMETERS];
	size_t count = 0;
	struct atom *layout;

	if (!find_driver())
		return NULL;
	count = ask(atomic_load(&known.of_function), function, words);
	if (!count)
		count = ask(atomic_load(&known.of_kernel), function, words);
	if (!count)
		return NULL;
	layout = atom_intern(
		&(struct atom_text){.words = words, .count = (uint16_t)count, .kind = ATOM_LAYOUT},
		ATOM_ADD_SPARE);
	if (!layout)
		losses_count(LOSS_ARGUMENTS, 1);
	return layout;
}

/* Its slot in the table, taken if need be; NULL: there is none. */
static struct kernel *find_kernel(CUfunction function)
{
	uint64_t key = (uint64_t)function, hash = hash_word(key) >> 32;

	for (size_t i = 0; key && i < PROBES; i++) {
		struct kernel *kernel = &known.kernels[(hash + i) % KERNELS];
		uint64_t found = atomic_load_explicit(&kernel->function, memory_order_acquire);

		if (found == key ||
		    (!found && atomic_compare_exchange_strong(&kernel->function, &found, key)))
			return kernel;
		if (found == key)
			return kernel;
	}
	return NULL;
}

static const struct atom *layout_of(struct kernel *kernel, CUfunction function)
{
	uint64_t generation = (uint16_t)atomic_load_explicit(&generation_now, memory_order_acquire);
	uint64_t layout = atomic_load_explicit(&kernel->layout, memory_order_acquire);

	if (!layout || layout >> POINTER_BITS != generation) {
		layout = (uint64_t)ask_driver(function) | generation << POINTER_BITS;
		atomic_store_explicit(&kernel->layout, layout, memory_order_release);
	}
	return (const struct atom *)(layout & POINTER_MASK);
}

/* What a launch's arguments come to. */
struct arguments {
	uint64_t words[2 * KEPT_WORDS]; /* positions and pointers */
	size_t count;			/* of pairs; can be more than fit */
	uint64_t numbers;
};

static inline void take_number(struct arguments *arguments, uint64_t word)
{
	arguments->numbers = hash_word(arguments->numbers ^ word);
	arguments->numbers ^= arguments->numbers >> 32;
}

/* Fewer than a word. Most are an int or a float. */
static inline uint64_t read_bytes(const char *bytes, size_t size)
{
	uint64_t word = 0;
	uint32_t half;

	if (size == sizeof(half)) {
		memcpy(&half, bytes, sizeof(half));
		return half;
	}
	memcpy(&word, bytes, size);
	return word;
}

/* Pointers, which lie where the device has words aligned, and numbers, which are the rest. */
static void take_parameter(const struct launch *launch, uint64_t parameter,
			   struct arguments *arguments)
{
	size_t index = PARAMETER_INDEX(parameter), offset = PARAMETER_OFFSET(parameter);
	size_t size = PARAMETER_SIZE(parameter);
	const char *bytes =
		launch->parameters ? launch->parameters[index] : launch->buffer + offset;
	/* Where the device would have it aligned. */
	size_t first = (WORD_BYTES - offset % WORD_BYTES) % WORD_BYTES;

	size_t at = first < size ? first : size;

	if (!bytes || (!launch->parameters && offset + size > launch->buffer_bytes))
		return;
	if (at)
		take_number(arguments, read_bytes(bytes, at));
	for (; at + WORD_BYTES <= size; at += WORD_BYTES) {
		uint64_t word;

		memcpy(&word, bytes + at, sizeof(word));
		if (!is_address(word)) {
			take_number(arguments, word);
			continue;
		}
		if (arguments->count < KEPT_WORDS) {
			arguments->words[2 * arguments->count] = argument_position(index, at);
			arguments->words[2 * arguments->count + 1] = word;
		}
		arguments->count++;
	}
	if (at < size)
		take_number(arguments, read_bytes(bytes + at, size - at));
}

static struct atom *find_arguments(struct kernel *kernel, const uint64_t *words, size_t count)
{
	struct atom *last = atomic_load_explicit(&kernel->last, memory_order_acquire);

	if (last && last->count == count && !memcmp(last->words, words, count * sizeof(*words)))
		return last;
	last = atom_intern(&(struct atom_text){.words = words,
					       .count = (uint16_t)count,
					       .kind = ATOM_ARGUMENTS},
			   ATOM_ADD_SPARE);
	if (last)
		atomic_store_explicit(&kernel->last, last, memory_order_release);
	else
		losses_count(LOSS_ARGUMENTS, 1);
	return last;
}

static struct atom *read_arguments(const struct launch *launch)
{
	struct kernel *kernel = find_kernel(launch->function);
	struct arguments arguments;
	const struct atom *layout;

	if (!kernel) {
		if (launch->function)
			losses_count(LOSS_ARGUMENTS, 1);
		return NULL;
	}
	layout = layout_of(kernel, launch->function);
	if (!layout)
		return NULL;
	arguments.count = 0;
	arguments.numbers = 0;
	for (size_t i = 0; i < layout->count; i++)
		take_parameter(launch, layout->words[i], &arguments);
	recorder_thread.numbers = (uint32_t)(hash_word(arguments.numbers) >> 48);
	if (!recorder_thread.numbers)
		recorder_thread.numbers = 1; /* 0 is none */
	return arguments.count && arguments.count <= KEPT_WORDS
		       ? find_arguments(kernel, arguments.words, 2 * arguments.count)
		       : NULL;
}

/* The other form of giving parameters: one buffer of them all. */
static void find_buffer(struct launch *launch, void **extra)
{
	for (; extra && extra[0] != CU_LAUNCH_PARAM_END; extra += 2) {
		if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
			launch->buffer = extra[1];
		else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
			launch->buffer_bytes = *(const size_t *)extra[1];
		else
			return;
	}
}

static bool find_launch(enum function function, const void *params, struct launch *launch)
{
	const cuLaunchKernel_params *plain = params;
	const cuLaunchKernelEx_params *ex = params;
	const cuLaunchCooperativeKernel_params *cooperative = params;

	if (function == FUNCTION_cuLaunchKernel) {
		*launch = (struct launch){plain->f, plain->kernelParams, NULL, 0};
		if (!plain->kernelParams)
			find_buffer(launch, plain->extra);
	} else if (function == FUNCTION_cuLaunchKernelEx) {
		*launch = (struct launch){ex->f, ex->kernelParams, NULL, 0};
		if (!ex->kernelParams)
			find_buffer(launch, ex->extra);
	} else if (function == FUNCTION_cuLaunchCooperativeKernel) {
		*launch = (struct launch){cooperative->f, cooperative->kernelParams, NULL, 0};
	} else {
		return false;
	}
	return true;
}

void launch_arguments_enter(enum function function, const CUpti_CallbackData *data)
{
	struct launch launch;

	recorder_thread.arguments =
		find_launch(function, data->functionParams, &launch) &&
				(launch.parameters || launch.buffer) &&
				atomic_load_explicit(&recorder_state, memory_order_relaxed) ==
					RECORDER_ON
			? read_arguments(&launch)
			: NULL;
}

void launch_arguments_describe(struct store *store)
{
	int driver = atomic_load(&known.driver);

	if (driver != DRIVER_NOT_ASKED)
		store_metadata(store, "launch_arguments",
			       driver == DRIVER_TELLS
				       ? "on"
				       : "the driver has no cuFuncGetParamInfo (before CUDA 12.4)");
}
