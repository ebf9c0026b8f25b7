/*
 * Offsets in CPython's structures, for reading stacks: from a constant table for 3.11 and 3.12, and
 * from the interpreter's own table (_Py_DebugOffsets) from 3.13 on. In bytes, for x86-64.
 */
#ifndef STREAMTRACE_PYTHON_LAYOUT_H
#define STREAMTRACE_PYTHON_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

struct python_layout {
	uint32_t thread_cframe;	 /* in PyThreadState: the pointer to _PyCFrame; 0: there is no
				  * _PyCFrame */
	uint32_t thread_frame;	 /* in _PyCFrame, or without one in PyThreadState: the pointer to
				  * the innermost frame */
	uint32_t thread_native;	 /* in PyThreadState: the kernel's id of the thread */
	uint32_t frame_previous; /* in _PyInterpreterFrame, with the next three */
	uint32_t frame_code;
	uint32_t frame_instruction; /* address of the current instruction, or of the one before */
	uint32_t frame_owner;	    /* a value of 3 or more: the interpreter's own frame, not Python
				     * code */
	uint32_t code_filename;	    /* in PyCodeObject, with the next four */
	uint32_t code_qualname;
	uint32_t code_linetable;
	uint32_t code_firstlineno;
	uint32_t code_bytes;
	uint32_t ascii_bytes; /* sizes of PyASCIIObject and PyCompactUnicodeObject */
	uint32_t compact_bytes;
};

/* Equal in all versions: CPython's Include/object.h, cpython/bytesobject.h,
 * cpython/unicodeobject.h. */
#define PYTHON_THREAD_NEXT    8 /* in PyThreadState: Include/cpython/pystate.h */
#define PYTHON_OBJECT_TYPE    8
#define PYTHON_BYTES_SIZE     16
#define PYTHON_BYTES_DATA     32
#define PYTHON_UNICODE_LENGTH 16
#define PYTHON_UNICODE_STATE  32

/* Fills in the layout of a version (PY_VERSION_HEX). runtime: &_PyRuntime, or NULL if unknown.
 * Returns NULL, or a static text with the reason why the version cannot be read, to be printed
 * after its number. */
const char *python_layout_find(uint32_t version, const void *runtime, struct python_layout *layout);

#endif
