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

/* Of a function's name the arguments of its template; NULL: none. */
static const struct demangle_component *
template_arguments(const struct demangle_component *function)
{
	return function->type == DEMANGLE_COMPONENT_TEMPLATE ? function->u.s_binary.right : NULL;
}

/* The type that a parameter of the template stands for; the type itself where that is not known. */
static const struct demangle_component *resolve_type(const struct demangle_component *type,
						     const struct demangle_component *argument)
{
	long left;

	if (!type || type->type != DEMANGLE_COMPONENT_TEMPLATE_PARAM)
		return type;
	for (left = type->u.s_number.number; argument && left > 0; left--)
		argument = argument->u.s_binary.right;
	return argument && argument->type == DEMANGLE_COMPONENT_TEMPLATE_ARGLIST &&
			       argument->u.s_binary.left
		       ? argument->u.s_binary.left
		       : type;
}

/* cudaTextureObject_t and cudaSurfaceObject_t are unsigned long long. size_t and uint64_t are not:
 * they are unsigned long. */
static bool is_number(const struct demangle_component *type)
{
	return type->type == DEMANGLE_COMPONENT_EXTENDED_BUILTIN_TYPE ||
	       (type->type == DEMANGLE_COMPONENT_BUILTIN_TYPE &&
		!demangle_is_builtin(type, "unsigned long long"));
}

static void read_parameter(struct kernel_parameters *parameters,
			   const struct demangle_component *type,
			   const struct demangle_component *arguments)
{
	uint64_t bit = UINT64_C(1) << parameters->count++;
	bool is_const = false, is_ignored = false;
	const struct demangle_component *pointed;

	type = strip_qualifiers(resolve_type(strip_qualifiers(type, &is_ignored), arguments),
				&is_ignored);
	if (!type || type->type != DEMANGLE_COMPONENT_POINTER) {
		parameters->is_plain &= type && is_number(type);
		parameters->has_float |= type && demangle_is_builtin(type, "float");
		parameters->has_double |= type && demangle_is_builtin(type, "double");
		return;
	}
	pointed = strip_qualifiers(type->u.s_binary.left, &is_const);
	pointed = strip_qualifiers(resolve_type(pointed, arguments), &is_const);
	if (!pointed || pointed->type == DEMANGLE_COMPONENT_FUNCTION_TYPE) {
		parameters->is_plain = false;
		return;
	}
	parameters->is_pointer |= bit;
	if (pointed->type == DEMANGLE_COMPONENT_POINTER)
		parameters->has_table = true;
	else if (is_const)
		parameters->is_const |= bit;
}

static void read_list(struct kernel_parameters *parameters, const struct demangle_component *part,
		      const struct demangle_component *arguments)
{
	parameters->is_plain = part && part->type == DEMANGLE_COMPONENT_ARGLIST;
	for (; part && part->type == DEMANGLE_COMPONENT_ARGLIST; part = part->u.s_binary.right) {
		const struct demangle_component *type = part->u.s_binary.left;

		if (!type) /* (void) */
			return;
		/* It stands for any number of parameters: from here on they are not known. */
		if (type->type == DEMANGLE_COMPONENT_PACK_EXPANSION ||
		    parameters->count == KERNEL_PARAMETERS) {
			parameters->is_plain = false;
			return;
		}
		read_parameter(parameters, type, arguments);
	}
}

struct kernel_parameters kernel_parameters_read(const char *mangled)
{
	struct kernel_parameters parameters = {0};
	const struct demangle_component *part, *arguments = NULL;
	void *memory;

	part = demangle_tree(mangled, &memory);
	/* A function of a name and a type: the type's right side is the list of parameters. */
	if (part && part->type == DEMANGLE_COMPONENT_TYPED_NAME) {
		arguments = template_arguments(part->u.s_binary.left);
		part = part->u.s_binary.right;
	}
	if (part && part->type == DEMANGLE_COMPONENT_FUNCTION_TYPE)
		read_list(&parameters, part->u.s_binary.right, arguments);
	free(memory);
	return parameters;
}
