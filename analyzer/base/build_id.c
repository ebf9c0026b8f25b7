#include "base/build_id.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

bool build_id_is(const unsigned char *id, long length, const char *expected)
{
	char byte[3];

	if (!expected)
		return true;
	if (length <= 0 || strlen(expected) != (size_t)length * 2)
		return false;
	for (long i = 0; i < length; i++) {
		snprintf(byte, sizeof(byte), "%02x", id[i]);
		if (strncasecmp(expected + i * 2, byte, 2) != 0)
			return false;
	}
	return true;
}
