#include "stack/python_threads.h"

#include "base/atoms.h"
#include "base/hash.h"
#include "base/losses.h"
#include "base/own_memory.h"
#include "stack/python_frames.h"

#include <string.h>

#define OWNER_INTERPRETER 3   /* as in python_frames.c */
#define WALK_LIMIT	  256 /* frames, with the interpreter's own */
#define FRAMES_MOST	  64  /* that are taken */
#define FRAME_BYTES	  128 /* read of a frame: more than all offsets in it */
#define WINDOW_BYTES	  8192 /* read at once below the innermost frame: most outer ones lie there */
#define CODE_BYTES	  256	/* read of a code object: more than its fixed part has */
#define TEXT_BYTES	  2048	/* read of a name, with its head */
#define TABLE_BYTES	  16384 /* read of a table of lines */
#define CACHE_BITS	  12

/* Frames that were seen before. A code object may be freed, and another one lie there: in each
 * generation a frame's is looked at once. */
static struct cached {
	uint64_t code, instruction, name, first_line, generation;
	struct atom *atom;
} cache[1 << CACHE_BITS];
static uint64_t generation;
static bool is_stale; /* a fork may have come while the cache was written */

/* A piece of the process's memory, copied. */
struct copied {
	uint64_t from, bytes;
	const unsigned char *at;
};

static bool copy_memory(void *to, uint64_t from, size_t bytes)
{
	return python_is_address(from) && own_memory_read(to, from, bytes);
}

static uint64_t word_at(uint64_t address)
{
	uint64_t word = 0;

	return copy_memory(&word, address, sizeof(word)) ? word : 0;
}

int python_threads_find(struct python_thread *threads, int limit)
{
	const struct python_runtime *runtime = python_frames_runtime();
	uint64_t next;
	int count = 0;

	generation++;
	if (is_stale)
		memset(cache, 0, sizeof(cache));
	is_stale = false;
	if (!runtime || !runtime->is_initialized() || !runtime->main_interpreter())
		return 0;
	next = (uint64_t)runtime->first_thread(runtime->main_interpreter());
	/* Of a list that changes meanwhile any end may be missed. */
	for (int i = 0; next && i < limit; i++) {
		const uint64_t id = word_at(next + runtime->objects.layout.thread_native);

		if (id)
			threads[count++] = (struct python_thread){next, (uint32_t)id};
		next = word_at(next + PYTHON_THREAD_NEXT);
	}
	return count;
}

/* A thread's frames, as they were copied. */
struct frames_read {
	const struct python_layout *layout;
	unsigned char window[WINDOW_BYTES + FRAME_BYTES];
	struct copied copied;
	struct python_code codes[FRAMES_MOST];
	int count;
};

/* Copies the frame and what lies below it; where that is not mapped, the frame alone. */
static bool read_window(struct frames_read *read, uint64_t frame)
{
	if (frame > WINDOW_BYTES &&
	    copy_memory(read->window, frame - WINDOW_BYTES, sizeof(read->window))) {
		read->copied =
			(struct copied){frame - WINDOW_BYTES, sizeof(read->window), read->window};
		return true;
	}
	read->copied = (struct copied){frame, FRAME_BYTES, read->window};
	return copy_memory(read->window, frame, FRAME_BYTES);
}

static const unsigned char *frame_at(struct frames_read *read, uint64_t frame)
{
	const struct copied *copied = &read->copied;

	if ((frame < copied->from || frame - copied->from > copied->bytes - FRAME_BYTES) &&
	    !read_window(read, frame))
		return NULL;
	return copied->at + (frame - copied->from);
}

static uint64_t word_of(const unsigned char *memory, uint32_t offset)
{
	uint64_t word;

	memcpy(&word, memory + offset, sizeof(word));
	return word;
}

static void read_frames(struct frames_read *read, uint64_t frame, int limit)
{
	const struct python_layout *layout = read->layout;

	for (int i = 0; frame && i < WALK_LIMIT && read->count < limit; i++) {
		const unsigned char *memory = frame_at(read, frame);
		uint64_t code;

		if (!memory)
			return;
		code = word_of(memory, layout->frame_code) & ~(uint64_t)7;
		if (memory[layout->frame_owner] < OWNER_INTERPRETER && python_is_address(code))
			read->codes[read->count++] = (struct python_code){
				code, word_of(memory, layout->frame_instruction)};
		frame = word_of(memory, layout->frame_previous);
	}
}

/* Copies the `head` bytes of a Python object, and puts the copy's address in place of the object's.
 * False: it cannot be read. */
static bool mirror_head(unsigned char *code, uint32_t offset, unsigned char *copy, size_t head)
{
	const uint64_t object = word_of(code, offset), copied = (uint64_t)copy;

	memcpy(code + offset, &copied, sizeof(copied));
	memset(copy, 0, head);
	return copy_memory(copy, object, head);
}

/* Copies what follows the head. The head is not read again: another object may lie there by now, and
 * what it says would go beyond the copy. */
static void mirror_rest(unsigned char *copy, uint64_t object, size_t head, size_t size,
			size_t width)
{
	const uint64_t length = word_of(copy, PYTHON_BYTES_SIZE);

	if (length >= size || head + length * width >= size ||
	    !copy_memory(copy + head, object + head, length * width))
		memset(copy, 0, head);
}

static void mirror_bytes(unsigned char *code, uint32_t offset, unsigned char *copy, size_t size)
{
	const uint64_t object = word_of(code, offset);

	if (mirror_head(code, offset, copy, PYTHON_BYTES_DATA))
		mirror_rest(copy, object, PYTHON_BYTES_DATA, size, 1);
}

/* The length of a str stands where that of bytes does. */
_Static_assert(PYTHON_UNICODE_LENGTH == PYTHON_BYTES_SIZE, "one offset for both lengths");

