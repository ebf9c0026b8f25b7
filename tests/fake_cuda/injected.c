/* Stands for a tracer in the injection test: says that it was called, once a call. */
#include <stdio.h>

int InitializeInjection(void);

int InitializeInjection(void)
{
	puts("injected");
	return 1;
}
