#include "stack/python_frames.h"

#include "base/hash.h"
#include "base/hot.h"
#include "base/loaded.h"
#include "stack/python_code.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OWNER_INTERPRETER 3   /* FRAME_OWNED_BY_CSTACK, in 3.14 FRAME_OWNED_BY_INTERPRETER */
#define WALK_LIMIT	  256 /* frames, with the interpreter's own */

enum state {
	STATE_NONE,
	STATE_FINDING,
	STATE_UNCHECKED, /* found; no frame seen yet */
	STATE_ON,
	STATE_REFUSED
};

/* A symbol that every Python has, and no other library. */
static const char this_thread[] = "PyGILState_GetThisThreadState";

static _Atomic int state;
READ_MOSTLY _Atomic bool python_frames_on;

/* Written before the state leaves STATE_FINDING. */
static struct {
	void *(*this_thread)(void); /* PyGILState_GetThisThreadState */
	struct python_runtime runtime;
	char version[32];
} python;

static const char *_Atomic refusal;

/* The executable: it may hold copies of a library's data. */
static struct symbols program;
static bool has_program;

static void *find_symbol(const struct symbols *library, const char *name)
{
	void *symbol = has_program ? symbols_find(&program, name, SYMBOLS_NO_VERSION) : NULL;

	return symbol ? symbol : symbols_find(library, name, SYMBOLS_NO_VERSION);
}

static uint64_t size_of_symbol(const struct symbols *library, const char *name)
{
	const uint64_t size = has_program ? symbols_size(&program, name, SYMBOLS_NO_VERSION) : 0;

	return size ? size : symbols_size(library, name, SYMBOLS_NO_VERSION);
}

static void refuse_python(const char *why)
{
	atomic_store(&refusal, why);
	atomic_store(&state, STATE_REFUSED);
	atomic_store(&python_frames_on, false);
}

/* Reads the version "3.10.13 (main, ..." of a Python too old for Py_Version. */
static void find_old_version(const struct symbols *library)
{
	const char *(*get_version)(void) = NULL;
	const char *text;

	*(void **)&get_version = find_symbol(library, "Py_GetVersion");
	text = get_version ? get_version() : "?";
	snprintf(python.version, sizeof(python.version), "%.*s", (int)strcspn(text, " "), text);
}

static void find_python(const struct symbols *library)
{
	const unsigned long *version;
	const char *why;

	*(void **)&python.this_thread = find_symbol(library, this_thread);
	loaded_keep((void *)python.this_thread);
	version = find_symbol(library, "Py_Version");
	*(void **)&python.runtime.is_initialized = find_symbol(library, "Py_IsInitialized");
	python.runtime.objects.code_type = (uint64_t)find_symbol(library, "PyCode_Type");
	python.runtime.objects.unicode_type = (uint64_t)find_symbol(library, "PyUnicode_Type");
	python.runtime.objects.bytes_type = (uint64_t)find_symbol(library, "PyBytes_Type");
	*(void **)&python.runtime.main_interpreter =
		find_symbol(library, "PyInterpreterState_Main");
	*(void **)&python.runtime.first_thread =
		find_symbol(library, "PyInterpreterState_ThreadHead");
	python.runtime.low = (uint64_t)find_symbol(library, "_PyRuntime");
	python.runtime.high = python.runtime.low + size_of_symbol(library, "_PyRuntime");
	if (version)
		snprintf(python.version, sizeof(python.version), "%lu.%lu.%lu", *version >> 24,
			 *version >> 16 & 0xff, *version >> 8 & 0xff);
	else
		find_old_version(library);
	why = python_layout_find(version ? (uint32_t)*version : 0,
				 find_symbol(library, "_PyRuntime"),
				 &python.runtime.objects.layout);
	if (!why && (!python.runtime.is_initialized || !python.runtime.objects.code_type ||
		     !python.runtime.objects.unicode_type || !python.runtime.objects.bytes_type))
		why = "some of its symbols are missing";
	if (why)
		refuse_python(why);
	else
		atomic_store(&state, STATE_UNCHECKED);
	atomic_store(&python_frames_on, !why);
}

