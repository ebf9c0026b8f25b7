#include "stack/python_frames.h"

#include "base/atoms.h"
#include "base/loaded.h"
#include "stack/python_layout.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define OWNER_INTERPRETER 3   /* FRAME_OWNED_BY_CSTACK, in 3.14 FRAME_OWNED_BY_INTERPRETER */
#define WALK_LIMIT	  256 /* frames, with the interpreter's own */
#define FILE_BYTES	  512 /* of a longer name its end is kept */
#define FUNCTION_BYTES	  256

enum state {
	STATE_NONE,
	STATE_FINDING,
	STATE_UNCHECKED, /* found; no frame was seen yet */
	STATE_ON,
	STATE_REFUSED
};

static _Atomic int state;
_Atomic bool python_frames_on;

/* Written before the state leaves STATE_FINDING. */
static struct {
	void *(*this_thread)(void);  /* PyGILState_GetThisThreadState */
	int (*is_initialized)(void); /* Py_IsInitialized */
	uint64_t code_type, unicode_type, bytes_type;
	struct python_layout layout;
	char version[32];
} python;

static const char *_Atomic refusal;

static void *find_symbol(const char *name)
{
	void *symbol = dlsym(RTLD_DEFAULT, name);

	/* A program may keep its interpreter to itself. */
	return symbol ? symbol : loaded_symbol("libpython3", name, NULL);
}

static void refuse(const char *why)
{
	atomic_store(&refusal, why);
	atomic_store(&state, STATE_REFUSED);
	atomic_store(&python_frames_on, false);
}

/* "3.10.13 (main, ..." of a Python that is too old to have Py_Version. */
static void find_old_version(void)
{
	const char *(*get_version)(void) = NULL;
	const char *text;

	*(void **)&get_version = find_symbol("Py_GetVersion");
	text = get_version ? get_version() : "?";
	snprintf(python.version, sizeof(python.version), "%.*s", (int)strcspn(text, " "), text);
}

static void find(void)
{
	const unsigned long *version;
	const char *why;

	*(void **)&python.this_thread = find_symbol("PyGILState_GetThisThreadState");
	if (!python.this_thread) {
		atomic_store(&state, STATE_NONE);
		return;
	}
	version = find_symbol("Py_Version");
	*(void **)&python.is_initialized = find_symbol("Py_IsInitialized");
	python.code_type = (uint64_t)find_symbol("PyCode_Type");
	python.unicode_type = (uint64_t)find_symbol("PyUnicode_Type");
	python.bytes_type = (uint64_t)find_symbol("PyBytes_Type");
	if (version)
		snprintf(python.version, sizeof(python.version), "%lu.%lu.%lu", *version >> 24,
			 *version >> 16 & 0xff, *version >> 8 & 0xff);
	else
		find_old_version();
	why = python_layout_find(version ? (uint32_t)*version : 0, find_symbol("_PyRuntime"),
				 &python.layout);
	if (!why && (!python.is_initialized || !python.code_type || !python.unicode_type ||
		     !python.bytes_type))
		why = "some of its symbols are missing";
	if (why)
		refuse(why);
	else
		atomic_store(&state, STATE_UNCHECKED);
	atomic_store(&python_frames_on, !why);
}

