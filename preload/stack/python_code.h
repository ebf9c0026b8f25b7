/*
 * Reads a Python code object: its file, function and current line, as an atom.
 *
 * Call on the thread that runs the code, which keeps the object alive. Calls nothing of Python,
 * takes no lock. A word that cannot belong to an object reads as 0, a text as "?", a line as 0.
 */
#ifndef STREAMTRACE_PYTHON_CODE_H
#define STREAMTRACE_PYTHON_CODE_H

#include "base/atoms.h"
#include "stack/python_layout.h"

#include <stdbool.h>
#include <string.h>

/* The words of an ATOM_PYTHON_FRAME: a frame of Python code, for people to read. */
struct python_frame {
	int64_t line; /* 0: unknown */
	char text[];  /* the file's name, a NUL, the function's name, a NUL; UTF-8 */
};

/* The addresses of the interpreter's type objects, and the offsets in its structures. */
struct python_objects {
	uint64_t code_type, unicode_type, bytes_type;
	struct python_layout layout;
};

/* A frame's code object, and the address of its current instruction. */
struct python_code {
	uint64_t code, instruction;
};

/* Whether 8 bytes can be read at the address. Costs a system call. */
bool python_is_readable(uint64_t address);

static inline bool python_is_address(uint64_t word)
{
	return word >= 4096 && !(word >> 47);
}

static inline const void *python_at(uint64_t object, uint32_t offset)
{
	return (const void *)(object + offset);
}

/* The word at object + offset; 0 if object cannot be an address. is_checked: ask
 * python_is_readable() first. */
static inline uint64_t python_load(uint64_t object, uint32_t offset, bool is_checked)
{
	uint64_t word;

	/* Python 3.14 marks borrowed references in the lowest bits. */
	object &= ~(uint64_t)7;
	if (!python_is_address(object))
		return 0;
	if (is_checked && !python_is_readable(object + offset))
		return 0;
	memcpy(&word, python_at(object, offset), sizeof(word));
	return word;
}

/* The first line of the code, an int that need not be aligned. */
static inline int32_t python_first_line(const struct python_objects *objects,
					const struct python_code *code)
{
	uint32_t offset = objects->layout.code_firstlineno;

	return (int32_t)(python_load(code->code, offset & ~7u, false) >> offset % 8 * 8);
}

/* Returns the code as an ATOM_PYTHON_FRAME; NULL: no room. */
struct atom *python_code_intern(const struct python_objects *objects,
				const struct python_code *code, enum atom_add add);

#endif