static void look_in(const struct symbols *library)
{
	const int saved_errno = errno;
	int expected = STATE_NONE;

	if (symbols_find(library, this_thread, SYMBOLS_NO_VERSION) &&
	    atomic_compare_exchange_strong(&state, &expected, STATE_FINDING))
		find_python(library);
	errno = saved_errno;
}

static bool is_python(const struct loaded *library, void *found)
{
	if (!library->file[0]) {
		program = library->symbols;
		has_program = true;
	}
	*(struct symbols *)found = library->symbols;
	return symbols_find(&library->symbols, this_thread, SYMBOLS_NO_VERSION) != NULL;
}

void python_frames_begin(void)
{
	struct symbols found;

	if (loaded_each(is_python, &found))
		look_in(&found);
}

void python_frames_look_in(const struct link_map *library)
{
	struct symbols symbols;

	if (atomic_load_explicit(&state, memory_order_relaxed) == STATE_NONE &&
	    symbols_read(&symbols, library->l_addr, library->l_ld))
		look_in(&symbols);
}

void python_frames_after_fork(void)
{
	int expected = STATE_FINDING;

	atomic_compare_exchange_strong(&state, &expected, STATE_NONE);
}

bool python_frames_status(char *text, size_t size)
{
	switch (atomic_load(&state)) {
	case STATE_UNCHECKED:
	case STATE_ON:
		snprintf(text, size, "on: %s", python.version);
		return true;
	case STATE_REFUSED:
		snprintf(text, size, "Python %s: %s", python.version, atomic_load(&refusal));
		return true;
	default:
		return false;
	}
}

/* Advances *next outwards past the next frame of Python code, and stores its code. False: the stack
 * ends, or *next cannot be a frame. */
static inline bool next_frame(uint64_t *next, struct python_code *code, bool is_checked)
{
	const struct python_layout *layout = &python.runtime.objects.layout;
	uint32_t owner_word = layout->frame_owner & ~7u, owner_bits = layout->frame_owner % 8 * 8;

	for (int i = 0; *next && i < WALK_LIMIT; i++) {
		uint64_t current = *next;
		uint8_t owner =
			(uint8_t)(python_load(current, owner_word, is_checked) >> owner_bits);

		code->code = python_load(current, layout->frame_code, is_checked) & ~(uint64_t)7;
		code->instruction = python_load(current, layout->frame_instruction, is_checked);
		*next = python_load(current, layout->frame_previous, is_checked);
		/* The interpreter's own frames have no code object, except in 3.12. */
		if (owner < OWNER_INTERPRETER &&
		    python_load(code->code, PYTHON_OBJECT_TYPE, is_checked) ==
			    python.runtime.objects.code_type)
			return true;
	}
	return false;
}

/* This thread's state as last found. It may be reused memory since: it is fetched, and never read. */
static __thread uint64_t last_thread __attribute__((tls_model("initial-exec")));

void python_frames_foresee(void)
{
	const struct python_layout *layout = &python.runtime.objects.layout;

	if (!last_thread)
		return;
	__builtin_prefetch((const void *)(uintptr_t)python.runtime.is_initialized);
	__builtin_prefetch((const void *)(uintptr_t)python.this_thread);
	__builtin_prefetch(python_at(last_thread, layout->thread_cframe ? layout->thread_cframe
									: layout->thread_frame));
}

/* The innermost frame of this thread, or 0. */
static inline uint64_t first_frame(bool is_checked)
{
	uint64_t thread;

	/* After the interpreter's end the thread's state may be reused memory. */
	if (!python.runtime.is_initialized())
		return 0;
	last_thread = thread = (uint64_t)python.this_thread();
	if (thread && python.runtime.objects.layout.thread_cframe)
		thread = python_load(thread, python.runtime.objects.layout.thread_cframe,
				     is_checked);
	return thread ? python_load(thread, python.runtime.objects.layout.thread_frame, is_checked)
		      : 0;
}

static bool has_type(uint64_t object, uint64_t type)
{
	return python_load(object, PYTHON_OBJECT_TYPE, true) == type;
}

