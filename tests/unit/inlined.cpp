// Calls that symbols_test finds again: through a library of headers that the compiler inlined.
#include "third_party/fast_sum.hpp"

static float data[4];

extern "C" __attribute__((noinline)) void call_through_inlined()
{
	fast::sum(data);
	__asm__ volatile("# inlined");
}

extern "C" __attribute__((noinline)) void call_through_frames()
{
	fast::sum_apart(data);
	__asm__ volatile("# frames");
}

extern "C" __attribute__((noinline)) void call_back()
{
	fast::each([](int) {
		traced_call();
		__asm__ volatile("# back");
	});
}
