#include "trace/demangle.h"

#include "base/memory.h"
#include "trace/trace_private.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#define HAVE_DECL_BASENAME 1 /* libiberty.h declares its own otherwise */
#include <libiberty/demangle.h>

/* Kernel names of template libraries have 4,000 characters. libiberty recurses as deep as a name is
 * long, with up to 218 bytes of stack a character: 1.8 MB for MANGLED_MOST (measured with 60 kinds
 * of names, libiberty of binutils 2.40), below a thread's 2 MB. A name can also stand for an
 * exponentially longer text: PLAIN_MOST. */
#define MANGLED_MOST 8192u
#define PLAIN_MOST   65536u

/* The work of libiberty's parser doubles with each template template parameter in a conversion
 * operator, that of its printer with each level of a type below a pack expansion. */
#define CONVERSION_PARAMETERS_MOST 12
#define PACK_NODES_MOST		   4096

struct output {
	char *text;
	size_t used, capacity;
	jmp_buf too_long;
};

/* libiberty keeps nothing on the heap that a jump out of it would lose. */
static void append_text(const char *text, size_t length, void *context)
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

/* Template template parameters, T_I... or T12_I..., in a name that may have a conversion operator,
 * where the parser tries each in two ways. */
static bool has_many_parameters(const char *name)
{
	size_t count = 0;

	if (!strstr(name, "cv"))
		return false;
	for (const char *c = strchr(name, 'T'); c; c = strchr(c + 1, 'T')) {
		const char *end = c + 1 + strspn(c + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");

		count += end[0] == '_' && end[1] == 'I';
	}
	return count > CONVERSION_PARAMETERS_MOST;
}

/* The subtrees of a node, as libiberty's search for a pack walks them. */
static void find_children(const struct demangle_component *node,
			  const struct demangle_component *children[2])
{
	children[0] = children[1] = NULL;
	switch (node->type) {
	case DEMANGLE_COMPONENT_NAME:
	case DEMANGLE_COMPONENT_OPERATOR:
	case DEMANGLE_COMPONENT_BUILTIN_TYPE:
	case DEMANGLE_COMPONENT_EXTENDED_BUILTIN_TYPE:
	case DEMANGLE_COMPONENT_SUB_STD:
	case DEMANGLE_COMPONENT_CHARACTER:
	case DEMANGLE_COMPONENT_TEMPLATE_PARAM:
	case DEMANGLE_COMPONENT_FUNCTION_PARAM:
	case DEMANGLE_COMPONENT_NUMBER:
		break;
	case DEMANGLE_COMPONENT_LAMBDA:
	case DEMANGLE_COMPONENT_DEFAULT_ARG:
	case DEMANGLE_COMPONENT_UNNAMED_TYPE:
		children[0] = node->u.s_unary_num.sub;
		break;
	case DEMANGLE_COMPONENT_EXTENDED_OPERATOR:
		children[0] = node->u.s_extended_operator.name;
		break;
	case DEMANGLE_COMPONENT_FIXED_TYPE:
		children[0] = node->u.s_fixed.length;
		break;
	case DEMANGLE_COMPONENT_CTOR:
		children[0] = node->u.s_ctor.name;
		break;
	case DEMANGLE_COMPONENT_DTOR:
		children[0] = node->u.s_dtor.name;
		break;
	default:
		children[0] = node->u.s_binary.left;
		children[1] = node->u.s_binary.right;
	}
}

struct walk {
	struct map nodes; /* those that were counted */
	bool is_costly;	  /* a pack expansion has too many */
};

/* The nodes below this one, a subtree that occurs twice counted twice; no more than the most. */
static size_t count_nodes(struct walk *walk, const struct demangle_component *node)
{
	const struct demangle_component *children[2];
	size_t count = map_find(&walk->nodes, (uintptr_t)node);

	if (count != MAP_NONE)
		return count;
	find_children(node, children);
	count = 1;
	for (int i = 0; i < 2; i++)
		count += children[i] ? count_nodes(walk, children[i]) : 0;
	if (count > PACK_NODES_MOST) {
		count = PACK_NODES_MOST + 1;
		walk->is_costly |= node->type == DEMANGLE_COMPONENT_PACK_EXPANSION;
	}
	map_add(&walk->nodes, (uintptr_t)node, count);
	return count;
}

/* Whether libiberty's parser ends soon, and within the stack. */
static bool is_parsed_soon(const char *name)
{
	return strncmp(name, "_Z", 2) == 0 && strnlen(name, MANGLED_MOST + 1) <= MANGLED_MOST &&
	       !has_many_parameters(name);
}

struct demangle_component *demangle_tree(const char *name, void **memory)
{
	*memory = NULL;
	return is_parsed_soon(name)
		       ? cplus_demangle_v3_components(name, DMGL_ANSI | DMGL_PARAMS, memory)
		       : NULL;
}

bool demangle_is_builtin(const struct demangle_component *type, const char *name)
{
	size_t allocated;
	char *text;
	bool is_it;

	if (type->type != DEMANGLE_COMPONENT_BUILTIN_TYPE)
		return false;
	text = cplus_demangle_print(DMGL_ANSI, (struct demangle_component *)type, (int)strlen(name),
				    &allocated);
	is_it = text && strcmp(text, name) == 0;
	free(text);
	return is_it;
}

/* name: is_parsed_soon(). */
static bool has_costly_pack(const char *name, int options)
{
	struct demangle_component *tree;
	struct walk walk = {0};
	void *memory = NULL;

	if (!strstr(name, "Dp"))
		return false;
	tree = cplus_demangle_v3_components(name, options, &memory);
	if (tree)
		count_nodes(&walk, tree);
	map_free(&walk.nodes);
	free(memory);
	return walk.is_costly;
}

char *demangle(const char *name, bool with_parameters)
{
	int options = DMGL_ANSI | DMGL_NO_RECURSE_LIMIT | (with_parameters ? DMGL_PARAMS : 0);
	struct output *output;
	char *text = NULL;

	if (!is_parsed_soon(name) || has_costly_pack(name, options))
		return NULL;
	output = memory_array(1, sizeof(*output));
	if (setjmp(output->too_long) == 0 &&
	    cplus_demangle_v3_callback(name, options, append_text, output) && output->used > 0)
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
