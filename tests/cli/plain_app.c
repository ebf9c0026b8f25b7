/* A program that run_test.c runs as others would have linked it: 5, or 6 with a library preloaded where
 * none may be. */
#include <stdlib.h>

int main(void)
{
#ifdef WITHOUT_PRELOAD
	return getenv("LD_PRELOAD") ? 6 : 5;
#else
	return 5;
#endif
}
