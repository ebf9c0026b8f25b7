#include "cupti/launch_arguments.h"

#include "base/argument_position.h"
#include "base/atoms.h"
#include "base/driver.h"
#include "base/hash.h"
#include "base/hot.h"
#include "base/losses.h"
#include "facts/argument_blocks.h"
#include "recorder/recorder.h"
#include "store/store.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#define WORD_BYTES	 sizeof(uint64_t)
#define PARAMETERS_BYTES 4096 /* beyond, a kernel's arguments are not read */
#define PARAMETERS	 (PARAMETERS_BYTES / WORD_BYTES)
#define KEPT_WORDS	 ARGUMENT_BLOCK_SET_MOST /* of a launch; with more it has none */

#define KERNELS 16384 /* a power of two */
#define PROBES	64    /* slots that a search tries */

/* Memory ever allocated, one bit a GiB: device addresses lie below 2^47. */
#define GRANULE_BITS 30
#define ADDRESS_BITS 47
#define GRANULES     (1u << (ADDRESS_BITS - GRANULE_BITS))

/* A parameter in a layout, as one word: its index, the bytes before its first aligned word, whether
 * it is a number (if it is no pointer), its words, and its offset in a buffer of all parameters.
 * Sizes of int, float, double and size_t count as numbers; structs have padding, and an empty one a
 * byte, with arbitrary content. */
#define PARAMETER_WORD(index, lead, is_number, count, offset)                                      \
	((uint64_t)(index) << 48 | (uint64_t)(lead) << 40 | (uint64_t)(is_number) << 32 |          \
	 (uint64_t)(count) << 16 | (uint64_t)(offset))
#define PARAMETER_INDEX(word)	  ((size_t)((word) >> 48))
#define PARAMETER_LEAD(word)	  ((size_t)((word) >> 40 & 0xff))
#define PARAMETER_IS_NUMBER(word) ((word) >> 32 & 0xff)
#define PARAMETER_COUNT(word)	  ((size_t)((word) >> 16 & 0xffff))
#define PARAMETER_OFFSET(word)	  ((size_t)((word)&0xffff))
#define HALF_BYTES		  sizeof(uint32_t) /* of a number without a word */

/* Pointers fit into 48 bits; above them the generation of kernels in which the driver was asked. */
#define POINTER_BITS 48
#define POINTER_MASK ((UINT64_C(1) << POINTER_BITS) - 1)

/* A smaller word is a size or a count rather than a pointer. */
#define POINTER_LEAST (UINT64_C(1) << 32)

struct kernel {
	_Alignas(32) _Atomic uint64_t function; /* the CUfunction, 0: free */
	/* Generation, and an ATOM_LAYOUT; no atom: no readable parameters. 0: not asked yet. */
	_Atomic uint64_t layout;
	_Atomic(struct atom *) last; /* arguments of the last launch: most launches repeat them */
};

typedef __typeof__(&cuFuncGetParamInfo) parameter_function;

static struct {
	struct kernel kernels[KERNELS];
	_Atomic uint64_t granules[GRANULES / 64];
	_Atomic bool is_asked; /* the driver, for a layout */
} known;

READ_MOSTLY static _Atomic uint32_t generation_now = 1;

/* A launch as passed to the driver. */
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

/* Whether the word is recorded. A parameter of one word may be a pointer to memory that CUPTI does
 * not report. A struct has too many other words: its pointers must be near known memory. */
static inline bool is_kept(uint64_t parameter, uint64_t word)
{
	return is_address(word) ||
	       (PARAMETER_IS_NUMBER(parameter) && word >= POINTER_LEAST && word <= POINTER_MASK);
}

static void forget_layouts(void)
{
	for (size_t i = 0; i < KERNELS; i++)
		atomic_store_explicit(&known.kernels[i].layout, 0, memory_order_relaxed);
}

/* A layout has the lower bits of its generation: empties the table before these repeat. */
void launch_arguments_forget_kernels(void)
{
	uint32_t now = atomic_load(&generation_now);

	do {
		if (!(uint16_t)(now + 1))
			forget_layouts();
	} while (!atomic_compare_exchange_weak(&generation_now, &now, now + 1));
}

static bool driver_tells(const struct driver *driver)
{
	return driver->cuFuncGetParamInfo && driver->cuKernelGetParamInfo;
}

