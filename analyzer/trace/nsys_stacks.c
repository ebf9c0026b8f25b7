#include "trace/nsys_stacks.h"

#include "base/mix.h"
#include "trace/rows.h"

#include <stdlib.h>
#include <string.h>

#define MOST_FRAMES 64 /* schema.sql, call_sites */

/* The payload of a Python sample: behind a header, which can be missing, 8 bytes, the state of the
 * thread and the number of frames (4 bytes each), then three numbers a frame, the innermost first: the
 * ids of the function's and the file's texts, and the line. */
#define HEADER_BYTES	   32
#define SAMPLE_BYTES	   16
#define SAMPLE_FRAME_BYTES (3 * sizeof(uint64_t))
#define SAMPLED_RUNNING	   1 /* ENUM_SAMPLING_THREAD_STATE */

/* A stack that is being read: of native code symbol, module and offset, of Python function, file
 * and line. ROW_NULL: not known. */
struct chain {
	int64_t id;
	size_t count;
	int64_t frames[MOST_FRAMES][3];
};

/* Whose frames are at the instruction that called the next one. Samples are at any of a function's. */
enum stack_kind { SAMPLED_STACK, CALLING_STACK, PYTHON_STACK };

struct reading {
	struct nsys_stacks *stacks;
	struct map cuda_modules; /* texts of their names */
	struct query add_native, add_python;
};

static uint64_t hash_of(const struct chain *chain, enum stack_kind kind)
{
	uint64_t hash = mix(kind, chain->count);

	for (size_t i = 0; i < chain->count; i++) {
		const int64_t *frame = chain->frames[i];

		hash = mix(mix(hash, (uint64_t)frame[0]), (uint64_t)frame[1]);
		if (kind != SAMPLED_STACK || frame[0] == ROW_NULL)
			hash = mix(hash, (uint64_t)frame[2]);
	}
	return hash;
}

static void write_native(struct reading *reading, const struct chain *chain, size_t stack)
{
	struct query *insert = &reading->add_native;

	for (size_t i = 0; i < chain->count; i++) {
		query_bind_value(insert, 1, (int64_t)stack, ROW_NULL);
		query_bind_value(insert, 2, (int64_t)i, ROW_NULL);
		for (int column = 0; column < 3; column++)
			query_bind_value(insert, 3 + column, chain->frames[i][column], ROW_NULL);
		query_next(insert);
	}
}

/* False: the texts show that the layout is another one. */
static bool write_python(struct reading *reading, const struct chain *chain, size_t stack)
{
	struct query *insert = &reading->add_python;
	bool is_good = true;

	for (size_t i = 0; i < chain->count && is_good; i++) {
		query_bind_value(insert, 1, (int64_t)stack, ROW_NULL);
		query_bind_value(insert, 2, (int64_t)i, ROW_NULL);
		query_bind_value(insert, 3, chain->frames[i][2], 0);
		query_bind_value(insert, 4, chain->frames[i][0], ROW_NULL);
		query_bind_value(insert, 5, chain->frames[i][1], ROW_NULL);
		for (is_good = false; query_next(insert); is_good = true)
			;
	}
	return is_good;
}

/* The number of the stack, which is written if it is new. */
static size_t add_stack(struct reading *reading, const struct chain *chain, enum stack_kind kind)
{
	struct nsys_stacks *stacks = reading->stacks;
	const uint64_t hash = hash_of(chain, kind);
	size_t stack = map_find(&stacks->by_hash, hash);

	if (stack != MAP_NONE)
		return stack;
	stack = ++stacks->count;
	if (kind != PYTHON_STACK)
		write_native(reading, chain, stack);
	else if (!write_python(reading, chain, stack))
		stack = NSYS_NO_STACK;
	map_add(&stacks->by_hash, hash, stack);
	return stack;
}

static void add_caller(struct reading *reading, const struct chain *chain, size_t stack)
{
	struct chain caller = {0};
	size_t first = chain->count;

	while (first > 0 &&
	       map_find(&reading->cuda_modules, (uint64_t)chain->frames[first - 1][1]) == MAP_NONE)
		first--;
	if (first == 0 || first == chain->count ||
	    map_find(&reading->stacks->callers, stack) != MAP_NONE)
		return;
	caller.count = chain->count - first;
	memcpy(caller.frames, chain->frames + first, caller.count * sizeof(*caller.frames));
	map_add(&reading->stacks->callers, stack, add_stack(reading, &caller, CALLING_STACK));
}

static void finish_chain(struct reading *reading, struct chain *chain,
			 enum nsys_stack_source source)
{
	static const enum stack_kind kinds[] = {[NSYS_CUDA_CALL] = CALLING_STACK,
						[NSYS_SAMPLE] = SAMPLED_STACK,
						[NSYS_OS_CALL] = SAMPLED_STACK,
						[NSYS_PYTHON_SAMPLE] = PYTHON_STACK};
	size_t stack;

	if (!chain->count)
		return;
	stack = add_stack(reading, chain, kinds[source]);
	if (kinds[source] == SAMPLED_STACK)
		add_caller(reading, chain, stack);
	map_add(&reading->stacks->by_id[source], (uint64_t)chain->id, stack);
	chain->count = 0;
}

