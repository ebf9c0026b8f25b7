#include "cupti/launch_arguments.h"

#include "base/argument_position.h"
#include "base/atoms.h"
#include "base/hash.h"
#include "base/losses.h"
#include "cupti/kernel_layout.h"
#include "recorder/recorder.h"
#include "store/store.h"

#include <cuda.h>

#include <stdatomic.h>
#include <string.h>

#define WORD_BYTES sizeof(uint64_t)
#define KEPT_WORDS 64 /* of a launch; with more it has none */

#define KERNELS 16384 /* a power of two */
#define PROBES	64    /* slots that a search tries */

/* Memory that was ever allocated, a bit a GiB: what the device addresses lies below 2^47. */
#define GRANULE_BITS 30
#define ADDRESS_BITS 47
#define GRANULES     (1u << (ADDRESS_BITS - GRANULE_BITS))

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

static struct {
	struct kernel kernels[KERNELS];
	_Atomic uint64_t granules[GRANULES / 64];
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

/* Its slot in the table, taken if need be; NULL: there is none. */
static struct kernel *find_kernel(CUfunction function)
{
	uint64_t key = (uint64_t)function, hash = hash_word(key) >> 32;

	for (size_t i = 0; key && i < PROBES; i++) {
		struct kernel *kernel = &known.kernels[(hash + i) % KERNELS];
		uint64_t found = atomic_load_explicit(&kernel->function, memory_order_acquire);

		if (!found)
			atomic_compare_exchange_strong(&kernel->function, &found, key);
		if (!found || found == key)
			return kernel;
	}
	return NULL;
}

static const struct atom *layout_of(struct kernel *kernel, CUfunction function)
{
	uint64_t generation = (uint16_t)atomic_load_explicit(&generation_now, memory_order_acquire);
	uint64_t layout = atomic_load_explicit(&kernel->layout, memory_order_acquire);

	if (__builtin_expect(!layout || layout >> POINTER_BITS != generation, 0)) {
		layout = (uint64_t)kernel_layout_ask(function) | generation << POINTER_BITS;
		atomic_store_explicit(&kernel->layout, layout, memory_order_release);
	}
	return (const struct atom *)(layout & POINTER_MASK);
}

/* Of the numbers among a launch's arguments: all that are no pointers. */
static inline uint64_t hash_number(uint64_t numbers, uint64_t word)
{
	numbers = hash_word(numbers ^ word);
	return numbers ^ numbers >> 32;
}

/* Fewer than a word. Most are an int or a float. */
static inline uint64_t read_bytes(const char *bytes, size_t size)
{
	uint64_t word = 0;

	if (size == sizeof(uint32_t))
		memcpy(&word, bytes, sizeof(uint32_t));
	else
		memcpy(&word, bytes, size);
	return word;
}

/* NULL where there is nothing to be read. */
static inline const char *bytes_of(const struct launch *launch, uint64_t parameter)
{
	size_t offset = PARAMETER_OFFSET(parameter);

	if (launch->parameters)
		return launch->parameters[PARAMETER_INDEX(parameter)];
	return offset + PARAMETER_SIZE(parameter) <= launch->buffer_bytes ? launch->buffer + offset
									  : NULL;
}

/* What a launch's arguments come to. */
struct arguments {
	const uint64_t *known, *known_end; /* pointers that it may have, and their positions */
	uint64_t *kept;			   /* NULL: if it has others it is over */
	size_t count;			   /* of pairs that were kept */
	uint64_t numbers;		   /* their hash */
};

/* A word that is no known pointer. False: that was one too many. */
static inline bool take_word(struct arguments *arguments, uint64_t position, uint64_t word)
{
	if (!is_address(word)) {
		arguments->numbers = hash_number(arguments->numbers, word);
		return true;
	}
	if (!arguments->kept || arguments->count == KEPT_WORDS)
		return false;
	arguments->kept[2 * arguments->count] = position;
	arguments->kept[2 * arguments->count++ + 1] = word;
	return true;
}

/* Pointers lie where the device has words aligned; the rest are numbers. */
static inline __attribute__((always_inline)) bool
take_parameter(struct arguments *arguments, uint64_t parameter, const char *bytes)
{
	size_t at = PARAMETER_FIRST(parameter), size = PARAMETER_SIZE(parameter);
	uint64_t word;

	if (at)
		arguments->numbers = hash_number(arguments->numbers, read_bytes(bytes, at));
	for (; at + WORD_BYTES <= size; at += WORD_BYTES) {
		uint64_t position = argument_position(PARAMETER_INDEX(parameter), at);

		memcpy(&word, bytes + at, sizeof(word));
		if (arguments->known != arguments->known_end && word == arguments->known[1] &&
		    position == arguments->known[0])
			arguments->known += 2;
		else if (!take_word(arguments, position, word))
			return false;
	}
	if (at < size)
		arguments->numbers =
			hash_number(arguments->numbers, read_bytes(bytes + at, size - at));
	return true;
}

static inline __attribute__((always_inline)) bool
take_all(struct arguments *result, const struct launch *launch, const struct atom *layout)
{
	struct arguments arguments = *result; /* in registers */

	for (size_t i = 0; i < layout->count; i++) {
		const char *bytes = bytes_of(launch, layout->words[i]);

		if (bytes && !take_parameter(&arguments, layout->words[i], bytes))
			return false;
	}
	*result = arguments;
	return true;
}

/* 0 is none. */
static void note_numbers(uint64_t numbers)
{
	uint32_t hash = (uint32_t)(hash_word(numbers) >> 48);

	recorder_thread.numbers = hash ? hash : 1;
}

/* The kernel's first launch, or one with other pointers than the launch before. NULL: it has none,
 * or more than are kept. Its own function: of the
 * program's stack, which may be small, a launch is to take little. */
static __attribute__((noinline)) struct atom *take_new(const struct launch *launch,
						       const struct atom *layout)
{
	uint64_t kept[2 * KEPT_WORDS];
	struct arguments arguments = {.kept = kept};
	struct atom *atom;

	if (!take_all(&arguments, launch, layout))
		return NULL;
	note_numbers(arguments.numbers);
	if (!arguments.count)
		return NULL;
	atom = atom_intern(&(struct atom_text){.words = kept,
					       .count = (uint16_t)(2 * arguments.count),
					       .kind = ATOM_ARGUMENTS},
			   ATOM_ADD_SPARE);
	if (!atom)
		losses_count(LOSS_ARGUMENTS, 1);
	return atom;
}

static struct atom *read_arguments(const struct launch *launch)
{
	struct kernel *kernel = find_kernel(launch->function);
	struct arguments arguments = {0};
	const struct atom *layout;
	struct atom *last;

