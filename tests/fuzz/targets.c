#include "targets.h"

#include <string.h>

static const struct fuzz_target targets[] = {
	{"trace", fuzz_set_up_trace, fuzz_run_trace},
	{"summary", fuzz_set_up_summary, fuzz_run_summary},
	{"import", fuzz_set_up_import, fuzz_run_import},
	{"allowed", fuzz_set_up_texts, fuzz_run_allowed},
	{"baseline", fuzz_set_up_texts, fuzz_run_baseline},
	{"names", fuzz_set_up_texts, fuzz_run_names},
	{"mcp", fuzz_set_up_texts, fuzz_run_mcp},
	{"ptx", fuzz_set_up_texts, fuzz_run_ptx},
	{"rewrite", fuzz_set_up_texts, fuzz_run_rewrite},
};

const struct fuzz_target *fuzz_target_find(const char *name)
{
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
		if (!strcmp(targets[i].name, name))
			return &targets[i];
	return NULL;
}
