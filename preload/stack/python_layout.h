/*
 * Where CPython's structures keep what a stack is read from: a constant table for the versions that
 * do not say so themselves, and their own word from 3.13 on. Offsets are bytes, for x86-64.
 */
#ifndef STREAMTRACE_PYTHON_LAYOUT_H
#define STREAMTRACE_PYTHON_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

struct python_layout {
	uint32_t thread_cframe;	 /* PyThreadState to the _PyCFrame; 0: none between */
	uint32_t thread_frame;	 /* that one, or PyThreadState, to the innermost frame */
	uint32_t frame_previous; /* _PyInterpreterFrame */
	uint32_t frame_code;
	uint32_t frame_instruction; /* address of what it runs, or of the one before */
	uint32_t frame_owner;	    /* 3 and more: the interpreter's own, not of Python code */
	uint32_t code_filename;	    /* PyCodeObject */
	uint32_t code_qualname;
	uint32_t code_linetable;
	uint32_t code_firstlineno;
	uint32_t code_bytes;
	uint32_t ascii_bytes; /* sizes of PyASCIIObject and PyCompactUnicodeObject */
	uint32_t compact_bytes;
};

/* The same in all versions: CPython's Include/object.h, cpython/bytesobject.h,
 * cpython/unicodeobject.h. */
#define PYTHON_OBJECT_TYPE    8
#define PYTHON_BYTES_SIZE     16
#define PYTHON_BYTES_DATA     32
#define PYTHON_UNICODE_LENGTH 16
#define PYTHON_UNICODE_STATE  32

/* Fills in the layout of a version (PY_VERSION_HEX); runtime is &_PyRuntime, or NULL. NULL when
 * that went well, else why the version is not read: it follows its number. */
const char *python_layout_find(uint32_t version, const void *runtime, struct python_layout *layout);

#endif