static void read_native(struct reading *reading, enum nsys_stack_source source, const char *sql)
{
	struct chain chain = {0};
	struct query query;

	query_open(&query, reading->stacks->database, "call chains", sql);
	while (query_next(&query)) {
		const int64_t id = query_integer(&query, 0, INT64_MIN, INT64_MAX);

		if (id != chain.id)
			finish_chain(reading, &chain, source);
		chain.id = id;
		if (chain.count == MOST_FRAMES)
			continue;
		for (int i = 0; i < 3; i++)
			chain.frames[chain.count][i] =
				query_optional(&query, 1 + i, INT64_MIN, INT64_MAX, ROW_NULL);
		chain.count++;
	}
	finish_chain(reading, &chain, source);
	query_close(&query);
}

static void read_sample(struct reading *reading, int64_t id, const unsigned char *bytes,
			size_t size)
{
	struct chain chain = {.id = id};
	uint32_t numbers[2]; /* state, count */

	memcpy(numbers, bytes + sizeof(uint64_t), sizeof(numbers));
	if (size != SAMPLE_BYTES + SAMPLE_FRAME_BYTES * (size_t)numbers[1])
		return;
	chain.count = numbers[1] < MOST_FRAMES ? numbers[1] : MOST_FRAMES;
	memcpy(chain.frames, bytes + SAMPLE_BYTES, SAMPLE_FRAME_BYTES * chain.count);
	for (size_t i = 0; i < chain.count; i++)
		if (chain.frames[i][2] < 0 || chain.frames[i][2] > INT32_MAX)
			return;
	finish_chain(reading, &chain, NSYS_PYTHON_SAMPLE);
	if (numbers[0] == SAMPLED_RUNNING)
		map_add(&reading->stacks->running, (uint64_t)id, 0);
}

static void read_python(struct reading *reading)
{
	struct query query;

	query_open(&query, reading->stacks->database, "NVTX_EVENTS",
		   "SELECT row, bytes FROM python_samples");
	while (query_next(&query)) {
		const int64_t id = query_integer(&query, 0, INT64_MIN, INT64_MAX);
		size_t size;
		const unsigned char *bytes = query_bytes(&query, 1, &size);

		if (size >= HEADER_BYTES + SAMPLE_BYTES)
			read_sample(reading, id, bytes + HEADER_BYTES, size - HEADER_BYTES);
		if (size >= SAMPLE_BYTES)
			read_sample(reading, id, bytes, size);
	}
	query_close(&query);
}

/* Kernel code and what Nsight Systems adds, such as "[Max depth]", are no frames. */
#define CHAINS(table, ids)                                                                         \
	"SELECT id, CASE WHEN NOT coalesce(unresolved, 0) AND symbol NOT IN special_texts "        \
	"THEN symbol END AS symbol, module, originalIP FROM " table                                \
	" WHERE NOT coalesce(kernelMode, 0) AND NOT coalesce(specialEntry, 0) "                    \
	"AND module NOT IN special_texts "                                                         \
	"AND id IN (" ids " WHERE globalTid >> 24 = (SELECT process FROM chosen)) "                \
	"ORDER BY id, stackDepth"

static void read_cuda_modules(struct reading *reading)
{
	struct query query;

	query_open(&query, reading->stacks->database, "StringIds", "SELECT id FROM cuda_modules");
	while (query_next(&query))
		map_add(&reading->cuda_modules,
			(uint64_t)query_integer(&query, 0, INT64_MIN, INT64_MAX), 0);
	query_close(&query);
}

void nsys_stacks_read(struct nsys_stacks *stacks)
{
	struct reading reading = {.stacks = stacks};

	read_cuda_modules(&reading);
	query_open(&reading.add_native, stacks->database, "host_frames",
		   "INSERT INTO host_frames VALUES (?, ?, ?, ?, ?)");
	/* Python names a file by its path, or code without a file as "<string>". */
	query_open(&reading.add_python, stacks->database, "host_python_frames",
		   "INSERT INTO host_python_frames "
		   "SELECT ?1, ?2, CAST(f.value AS TEXT), ?3, CAST(n.value AS TEXT) "
		   "FROM their_texts n JOIN their_texts f WHERE n.id = ?4 AND f.id = ?5 "
		   "AND (f.value GLOB '*.py*' OR f.value GLOB '<*') RETURNING 1");
	read_native(&reading, NSYS_CUDA_CALL,
		    CHAINS("their_frames", "SELECT callchainId FROM their_calls"));
	read_native(&reading, NSYS_SAMPLE,
		    CHAINS("their_sample_frames", "SELECT id FROM their_samples"));
	read_native(&reading, NSYS_OS_CALL,
		    CHAINS("their_os_frames", "SELECT callchainId FROM their_os_calls"));
	read_python(&reading);
	query_close(&reading.add_native);
	query_close(&reading.add_python);
	map_free(&reading.cuda_modules);
}

void nsys_stacks_free(struct nsys_stacks *stacks)
{
	for (size_t i = 0; i < NSYS_STACK_SOURCES; i++)
		map_free(&stacks->by_id[i]);
	map_free(&stacks->running);
	map_free(&stacks->by_hash);
	map_free(&stacks->callers);
}
