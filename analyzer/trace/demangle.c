#include "trace/demangle.h"
#include "trace/private.h"

#include <stdlib.h>

#define HAVE_DECL_BASENAME 1 /* libiberty.h declares its own otherwise */
#include <libiberty/demangle.h>

char *demangle(const char *name, bool with_parameters)
{
	return cplus_demangle_v3(name, with_parameters ? DMGL_PARAMS | DMGL_ANSI : DMGL_ANSI);
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
