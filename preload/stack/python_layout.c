#include "stack/python_layout.h"

#include <stddef.h>
#include <string.h>

/* From offsetof() with Py_BUILD_CORE: Include/cpython/pystate.h, code.h and
 * Include/internal/pycore_frame.h of CPython 3.11.2, 3.11.7 and 3.12.1. They stay within a minor
 * version: extensions are built against the first three. */
static const struct {
	uint32_t minor;
	struct python_layout layout;
} known[] = {
	{11,
	 {.thread_cframe = 56,
	  .thread_frame = 8,
	  .thread_native = 160,
	  .frame_previous = 48,
	  .frame_code = 32,
	  .frame_instruction = 56,
	  .frame_owner = 69,
	  .code_filename = 112,
	  .code_qualname = 128,
	  .code_linetable = 136,
	  .code_firstlineno = 72,
	  .code_bytes = 184,
	  .ascii_bytes = 48,
	  .compact_bytes = 72}},
	{12,
	 {.thread_cframe = 56,
	  .thread_frame = 0,
	  .thread_native = 144,
	  .frame_previous = 8,
	  .frame_code = 0,
	  .frame_instruction = 56,
	  .frame_owner = 70,
	  .code_filename = 112,
	  .code_qualname = 128,
	  .code_linetable = 136,
	  .code_firstlineno = 68,
	  .code_bytes = 192,
	  .ascii_bytes = 40,
	  .compact_bytes = 56}},
};

/* The head of _Py_DebugOffsets, with which _PyRuntime begins: Include/internal/pycore_runtime.h of
 * 3.13, pycore_debug_offsets.h of 3.14. After the head come only 64-bit numbers. */
struct debug_offsets {
	char cookie[8];
	uint64_t version, free_threaded;
	uint64_t values[];
};

/* The index of each of our offsets in debug_offsets.values. */
static const struct debug_indexes {
	uint32_t minor;
	uint8_t thread_frame, thread_native, frame_previous, frame_code, frame_instruction,
		frame_owner;
	uint8_t code_filename, code_qualname, code_linetable, code_firstlineno, code_bytes;
	uint8_t object_type, bytes_size, bytes_data, unicode_state, unicode_length, ascii_bytes;
} debug_indexes[] = {
	{13, 20, 22, 26, 27, 28, 30, 32, 34, 35, 36, 40, 42, 62, 63, 65, 66, 67},
	{14, 23, 25, 29, 30, 31, 33, 37, 39, 40, 41, 45, 48, 72, 73, 75, 76, 77},
};

/* Far above the largest offset: PyThreadState has some 300 bytes, and grows each year. */
#define OFFSET_LIMIT 4096

static bool read_debug_offsets(const struct debug_offsets *offsets,
			       const struct debug_indexes *indexes, struct python_layout *layout)
{
	const uint64_t *values = offsets->values;

#define VALUE(name) (values[indexes->name] < OFFSET_LIMIT ? (uint32_t)values[indexes->name] : 0)
	*layout = (struct python_layout){
		.thread_frame = VALUE(thread_frame),
		.thread_native = VALUE(thread_native),
		.frame_previous = VALUE(frame_previous),
		.frame_code = VALUE(frame_code),
		.frame_instruction = VALUE(frame_instruction),
		.frame_owner = VALUE(frame_owner),
		.code_filename = VALUE(code_filename),
		.code_qualname = VALUE(code_qualname),
		.code_linetable = VALUE(code_linetable),
		.code_firstlineno = VALUE(code_firstlineno),
		.code_bytes = VALUE(code_bytes),
		.ascii_bytes = VALUE(ascii_bytes),
		.compact_bytes = VALUE(ascii_bytes) + 2 * sizeof(uint64_t),
	};
	/* Offsets that have not moved for years show that the indexes are right. */
	return VALUE(object_type) == PYTHON_OBJECT_TYPE && VALUE(bytes_size) == PYTHON_BYTES_SIZE &&
	       VALUE(bytes_data) == PYTHON_BYTES_DATA &&
	       VALUE(unicode_length) == PYTHON_UNICODE_LENGTH &&
	       VALUE(unicode_state) == PYTHON_UNICODE_STATE && layout->ascii_bytes == 40 &&
	       layout->thread_frame && layout->frame_previous && layout->frame_instruction &&
	       layout->frame_owner && layout->code_filename && layout->code_qualname &&
	       layout->code_linetable && layout->code_firstlineno && layout->code_bytes;
#undef VALUE
}

const char *python_layout_find(uint32_t version, const void *runtime, struct python_layout *layout)
{
	const struct debug_offsets *offsets = runtime;
	uint32_t minor = version >> 16 & 0xff;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (version >> 24 == 3 && minor == known[i].minor) {
			*layout = known[i].layout;
			return NULL;
		}
	for (size_t i = 0; i < sizeof(debug_indexes) / sizeof(debug_indexes[0]); i++) {
		if (version >> 24 != 3 || minor != debug_indexes[i].minor)
			continue;
		if (!offsets || memcmp(offsets->cookie, "xdebugpy", 8) ||
		    offsets->version != version)
			return "unknown layout of _PyRuntime";
		if (offsets->free_threaded)
			return "builds without the GIL are not supported";
		return read_debug_offsets(offsets, &debug_indexes[i], layout)
			       ? NULL
			       : "unknown layout of _Py_DebugOffsets";
	}
	return "not supported (3.11 to 3.14 are)";
}
