#include "rewrite/rules.h"

#include "trace/trace.h"

#include <string.h>

const char rewriting_no_function[] =
	"the function around the line is not understood: it has #if, goto or braces from a macro";

const char *rewriting_function(const struct rewriting *rewriting)
{
	const char *name = rewriting->call->form->function->name;

	return name + strspn(name, "_");
}

const char *rewriting_find(const struct rewriting *rewriting, const char *function, size_t count,
			   struct code_call *call, struct piece *around)
{
	const char *why;

	if (!call_find(rewriting->code, rewriting->line, function, call, &why))
		return why;
	if (call->count != count)
		return "the call's arguments are not understood";
	return function_around(rewriting->code, call->name.start, around) ? NULL
									  : rewriting_no_function;
}

struct piece rewriting_indent(const struct code *code, size_t at)
{
	struct piece indent;

	while (at && code->text[at - 1] != '\n')
		at--;
	indent = (struct piece){at, at};
	while (code->text[indent.end] == ' ' || code->text[indent.end] == '\t')
		indent.end++;
	return indent;
}
