/*
 * Names in a function: where a variable is declared, mentioned and changed, and whether it is seen from
 * another place. By the look of the code: what may be a declaration counts as one, and where several may be
 * meant, nothing is known. Any thread.
 */
#ifndef STREAMTRACE_CODE_NAMES_H
#define STREAMTRACE_CODE_NAMES_H

#include "rewrite/syntax.h"

/* The variable or member that an argument stands for: `slot->out`, also of `(void *)slot->out`, `&slot->out`
 * and `slot->out + offset`. False: it is none, for example what a function returns. */
bool path_of(const struct code *code, struct piece argument, struct piece *path);

/* The first name of the path: `slot` of `slot->out`. */
struct piece path_root(const struct code *code, struct piece path);

/* The next place in the piece that has the path; or, of a path with members, its root without a member.
 * piece.end: there is none. */
size_t path_find(const struct code *code, struct piece piece, struct piece path);

/* Whether the argument has the path. */
bool path_is_in(const struct code *code, struct piece argument, struct piece path);

/* The place where the function declares the name, its parameters included. function.end: nowhere, so that it
 * is a member or global. False: in several places. */
bool declaration_find(const struct code *code, struct piece function, struct piece name,
		      size_t *place);

/* Whether each variable of the expression means at `to` what it means at `from`, both in the function: it is
 * declared before both and seen from both, and not assigned in between. */
bool expression_holds(const struct code *code, struct piece function, struct piece expression,
		      size_t from, size_t to);

#endif
