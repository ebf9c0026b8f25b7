/* What an instruction of PTX adds to the graph of a kernel's values. One thread. */
#ifndef STREAMTRACE_PTX_EFFECTS_H
#define STREAMTRACE_PTX_EFFECTS_H

#include "ptx/ptx_names.h"
#include "ptx/ptx_statement.h"

/* Adds the instruction to names->graph, and what it calls to names->called. */
void ptx_effects_add(struct ptx_names *names, const struct ptx_statement *statement);

#endif