void python_frames_find(void)
{
	int saved_errno = errno, expected = STATE_NONE;

	if (atomic_compare_exchange_strong(&state, &expected, STATE_FINDING)) {
		find();
		dlerror(); /* the program is not to find our failure there */
	}
	errno = saved_errno;
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

/* The first frames are read with care: the structures may be others than the version says (a build
 * of one's own). Where the system call is not to be had, the symbols and types must do. */
static bool is_readable(uint64_t address)
{
	uint64_t word;
	struct iovec local = {&word, sizeof(word)};
	struct iovec remote = {(void *)address, sizeof(word)};

	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == sizeof(word) ||
	       errno == ENOSYS || errno == EPERM;
}

/* A word of a structure; 0 where it cannot be one. */
static inline uint64_t load(uint64_t object, uint32_t offset, bool is_checked)
{
	uint64_t word;

	/* 3.14 marks borrowed references in the lowest bits. */
	object &= ~(uint64_t)7;
	if (object < 4096 || object >> 47)
		return 0;
	if (is_checked && !is_readable(object + offset))
		return 0;
	memcpy(&word, (const void *)(object + offset), sizeof(word));
	return word;
}

/* A frame of Python code. */
struct frame {
	uint64_t code, instruction;
};

/* Goes outwards from *next to a frame of Python code; false at the end, or where no frame can
 * be. */
static inline bool next_frame(uint64_t *next, struct frame *frame, bool is_checked)
{
	const struct python_layout *layout = &python.layout;
	uint32_t owner_word = layout->frame_owner & ~7u, owner_bits = layout->frame_owner % 8 * 8;

	for (int i = 0; *next && i < WALK_LIMIT; i++) {
		uint64_t current = *next;
		uint8_t owner = (uint8_t)(load(current, owner_word, is_checked) >> owner_bits);

		frame->code = load(current, layout->frame_code, is_checked) & ~(uint64_t)7;
		frame->instruction = load(current, layout->frame_instruction, is_checked);
		*next = load(current, layout->frame_previous, is_checked);
		/* The interpreter's own frames have no code object, but for 3.12. */
		if (owner < OWNER_INTERPRETER &&
		    load(frame->code, PYTHON_OBJECT_TYPE, is_checked) == python.code_type)
			return true;
	}
	return false;
}

/* The innermost frame of this thread, or 0. */
static inline uint64_t first_frame(bool is_checked)
{
	uint64_t thread;

	/* After the end of the interpreter the thread's state is someone else's memory. */
	if (!python.is_initialized())
		return 0;
	thread = (uint64_t)python.this_thread();
	if (thread && python.layout.thread_cframe)
		thread = load(thread, python.layout.thread_cframe, is_checked);
	return thread ? load(thread, python.layout.thread_frame, is_checked) : 0;
}

static bool has_type(uint64_t object, uint64_t type)
{
	return load(object, PYTHON_OBJECT_TYPE, true) == type;
}

/* The first thread that is seen to run Python: everything that will be read is there. */
static __attribute__((noinline)) void check_structures(void)
{
	int saved_errno = errno;
	const struct python_layout *layout = &python.layout;
	uint64_t next = first_frame(true);
	struct frame frame;
	bool is_right;

	if (next) {
		is_right = next_frame(&next, &frame, true) &&
			   has_type(load(frame.code, layout->code_filename, true),
				    python.unicode_type) &&
			   has_type(load(frame.code, layout->code_qualname, true),
				    python.unicode_type) &&
			   has_type(load(frame.code, layout->code_linetable, true),
				    python.bytes_type) &&
			   frame.instruction + 2 >= frame.code + layout->code_bytes;
		while (is_right && next)
			if (!next_frame(&next, &frame, true))
				is_right = next == 0;
		if (is_right)
			atomic_store(&state, STATE_ON);
		else
			refuse("its structures are not where they should be");
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

/* Of the code: an int, which need not lie at a word. */
static inline int32_t first_line(const struct frame *frame)
{
	uint32_t offset = python.layout.code_firstlineno;

	return (int32_t)(load(frame->code, offset & ~7u, false) >> offset % 8 * 8);
}

int python_frames_key(uint64_t *words, int limit)
{
	const struct python_layout *layout = &python.layout;
	struct frame frame;
	uint64_t next;
	int count = 0;

	if (!is_on())
		return 0;
	next = first_frame(false);
	/* The instruction lies in the code object. Where a new one lies at an old one's
	 * address, its name and line are others. */
	while (count < limit && next_frame(&next, &frame, false))
		words[count++] =
			frame.instruction +
			load(frame.code, layout->code_qualname, false) * 0x9e3779b97f4a7c15u +
			((uint64_t)first_line(&frame) << 40);
	return count;
}

static uint64_t read_varint(const uint8_t **byte, const uint8_t *end)
{
	uint64_t value = 0;

	for (int shift = 0; *byte < end && shift < 60; shift += 6) {
		uint8_t bits = *(*byte)++;

		value |= (uint64_t)(bits & 63) << shift;
		if (!(bits & 64))
			break;
	}
	return value;
}

/* What an entry of a location table adds to the line (CPython's InternalDocs/code_objects.md);
 * *has_line is false where no line stands for its code. byte is at the entry's second byte. */
static int64_t line_delta(int code, const uint8_t *byte, const uint8_t *end, bool *has_line)
{
	uint64_t value;

	*has_line = code != 15;
	if (code == 11 || code == 12)
		return code - 10;
	if (code != 13 && code != 14)
		return 0;
	value = read_varint(&byte, end);
	return value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
}

/* 0: none. */
static int64_t find_line(const struct frame *frame)
{
	const struct python_layout *layout = &python.layout;
	uint64_t table = load(frame->code, layout->code_linetable, false);
	int64_t unit = (int64_t)(frame->instruction - frame->code - layout->code_bytes) / 2;
	const uint8_t *byte = (const uint8_t *)table + PYTHON_BYTES_DATA, *end;
	int64_t line = first_line(frame);
	bool has_line = true;

	if (load(table, PYTHON_OBJECT_TYPE, false) != python.bytes_type)
		return line;
	end = byte + load(table, PYTHON_BYTES_SIZE, false);
	while (byte < end && unit >= 0) {
		uint8_t head = *byte++;

		line += line_delta(head >> 3 & 15, byte, end, &has_line);
		unit -= (head & 7) + 1;
		while (byte < end && !(*byte & 128))
			byte++;
	}
	return has_line && line > 0 ? line : 0;
}

static size_t put_character(char *text, uint32_t character)
{
	if (character < 0x80) {
		text[0] = (char)character;
		return 1;
	}
	if (character < 0x800) {
		text[0] = (char)(0xc0 | character >> 6);
		text[1] = (char)(0x80 | (character & 63));
		return 2;
	}
	if (character < 0x10000) {
		text[0] = (char)(0xe0 | character >> 12);
		text[1] = (char)(0x80 | (character >> 6 & 63));
		text[2] = (char)(0x80 | (character & 63));
		return 3;
	}
	text[0] = (char)(0xf0 | (character >> 18 & 7));
	text[1] = (char)(0x80 | (character >> 12 & 63));
	text[2] = (char)(0x80 | (character >> 6 & 63));
	text[3] = (char)(0x80 | (character & 63));
	return 4;
}

/* A str as UTF-8 with a NUL; its end where it is too long. Returns its bytes. */
static size_t copy_text(uint64_t object, char *text, size_t size)
{
	/* unsigned interned:2, kind:3, compact:1, ascii:1 */
	uint32_t bits = (uint32_t)load(object, PYTHON_UNICODE_STATE, false);
	uint32_t width = bits >> 2 & 7;
	bool is_compact = bits & 32, is_ascii = bits & 64;
	const char *data = (const char *)object +
			   (is_ascii ? python.layout.ascii_bytes : python.layout.compact_bytes);
	size_t length = load(object, PYTHON_UNICODE_LENGTH, false), used = 0;
	size_t room = (size - 1) / (is_ascii ? 1 : 4);

	if (load(object, PYTHON_OBJECT_TYPE, false) != python.unicode_type || !is_compact ||
	    (width != 1 && width != 2 && width != 4)) {
		strcpy(text, "?");
		return 2;
	}
	for (size_t i = length > room ? length - room : 0; i < length; i++) {
		uint32_t character = 0;

		memcpy(&character, data + i * width, width);
		used += put_character(text + used, character);
	}
	text[used] = '\0';
	return used + 1;
}

static __attribute__((noinline)) struct atom *intern_frame(const struct frame *frame)
{
	enum { BYTES = sizeof(struct python_frame) + FILE_BYTES + FUNCTION_BYTES };
	uint64_t words[BYTES / sizeof(uint64_t)] = {0};
	struct python_frame *result = (struct python_frame *)words;
	size_t used;

	result->line = find_line(frame);
	used = copy_text(load(frame->code, python.layout.code_filename, false), result->text,
			 FILE_BYTES);
	used += copy_text(load(frame->code, python.layout.code_qualname, false),
			  result->text + used, FUNCTION_BYTES);
	return atom_intern(
		&(struct atom_text){
			.words = words,
			.count = (uint16_t)((sizeof(*result) + used + 7) / sizeof(words[0])),
			.kind = ATOM_PYTHON_FRAME,
		},
		ATOM_ADD);
}

int python_frames_take(uint64_t *words, int limit)
{
	struct frame frame;
	struct atom *atom;
	uint64_t next;
	int count = 0;

	if (!is_on())
		return 0;
	next = first_frame(false);
	while (count < limit && next_frame(&next, &frame, false)) {
		atom = intern_frame(&frame);
		if (!atom)
			break;
		words[count++] = (uint64_t)atom;
	}
	return count;
}
