/*
 * What CPython's objects say: the code of a frame as file, function and line, as an atom.
 *
 * On the thread that runs the code, which keeps it alive; nothing of Python is called, no lock is
 * taken. What cannot be an object reads as 0, "?" or no line.
 */
#ifndef STREAMTRACE_PYTHON_CODE_H
#define STREAMTRACE_PYTHON_CODE_H

#include "stack/python_layout.h"

#include <stdbool.h>
#include <string.h>

struct atom;

/* A frame of Python code, for people: the words of an atom of kind ATOM_PYTHON_FRAME. */
struct python_frame {
	int64_t line; /* 0: none */
	char text[];  /* the file, a NUL, the function, a NUL; UTF-8 */
};

/* Where the interpreter's types are, and the fields of its structures. */
struct python_objects {
	uint64_t code_type, unicode_type, bytes_type;
	struct python_layout layout;
};

/* The code of a frame, and how far it has come. */
struct python_code {
	uint64_t code, instruction;
};

/* Whether a word can be read there, at the price of a system call. */
bool python_is_readable(uint64_t address);

static inline bool python_is_address(uint64_t word)
{
	return word >= 4096 && !(word >> 47);
}

static inline const void *python_at(uint64_t object, uint32_t offset)
{
	return (const void *)(object + offset);
}

/* A word of a structure; 0 where it cannot be one. */
static inline uint64_t python_load(uint64_t object, uint32_t offset, bool is_checked)
{
	uint64_t word;

	/* 3.14 marks borrowed references in the lowest bits. */
	object &= ~(uint64_t)7;
	if (!python_is_address(object))
		return 0;
	if (is_checked && !python_is_readable(object + offset))
		return 0;
	memcpy(&word, python_at(object, offset), sizeof(word));
	return word;
}

/* The line that the code begins with: an int, which need not lie at a word. */
static inline int32_t python_first_line(const struct python_objects *objects,
					const struct python_code *code)
{
	uint32_t offset = objects->layout.code_firstlineno;

	return (int32_t)(python_load(code->code, offset & ~7u, false) >> offset % 8 * 8);
}

/* As a struct python_frame; NULL: no room. */
struct atom *python_code_intern(const struct python_objects *objects,
				const struct python_code *code);

#endif