/* Other threads are found by their ids, so this one must be. */
static void check_thread_id(void)
{
	struct python_layout *layout = &python.runtime.objects.layout;
	const uint64_t thread = (uint64_t)python.this_thread();
	const uint64_t id = python_load(thread, layout->thread_native, true);

	if (id != (uint64_t)syscall(SYS_gettid) || !python.runtime.main_interpreter ||
	    !python.runtime.first_thread)
		layout->thread_native = 0;
}

/* Checks everything that will be read, on the first thread seen to run Python. */
static __attribute__((noinline)) void check_structures(void)
{
	int saved_errno = errno;
	const struct python_layout *layout = &python.runtime.objects.layout;
	uint64_t next = first_frame(true);
	struct python_code code;
	bool is_right;

	if (next) {
		is_right = next_frame(&next, &code, true) &&
			   has_type(python_load(code.code, layout->code_filename, true),
				    python.runtime.objects.unicode_type) &&
			   has_type(python_load(code.code, layout->code_qualname, true),
				    python.runtime.objects.unicode_type) &&
			   has_type(python_load(code.code, layout->code_linetable, true),
				    python.runtime.objects.bytes_type) &&
			   code.instruction + 2 >= code.code + layout->code_bytes;
		while (is_right && next)
			if (!next_frame(&next, &code, true))
				is_right = next == 0;
		check_thread_id();
		if (is_right)
			atomic_store(&state, STATE_ON);
		else
			refuse_python("unexpected layout of its structures");
	}
	errno = saved_errno;
}

static bool is_on(void)
{
	int now = atomic_load_explicit(&state, memory_order_acquire);

	if (now == STATE_UNCHECKED) {
		check_structures();
		now = atomic_load(&state);
	}
	return now == STATE_ON;
}

/* The walk of each call: next_frame() and python_first_line() without their checks. */
static inline int key_of(uint64_t next, uint64_t *words, int limit)
{
	const struct python_layout layout = python.runtime.objects.layout;
	uint64_t code, instruction, code_type = python.runtime.objects.code_type;
	int count = 0;

	for (int i = 0; python_is_address(next) && i < WALK_LIMIT && count < limit; i++) {
		uint64_t frame = next;
		int32_t first_line;
		uint8_t owner;

		memcpy(&code, python_at(frame, layout.frame_code), sizeof(code));
		memcpy(&instruction, python_at(frame, layout.frame_instruction),
		       sizeof(instruction));
		memcpy(&owner, python_at(frame, layout.frame_owner), sizeof(owner));
		memcpy(&next, python_at(frame, layout.frame_previous), sizeof(next));
		code &= ~(uint64_t)7;
		if (owner >= OWNER_INTERPRETER || !code ||
		    memcmp(python_at(code, PYTHON_OBJECT_TYPE), &code_type, sizeof(code_type)) != 0)
			continue;
		/* The instruction lies inside the code object. A new object at an old one's address
		 * differs in its name or line. */
		memcpy(&first_line, python_at(code, layout.code_firstlineno), sizeof(first_line));
		memcpy(&code, python_at(code, layout.code_qualname), sizeof(code));
		words[count++] = instruction + hash_word(code) + ((uint64_t)first_line << 40);
	}
	return count;
}

const struct python_runtime *python_frames_runtime(void)
{
	return atomic_load_explicit(&state, memory_order_acquire) == STATE_ON &&
			       python.runtime.objects.layout.thread_native
		       ? &python.runtime
		       : NULL;
}

int python_frames_key(uint64_t *words, int limit)
{
	return is_on() ? key_of(first_frame(false), words, limit) : 0;
}

int python_frames_take(uint64_t *words, int limit)
{
	struct python_code code;
	struct atom *atom;
	uint64_t next;
	int count = 0;

	if (!is_on())
		return 0;
	next = first_frame(false);
	while (count < limit && next_frame(&next, &code, false)) {
		atom = python_code_intern(&python.runtime.objects, &code, ATOM_ADD);
		if (!atom)
			break;
		words[count++] = (uint64_t)atom;
	}
	return count;
}
