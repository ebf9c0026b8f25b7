#include "model/kernel_parameters.h"

#include "trace/demangle.h"

#include <stddef.h>
#include <stdlib.h>

#define HAVE_DECL_BASENAME 1 /* libiberty.h declares its own otherwise */
#include <libiberty/demangle.h>

/* The type without the qualifiers that stand before it. */
static const struct demangle_component *strip_qualifiers(const struct demangle_component *type,
							 bool *is_const)
{
	while (type && (type->type == DEMANGLE_COMPONENT_CONST ||
			type->type == DEMANGLE_COMPONENT_VOLATILE ||
			type->type == DEMANGLE_COMPONENT_RESTRICT)) {
		*is_const |= type->type == DEMANGLE_COMPONENT_CONST;
		type = type->u.s_binary.left;
	}
	return type;
}

static void read_parameter(struct kernel_parameters *parameters,
			   const struct demangle_component *type, int index)
{
	bool is_const = false, is_ignored = false;
	const struct demangle_component *pointed;

	type = strip_qualifiers(type, &is_ignored);
	if (!type || type->type != DEMANGLE_COMPONENT_POINTER)
		return;
	pointed = strip_qualifiers(type->u.s_binary.left, &is_const);
	if (pointed && pointed->type == DEMANGLE_COMPONENT_POINTER)
		parameters->has_table = true;
	else if (is_const)
		parameters->is_const |= UINT64_C(1) << index;
}

struct kernel_parameters kernel_parameters_read(const char *mangled)
{
	struct kernel_parameters parameters = {0};
	const struct demangle_component *part;
	void *memory;

	part = demangle_tree(mangled, &memory);
	/* A function of a name and a type: the type's right side is the list of parameters. */
	if (part && part->type == DEMANGLE_COMPONENT_TYPED_NAME)
		part = part->u.s_binary.right;
	part = part && part->type == DEMANGLE_COMPONENT_FUNCTION_TYPE ? part->u.s_binary.right
								      : NULL;
	for (int i = 0; part && part->type == DEMANGLE_COMPONENT_ARGLIST && i < KERNEL_PARAMETERS;
	     i++) {
		const struct demangle_component *type = part->u.s_binary.left;

		/* It stands for any number of parameters: from here on they are not known. */
		if (type && type->type == DEMANGLE_COMPONENT_PACK_EXPANSION)
			break;
		read_parameter(&parameters, type, i);
		part = part->u.s_binary.right;
	}
	free(memory);
	return parameters;
}
