/*
 * Python's frames of other threads, read from structures as CPython 3.11 has them, which are damaged, or change between
 * one reading and the next.
 */
#include <string.h>

#include "cmocka_test.h"
#include "base/own_memory.h"
#include "stack/python_code.h"
#include "stack/python_frames.h"
#include "stack/python_threads.h"

enum { VERSION = 0x030b07f0, FRAMES = 8, FIRST_LINE = 41, ARENA_BYTES = 65536, ATOMS = 64 };

/* Everything that may be read, in pieces of 1 KB. */
static _Alignas(16) unsigned char arena[ARENA_BYTES];
static size_t used;

static struct python_runtime runtime;
static uint64_t first_state, code_type, text_type, bytes_type;

/* Called in front of each reading. */
static void (*before_reading)(uint64_t from);

static struct {
	_Alignas(16) unsigned char bytes[2048];
} atoms[ATOMS];
static int atom_count, atom_room;

struct atom *atom_intern(const struct atom_text *text, enum atom_add add)
{
	struct atom *atom = (struct atom *)(void *)atoms[atom_count].bytes;

	/* The calls' stacks come first. */
	assert_int_equal(add, ATOM_ADD_SPARE);
	if (atom_count == atom_room)
		return NULL;
	assert_true(text->count * 8 + sizeof(*atom) <= sizeof(atoms[0].bytes));
	memcpy(atom->words, text->words, text->count * sizeof(uint64_t));
	atom_count++;
	return atom;
}

bool own_memory_read(void *to, uint64_t from, size_t bytes)
{
	const uint64_t begin = (uint64_t)arena;

	if (before_reading)
		before_reading(from);
	if (from < begin || from + bytes > begin + sizeof(arena))
		return false;
	memcpy(to, (const void *)from, bytes);
	return true;
}

const struct python_runtime *python_frames_runtime(void)
{
	return &runtime;
}

static int is_initialized(void)
{
	return 1;
}

static void *main_interpreter(void)
{
	return arena;
}

static void *first_thread(void *interpreter)
{
	return (void *)first_state;
}

static uint64_t new_piece(void)
{
	const uint64_t piece = (uint64_t)arena + used;

	used += 1024;
	assert_true(used <= sizeof(arena));
	return piece;
}

static void put(uint64_t object, uint32_t offset, uint64_t word)
{
	memcpy((void *)(object + offset), &word, sizeof(word));
}

static uint64_t new_text(const char *text)
{
	const uint64_t object = new_piece();

	put(object, PYTHON_OBJECT_TYPE, text_type);
	put(object, PYTHON_UNICODE_LENGTH, strlen(text));
	put(object, PYTHON_UNICODE_STATE, 64 | 32 | 1 << 2);
	strcpy((char *)object + runtime.objects.layout.ascii_bytes, text);
	return object;
}

/* All of its code is in its first line. */
static uint64_t new_code(const char *function)
{
	enum { ENTRY = 0x80 | 10 << 3 | 7 };
	const struct python_layout *layout = &runtime.objects.layout;
	const uint64_t code = new_piece(), table = new_piece();

	put(table, PYTHON_OBJECT_TYPE, bytes_type);
	put(table, PYTHON_BYTES_SIZE, 1);
	put(table, PYTHON_BYTES_DATA, ENTRY);
	put(code, PYTHON_OBJECT_TYPE, code_type);
	put(code, layout->code_filename, new_text("augment.py"));
	put(code, layout->code_qualname, new_text(function));
	put(code, layout->code_linetable, table);
	put(code, layout->code_firstlineno, FIRST_LINE);
	return code;
}

static uint64_t new_frame(uint64_t code, uint64_t previous)
{
	const struct python_layout *layout = &runtime.objects.layout;
	const uint64_t frame = new_piece();

	put(frame, layout->frame_code, code);
	put(frame, layout->frame_previous, previous);
	put(frame, layout->frame_instruction, code + layout->code_bytes);
	return frame;
}

static struct python_thread new_thread(uint64_t frame)
{
	const struct python_layout *layout = &runtime.objects.layout;
	const uint64_t state = new_piece(), c_frame = new_piece();

	put(state, layout->thread_cframe, c_frame);
	put(c_frame, layout->thread_frame, frame);
	put(state, layout->thread_native, 77);
	first_state = state;
	return (struct python_thread){.state = state, .id = 77};
}

static int set_up(void **state)
{
	struct python_thread none;

	memset(arena, 0, sizeof(arena));
	used = 0;
	atom_count = 0;
	atom_room = ATOMS;
	before_reading = NULL;
	first_state = 0;
	runtime = (struct python_runtime){.is_initialized = is_initialized,
					  .main_interpreter = main_interpreter,
					  .first_thread = first_thread};
	runtime.objects.code_type = code_type = new_piece();
	runtime.objects.unicode_type = text_type = new_piece();
	runtime.objects.bytes_type = bytes_type = new_piece();
	assert_null(python_layout_find(VERSION, NULL, &runtime.objects.layout));
	python_threads_after_fork();
	python_threads_find(&none, 1);
	return 0;
}