/* How many parameters; 0: none, or too many. */
static size_t ask_parameters(parameter_function tell, CUfunction function, uint64_t *words)
{
	size_t parameters = 0, offset, size;

	for (size_t i = 0; tell(function, i, &offset, &size) == CUDA_SUCCESS; i++) {
		size_t lead = -offset % WORD_BYTES, count;
		bool is_number = size == HALF_BYTES || (size == WORD_BYTES && !lead);

		if (i >= PARAMETERS_BYTES || offset + size > PARAMETERS_BYTES)
			return 0;
		count = size >= lead + WORD_BYTES ? (size - lead) / WORD_BYTES : 0;
		if ((count || is_number) && parameters < PARAMETERS)
			words[parameters++] =
				PARAMETER_WORD(i, count ? lead : 0, is_number, count, offset);
	}
	return parameters;
}

static struct atom *find_layout(const struct driver *driver, CUfunction function, uint64_t *words)
{
	size_t count = ask_parameters(driver->cuFuncGetParamInfo, function, words);
	struct atom *layout;

	/* A CUkernel, launched as it is. */
	if (!count)
		count = ask_parameters((parameter_function)driver->cuKernelGetParamInfo, function,
				       words);
	if (!count)
		return NULL;
	layout = atom_intern(
		&(struct atom_text){.words = words, .count = (uint16_t)count, .kind = ATOM_LAYOUT},
		ATOM_ADD_SPARE);
	if (!layout)
		losses_count(LOSS_ARGUMENTS, 1);
	return layout;
}

/* Maps memory for the words: the program's stack may be too small. */
static COLD struct atom *ask_driver(CUfunction function)
{
	const struct driver *driver = driver_functions();
	struct atom *layout;
	void *words;

	atomic_store(&known.is_asked, true);
	if (!driver_tells(driver))
		return NULL;
	words = mmap(NULL, PARAMETERS_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	if (words == MAP_FAILED) {
		losses_count(LOSS_ARGUMENTS, 1);
		return NULL;
	}
	layout = find_layout(driver, function, words);
	munmap(words, PARAMETERS_BYTES);
	return layout;
}

/* The kernel's slot, taken if it is new; NULL: no free one. */
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

	if (__builtin_expect(!layout || layout >> POINTER_BITS != generation, 0)) {
		int saved_errno = errno;

		layout = (uint64_t)ask_driver(function) | generation << POINTER_BITS;
		errno = saved_errno;
		atomic_store_explicit(&kernel->layout, layout, memory_order_release);
	}
	return (const struct atom *)(layout & POINTER_MASK);
}

/* The parameter's bytes from its first aligned word on; NULL: nothing to read. */
static inline const char *bytes_in_list(const struct launch *launch, uint64_t parameter)
{
	const char *bytes = launch->parameters[PARAMETER_INDEX(parameter)];

	return bytes ? bytes + PARAMETER_LEAD(parameter) : NULL;
}

static inline const char *bytes_in_buffer(const struct launch *launch, uint64_t parameter)
{
	size_t count = PARAMETER_COUNT(parameter);
	size_t offset = PARAMETER_OFFSET(parameter) + PARAMETER_LEAD(parameter);
	size_t size = count ? count * WORD_BYTES : HALF_BYTES;

	return offset + size <= launch->buffer_bytes ? launch->buffer + offset : NULL;
}

static inline const char *bytes_of(const struct launch *launch, uint64_t parameter)
{
	return launch->parameters ? bytes_in_list(launch, parameter)
				  : bytes_in_buffer(launch, parameter);
}

/* Of the parameter's word number `word`, counted from its first aligned one. */
static inline uint64_t position_of(uint64_t parameter, size_t word)
{
	return argument_position(PARAMETER_INDEX(parameter),
				 PARAMETER_LEAD(parameter) + word * WORD_BYTES);
}

static inline uint64_t with_number(uint64_t numbers, uint64_t word)
{
	numbers = hash_word(numbers ^ word);
	return numbers ^ numbers >> 32;
}

/* Adds a number of less than a word. */
static inline uint64_t with_half(uint64_t numbers, const char *bytes)
{
	uint32_t half;

	memcpy(&half, bytes, HALF_BYTES);
	return with_number(numbers, half);
}

/* Whether the launch passes exactly the pointers in `last` (NULL: none); *numbers is then the hash
 * of its other arguments. Compiled twice, for both ways to pass parameters. */
