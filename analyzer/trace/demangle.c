#include "trace/demangle.h"
#include "base/memory.h"
#include "trace/private.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#define HAVE_DECL_BASENAME 1 /* libiberty.h declares its own otherwise */
#include <libiberty/demangle.h>

/* Kernels of template libraries have 4,000 characters. libiberty recurses with the length of a name,
 * and a name can stand for a text that is exponentially longer. */
#define MANGLED_MOST 8192u
#define PLAIN_MOST   65536u

struct output {
	char *text;
	size_t used, capacity;
	jmp_buf too_long;
};

/* libiberty keeps nothing on the heap that a jump out of it would lose. */
static void append(const char *text, size_t length, void *context)
{
	struct output *output = context;

	if (length > PLAIN_MOST - output->used)
		longjmp(output->too_long, 1);
	while (output->used + length >= output->capacity) {
		output->text = memory_grow(output->text, output->capacity, &output->capacity, 1);
	}
	memcpy(output->text + output->used, text, length);
	output->used += length;
	output->text[output->used] = '\0';
}

char *demangle(const char *name, bool with_parameters)
{
	int options = DMGL_ANSI | DMGL_NO_RECURSE_LIMIT | (with_parameters ? DMGL_PARAMS : 0);
	struct output *output;
	char *text = NULL;

	if (strncmp(name, "_Z", 2) != 0 || strnlen(name, MANGLED_MOST + 1) > MANGLED_MOST)
		return NULL;
	output = memory_array(1, sizeof(*output));
	if (setjmp(output->too_long) == 0 &&
	    cplus_demangle_v3_callback(name, options, append, output) && output->used > 0)
		text = memory_format("%s", output->text);
	free(output->text);
	free(output);
	return text;
}

const char *trace_demangle(const struct trace *trace, const char *name)
{
	struct trace_private *private = trace->private;
	size_t index = map_find(&private->demangled_map, (uintptr_t)name);
	char *text;

	if (index != MAP_NONE)
		return private->demangled.items[index];
	text = demangle(name, true);
	index = private->demangled.count;
	*vector_add(&private->demangled) = text ? arena_text(&private->arena, text) : name;
	map_add(&private->demangled_map, (uintptr_t)name, index);
	free(text);
	return private->demangled.items[index];
}
