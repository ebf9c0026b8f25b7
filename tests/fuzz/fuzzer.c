/* A target for libFuzzer: the one that FUZZ_TARGET in the environment names. */
#include "targets.h"

#include <err.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const struct fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = getenv("FUZZ_TARGET");

	target = name ? fuzz_target_find(name) : NULL;
	if (!target)
		errx(2, "FUZZ_TARGET=%s: no such target", name ? name : "");
	target->set_up();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	target->run(bytes, size);
	return 0;
}