static inline __attribute__((always_inline)) bool
repeats_last(const struct launch *launch, bool has_list, const struct atom *layout,
	     const struct atom *last, uint64_t *numbers)
{
	const uint64_t *known_word = last ? last->words : NULL;
	const uint64_t *end = last ? last->words + last->count : NULL;
	uint64_t hash = 0;

	for (const uint64_t *at = layout->words; at < layout->words + layout->count; at++) {
		const uint64_t parameter = *at;
		const char *bytes = has_list ? bytes_in_list(launch, parameter)
					     : bytes_in_buffer(launch, parameter);
		size_t count = PARAMETER_COUNT(parameter);
		uint64_t word;

		if (!bytes)
			continue;
		if (!count)
			hash = with_half(hash, bytes);
		for (size_t i = 0; i < count; i++) {
			memcpy(&word, bytes + i * WORD_BYTES, sizeof(word));
			if (known_word != end && word == known_word[1] &&
			    known_word[0] == position_of(parameter, i))
				known_word += 2;
			else if (is_kept(parameter, word))
				return false;
			else if (PARAMETER_IS_NUMBER(parameter))
				hash = with_number(hash, word);
		}
	}
	*numbers = hash;
	return known_word == end;
}

static struct atom *intern_words(const uint64_t *words, size_t count)
{
	struct atom *atom = atom_intern(&(struct atom_text){.words = words,
							    .count = (uint16_t)count,
							    .kind = ATOM_ARGUMENTS},
					ATOM_ADD_SPARE);

	if (!atom)
		losses_count(LOSS_ARGUMENTS, 1);
	return atom;
}

/* The pointers of a launch that are new: the kernel's first, or different ones. *set: these, NULL:
 * none. False: too many, or no room for them. */
static __attribute__((noinline)) bool read_words(const struct launch *launch,
						 const struct atom *layout, struct atom **set,
						 uint64_t *numbers)
{
	uint64_t kept[2 * KEPT_WORDS];
	size_t count = 0;

	*numbers = 0;
	for (size_t i = 0; i < layout->count; i++) {
		uint64_t parameter = layout->words[i], word;
		const char *bytes = bytes_of(launch, parameter);

		if (!bytes)
			continue;
		if (!PARAMETER_COUNT(parameter))
			*numbers = with_half(*numbers, bytes);
		for (size_t j = 0; j < PARAMETER_COUNT(parameter); j++) {
			memcpy(&word, bytes + j * WORD_BYTES, sizeof(word));
			if (!is_kept(parameter, word)) {
				if (PARAMETER_IS_NUMBER(parameter))
					*numbers = with_number(*numbers, word);
				continue;
			}
			if (count++ < KEPT_WORDS) {
				kept[2 * count - 2] = position_of(parameter, j);
				kept[2 * count - 1] = word;
			}
		}
	}
	*set = count && count <= KEPT_WORDS ? intern_words(kept, 2 * count) : NULL;
	return !count || *set;
}

/* 16 bits of the hash; 0 is none. */
static void note_numbers(uint64_t numbers)
{
	uint32_t hash = (uint32_t)(hash_word(numbers) >> 48);

	recorder_thread.numbers = hash ? hash : 1;
}

static struct atom *read_arguments(const struct launch *launch)
{
	struct kernel *kernel = find_kernel(launch->function);
	const struct atom *layout;
	struct atom *last;
	uint64_t numbers;

	if (!kernel) {
		if (launch->function)
			losses_count(LOSS_ARGUMENTS, 1);
		return NULL;
	}
	layout = layout_of(kernel, launch->function);
	if (!layout)
		return NULL;
	last = atomic_load_explicit(&kernel->last, memory_order_acquire);
	if (launch->parameters ? !repeats_last(launch, true, layout, last, &numbers)
			       : !repeats_last(launch, false, layout, last, &numbers)) {
		if (!read_words(launch, layout, &last, &numbers))
			return NULL;
		if (last)
			atomic_store_explicit(&kernel->last, last, memory_order_release);
	}
	note_numbers(numbers);
	return last;
}

/* Parameters may also be passed as one buffer. */
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

/* Without parameters and buffer: not a launch, or a kernel without arguments. */
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
	if (atomic_load(&known.is_asked))
		store_metadata(store, "launch_arguments",
			       driver_tells(driver_functions())
				       ? "on"
				       : "the driver has no cuFuncGetParamInfo (before CUDA 12.4)");
}