	if (!kernel) {
		if (launch->function)
			losses_count(LOSS_ARGUMENTS, 1);
		return NULL;
	}
	layout = layout_of(kernel, launch->function);
	if (!layout)
		return NULL;
	last = atomic_load_explicit(&kernel->last, memory_order_acquire);
	if (last) {
		arguments.known = last->words;
		arguments.known_end = last->words + last->count;
		if (take_all(&arguments, launch, layout) &&
		    arguments.known == arguments.known_end) {
			note_numbers(arguments.numbers);
			return last;
		}
	}
	last = take_new(launch, layout);
	if (last)
		atomic_store_explicit(&kernel->last, last, memory_order_release);
	return last;
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

/* With neither parameters nor buffer: the call is no launch, or gives its kernel nothing. */
static struct launch find_launch(enum function function, const void *params)
{
	const cuLaunchKernel_params *plain = params;
	const cuLaunchKernelEx_params *ex = params;
	const cuLaunchCooperativeKernel_params *cooperative = params;
	struct launch launch = {0};

	if (function == FUNCTION_cuLaunchKernel) {
		launch.function = plain->f;
		launch.parameters = plain->kernelParams;
		if (!launch.parameters)
			find_buffer(&launch, plain->extra);
	} else if (function == FUNCTION_cuLaunchKernelEx) {
		launch.function = ex->f;
		launch.parameters = ex->kernelParams;
		if (!launch.parameters)
			find_buffer(&launch, ex->extra);
	} else if (function == FUNCTION_cuLaunchCooperativeKernel) {
		launch.function = cooperative->f;
		launch.parameters = cooperative->kernelParams;
	}
	return launch;
}

void launch_arguments_enter(enum function function, const CUpti_CallbackData *data)
{
	struct launch launch;

	recorder_thread.arguments = NULL;
	recorder_thread.numbers = 0;
	if (atomic_load_explicit(&recorder_state, memory_order_relaxed) != RECORDER_ON)
		return;
	launch = find_launch(function, data->functionParams);
	if (launch.parameters || launch.buffer)
		recorder_thread.arguments = read_arguments(&launch);
}

void launch_arguments_describe(struct store *store)
{
	const char *status = kernel_layout_status();

	if (status)
		store_metadata(store, "launch_arguments", status);
}
