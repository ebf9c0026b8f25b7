#include "base/rank_order.h"

#include <stdbool.h>
#include <string.h>

int rank_order(const char *a, const char *b)
{
	size_t x = a ? strspn(a, "0123456789") : 0, y = b ? strspn(b, "0123456789") : 0;
	bool is_number = a && x && !a[x], is_other = b && y && !b[y];

	if (!a || !b)
		return (b != NULL) - (a != NULL);
	if (is_number != is_other)
		return is_number ? -1 : 1;
	if (is_number && x != y)
		return x < y ? -1 : 1;
	return strcmp(a, b);
}