/* The function's name of a frame that was taken. */
static const char *function_of(uint64_t word)
{
	const struct python_frame *frame = (const void *)((const struct atom *)word)->words;

	assert_int_equal(frame->line, FIRST_LINE);
	assert_string_equal(frame->text, "augment.py");
	return frame->text + strlen(frame->text) + 1;
}

TEST_WITH(frames_come_from_the_innermost_on, set_up, NULL)
{
	struct python_thread threads[2],
		thread = new_thread(new_frame(new_code("prepare"), new_frame(new_code("main"), 0)));
	uint64_t words[FRAMES];

	assert_int_equal(python_threads_find(threads, 2), 1);
	assert_int_equal(threads[0].state, thread.state);
	assert_int_equal(threads[0].id, 77);
	assert_int_equal(python_threads_take(&thread, words, FRAMES), 2);
	assert_string_equal(function_of(words[0]), "prepare");
	assert_string_equal(function_of(words[1]), "main");
	assert_int_equal(python_threads_take(&thread, words, 1), 1);
}

/* A state that was freed may be part of any other list. */
TEST_WITH(a_list_without_an_end_ends, set_up, NULL)
{
	struct python_thread threads[4];

	new_thread(0);
	put(first_state, PYTHON_THREAD_NEXT, first_state);
	put(first_state, runtime.objects.layout.thread_native, 0);
	assert_int_equal(python_threads_find(threads, 4), 0);
	put(first_state, runtime.objects.layout.thread_native, 5);
	assert_int_equal(python_threads_find(threads, 4), 4);
}

TEST_WITH(a_stack_without_an_end_ends, set_up, NULL)
{
	const uint64_t frame = new_frame(new_code("prepare"), 0);
	const struct python_thread thread = new_thread(frame);
	uint64_t words[FRAMES];

	put(frame, runtime.objects.layout.frame_previous, frame);
	assert_int_equal(python_threads_take(&thread, words, FRAMES), FRAMES);
}

static uint64_t changing;
static int readings;

/* The name is freed behind its first reading, and a longer one of four bytes a character lies there. */
static void change_name(uint64_t from)
{
	if (from < changing || from >= changing + 1024 || readings++ < 1)
		return;
	put(changing, PYTHON_UNICODE_LENGTH, 1500);
	put(changing, PYTHON_UNICODE_STATE, 32 | 4 << 2);
}

TEST_WITH(a_name_that_changes_is_read_as_it_was, set_up, NULL)
{
	const uint64_t code = new_code("prepare");
	const struct python_thread thread = new_thread(new_frame(code, 0));
	uint64_t words[FRAMES];

	memcpy(&changing, (const void *)(code + runtime.objects.layout.code_qualname),
	       sizeof(changing));
	readings = 0;
	before_reading = change_name;
	assert_int_equal(python_threads_take(&thread, words, FRAMES), 1);
	assert_string_equal(function_of(words[0]), "prepare");
	assert_true(readings > 1);
}

TEST_WITH(a_name_beyond_the_copy_is_none, set_up, NULL)
{
	const uint64_t code = new_code("prepare");
	const struct python_thread thread = new_thread(new_frame(code, 0));
	uint64_t name, words[FRAMES];

	memcpy(&name, (const void *)(code + runtime.objects.layout.code_qualname), sizeof(name));
	put(name, PYTHON_UNICODE_LENGTH, UINT64_MAX - 8);
	assert_int_equal(python_threads_take(&thread, words, FRAMES), 1);
	assert_string_equal(function_of(words[0]), "?");
}

/* Another code object where the first one was is seen with the next list of threads. */
TEST_WITH(frames_are_looked_at_again, set_up, NULL)
{
	const uint64_t code = new_code("prepare");
	const struct python_thread thread = new_thread(new_frame(code, 0));
	struct python_thread found;
	uint64_t words[FRAMES];

	python_threads_take(&thread, words, FRAMES);
	assert_string_equal(function_of(words[0]), "prepare");
	put(code, runtime.objects.layout.code_qualname, new_text("other"));
	python_threads_find(&found, 1);
	python_threads_take(&thread, words, FRAMES);
	assert_string_equal(function_of(words[0]), "other");
	/* And no new atom where it is the same one. */
	python_threads_find(&found, 1);
	python_threads_take(&thread, words, FRAMES);
	assert_int_equal(atom_count, 2);
}

/* An outer line must not pass for the one that runs. */
TEST_WITH(without_room_for_a_frame_there_is_none, set_up, NULL)
{
	const struct python_thread thread =
		new_thread(new_frame(new_code("prepare"), new_frame(new_code("main"), 0)));
	uint64_t words[FRAMES];

	atom_room = 1;
	assert_int_equal(python_threads_take(&thread, words, FRAMES), 0);
	atom_room = 2;
	assert_int_equal(python_threads_take(&thread, words, FRAMES), 2);
}

TEST_WITH(a_forked_child_begins_anew, set_up, NULL)
{
	const struct python_thread thread = new_thread(new_frame(new_code("prepare"), 0));
	struct python_thread found;
	uint64_t words[FRAMES];

	python_threads_take(&thread, words, FRAMES);
	python_threads_after_fork();
	python_threads_find(&found, 1);
	python_threads_take(&thread, words, FRAMES);
	assert_int_equal(atom_count, 2);
}

RUN_TESTS(NULL, NULL)
