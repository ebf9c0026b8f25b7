// A library of headers, as far as symbols_test is concerned: by its folder.
#ifndef FAST_SUM_HPP
#define FAST_SUM_HPP

extern "C" void traced_call();

namespace fast {
inline namespace v2 {
namespace detail {
template <typename T>
struct buffer {
	T *data;
	inline __attribute__((always_inline)) void copy(int) { traced_call(); __asm__ volatile(""); }
};
template <typename T, typename F>
inline __attribute__((always_inline)) void launch(T *data, F function)
{
	buffer<T>{data}.copy(1);
	function(data);
}
template <typename T>
__attribute__((noinline)) void launch_apart(T *data)
{
	buffer<T>{data}.copy(2);
	__asm__ volatile("# apart");
}
} // namespace detail
template <typename T>
inline __attribute__((always_inline)) void sum(T *data)
{
	detail::launch(data, [](T *) {});
}
template <typename T>
inline __attribute__((always_inline)) void sum_apart(T *data)
{
	detail::launch_apart(data);
}
template <typename F>
inline __attribute__((always_inline)) void each(F function)
{
	function(1);
}
} // namespace v2
} // namespace fast

#endif
