/*
 * The position of a kernel launch's argument in one word: the index of the kernel's parameter in
 * the upper 32 bits, the byte offset inside that parameter in the lower 32.
 *
 * An atom of kind ATOM_ARGUMENTS (launch_arguments.h) has two words an argument: its position and
 * the address.
 */
#ifndef STREAMTRACE_ARGUMENT_POSITION_H
#define STREAMTRACE_ARGUMENT_POSITION_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t argument_position(size_t parameter, size_t offset_bytes)
{
	return (uint64_t)parameter << 32 | (uint32_t)offset_bytes;
}

static inline int64_t argument_position_parameter(uint64_t position)
{
	return (int64_t)(position >> 32);
}

static inline int64_t argument_position_offset(uint64_t position)
{
	return (uint32_t)position;
}

#endif
