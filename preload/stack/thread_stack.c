#include "stack/thread_stack.h"

#include <pthread.h>
#include <stddef.h>

__thread struct thread_stack thread_stack;

void thread_stack_find(void)
{
	pthread_attr_t attributes;
	void *low;
	size_t size;

	if (pthread_getattr_np(pthread_self(), &attributes))
		return;
	if (!pthread_attr_getstack(&attributes, &low, &size)) {
		thread_stack.low = (uint64_t)low;
		thread_stack.high = (uint64_t)low + size;
	}
	pthread_attr_destroy(&attributes);
}