static void mirror_text(const struct python_layout *layout, unsigned char *code, uint32_t offset,
			unsigned char *copy)
{
	const uint64_t object = word_of(code, offset);

	/* One byte a character if it is ASCII, at most four otherwise. */
	if (mirror_head(code, offset, copy, layout->compact_bytes))
		mirror_rest(copy, object, layout->compact_bytes, TEXT_BYTES,
			    word_of(copy, PYTHON_UNICODE_STATE) >> 2 & 7);
}

/* Interns a code object by a copy of all that python_code_intern() reads of it. head: the copy of its
 * beginning; overwritten. NULL: no room. */
static struct atom *intern_code(const struct python_objects *objects,
				const struct python_code *code, unsigned char *head)
{
	static _Alignas(8) unsigned char table[TABLE_BYTES], file[TEXT_BYTES], name[TEXT_BYTES];
	const struct python_layout *layout = &objects->layout;
	const struct python_code copy = {(uint64_t)head,
					 (uint64_t)head + (code->instruction - code->code)};

	mirror_bytes(head, layout->code_linetable, table, sizeof(table));
	mirror_text(layout, head, layout->code_filename, file);
	mirror_text(layout, head, layout->code_qualname, name);
	return python_code_intern(objects, &copy, ATOM_ADD_SPARE);
}

/* The atom of a frame. NULL: it has no code object, or with *is_full there is no room. */
static struct atom *atom_of(const struct python_objects *objects, const struct python_code *code,
			    bool *is_full)
{
	static _Alignas(8) unsigned char head[CODE_BYTES];
	const struct python_layout *layout = &objects->layout;
	struct cached *cached =
		&cache[hash_word(code->code ^ code->instruction << 20) >> (64 - CACHE_BITS)];
	struct cached found = {.code = code->code, .instruction = code->instruction};
	const bool is_same = cached->atom && cached->code == found.code &&
			     cached->instruction == found.instruction;

	if (is_same && cached->generation == generation)
		return cached->atom;
	if (!copy_memory(head, code->code, layout->code_bytes) ||
	    word_of(head, PYTHON_OBJECT_TYPE) != objects->code_type)
		return NULL;
	found.generation = generation;
	found.name = word_of(head, layout->code_qualname);
	found.first_line = word_of(head, layout->code_firstlineno & ~7u);
	found.atom = is_same && cached->name == found.name && cached->first_line == found.first_line
			     ? cached->atom
			     : intern_code(objects, code, head);
	*is_full = !found.atom;
	*cached = found;
	return found.atom;
}

/* 0: without one of them the outer one's line would seem to run. */
static int intern_frames(const struct frames_read *read, const struct python_objects *objects,
			 uint64_t *words)
{
	bool is_full = false;
	int count = 0;

	for (int i = 0; i < read->count && !is_full; i++) {
		struct atom *atom = atom_of(objects, &read->codes[i], &is_full);

		if (atom)
			words[count++] = (uint64_t)atom;
	}
	if (is_full)
		losses_count(LOSS_LOOKED_STACK, 1);
	return is_full ? 0 : count;
}

int python_threads_take(const struct python_thread *thread, uint64_t *words, int limit)
{
	static struct frames_read read;
	const struct python_runtime *runtime = python_frames_runtime();
	uint64_t frame = thread->state;

	if (!runtime || runtime->objects.layout.code_bytes > CODE_BYTES)
		return 0;
	read.layout = &runtime->objects.layout;
	read.copied = (struct copied){0, FRAME_BYTES, read.window};
	read.count = 0;
	if (read.layout->thread_cframe)
		frame = word_at(frame + read.layout->thread_cframe);
	frame = frame ? word_at(frame + read.layout->thread_frame) : 0;
	read_frames(&read, frame, limit < FRAMES_MOST ? limit : FRAMES_MOST);
	return read.count ? intern_frames(&read, &runtime->objects, words) : 0;
}

bool python_threads_owns(uint64_t futex)
{
	const struct python_runtime *runtime = python_frames_runtime();

	return runtime && futex >= runtime->low && futex < runtime->high;
}

/* struct _gc_runtime_state of 3.11 and 3.12 (Include/internal/pycore_gc.h): its generations begin
 * with the youngest, to which a pointer follows behind all three; later `collecting`. */
#define YOUNGEST_POINTER  72
#define COLLECTING	  176
#define INTERPRETER_BYTES 8192 /* of PyInterpreterState: the collector's state lies in them */

static struct {
	uint64_t interpreter, address; /* address 0: not found */
} collector;

/* Only there does a word point 72 bytes below itself. */
static uint64_t find_collector(uint64_t interpreter)
{
	static unsigned char memory[INTERPRETER_BYTES];

	if (!copy_memory(memory, interpreter, sizeof(memory)))
		return 0;
	for (uint32_t at = 0; at + YOUNGEST_POINTER + 8 <= sizeof(memory); at += 8)
		if (word_of(memory, at + YOUNGEST_POINTER) == interpreter + at)
			return interpreter + at + COLLECTING;
	return 0;
}

bool python_threads_are_collecting(void)
{
	const struct python_runtime *runtime = python_frames_runtime();
	const uint64_t interpreter = runtime && runtime->objects.layout.thread_cframe
					     ? (uint64_t)runtime->main_interpreter()
					     : 0;

	if (!interpreter)
		return false;
	if (collector.interpreter != interpreter) {
		collector.interpreter = interpreter;
		collector.address = find_collector(interpreter);
	}
	return collector.address && (uint32_t)word_at(collector.address) != 0;
}

void python_threads_after_fork(void)
{
	is_stale = true;
	collector.interpreter = 0;
}
