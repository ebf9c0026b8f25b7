/* Makes the graph of a kernel's values from its PTX. One thread. */
#ifndef STREAMTRACE_PTX_FLOW_H
#define STREAMTRACE_PTX_FLOW_H

#include "ptx/kernel_uses.h"
#include "ptx/ptx_index.h"

/* What a kernel of the indexed text uses, with the functions that it calls. False: nothing is known; it is damaged or
 * too large. The caller must kernel_uses_free() the uses in both cases. */
bool ptx_flow_find(const struct ptx_index *index, const struct ptx_function *kernel,
		   struct kernel_uses *uses);

#endif
