#include "edit_values.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

uint8_t input_byte(struct input *input)
{
	if (!input->size)
		return 0;
	input->size--;
	return *input->bytes++;
}

uint64_t input_number(struct input *input, int bytes)
{
	uint64_t number = 0;

	while (bytes-- > 0)
		number = number << 8 | input_byte(input);
	return number;
}

static const int64_t numbers[] = {-1,
				  0,
				  1,
				  2,
				  3,
				  127,
				  255,
				  32767,
				  65535,
				  65536,
				  INT32_MAX,
				  (int64_t)INT32_MAX + 1,
				  INT32_MIN,
				  UINT32_MAX,
				  (int64_t)UINT32_MAX + 1,
				  INT64_MAX,
				  INT64_MIN,
				  INT64_MAX / 2,
				  INT64_MAX / 4,
				  1000000000,
				  1000000000000000000};

static const char *const texts[] = {
	"",
	"\x9b"
	"31m",
	"\xc2\x9b"
	"31m",
	"\xe2\x80\xae"
	"gnp.exe",
	"\xed\xa0\x80",
	"\xc0\xaf",
	"\xf8\x88\x80\x80\x80",
	"a\nb\r\n\tc",
	"\x1b]0;title\x07",
	"\xe2\x80\xa8\xe2\x80\xa9\xef\xbb\xbf\xe2\x80\x8b",
	"=cmd|' /C calc'!A0",
	"\xef\xbc\x9d"
	"1+1",
	" =1+1",
	"<script>alert(1)</script>",
	"]]>\"'&`|\\",
	"_ZN2at6native29vectorized_elementwise_kernelILi4EEEvPKT_",
	"_Z1fDpT_",
	"../../etc/passwd",
	"%s%n%d",
	"cudaMemcpyAsync",
	"-1",
	"9223372036854775808",
	"1e999",
	"0x10",
};

#define COUNT(array) ((int)(sizeof(array) / sizeof(*(array))))

void edit_bind_value(sqlite3_stmt *update, struct input *input, sqlite3_value *old)
{
	int64_t before = old ? sqlite3_value_int64(old) : 0;
	uint8_t kind = input_byte(input);
	size_t length;

	switch (kind % 10) {
	case 0:
		sqlite3_bind_null(update, 1);
		break;
	case 1:
		sqlite3_bind_int64(update, 1, (int8_t)input_byte(input));
		break;
	case 2:
		sqlite3_bind_int64(update, 1, numbers[input_byte(input) % COUNT(numbers)]);
		break;
	case 3:
		sqlite3_bind_int64(update, 1, (int64_t)input_number(input, 8));
		break;
	case 4: /* near what is there, at some distance */
		length = input_byte(input) % 48;
		sqlite3_bind_int64(
			update, 1,
			(int64_t)((uint64_t)before +
				  ((uint64_t)(int64_t)(int8_t)input_byte(input) << length)));
		break;
	case 5:
		sqlite3_bind_double(update, 1, (double)(int64_t)input_number(input, 8) / 3);
		break;
	case 6:
		sqlite3_bind_text(update, 1, texts[input_byte(input) % COUNT(texts)], -1,
				  SQLITE_STATIC);
		break;
	default:
		length = input_byte(input);
		length = length < input->size ? length : input->size;
		if (kind % 10 < 9)
			sqlite3_bind_text(update, 1, (const char *)input->bytes, (int)length,
					  SQLITE_TRANSIENT);
		else
			sqlite3_bind_blob(update, 1, input->bytes, (int)length, SQLITE_TRANSIENT);
		input->bytes += length;
		input->size -= length;
	}
}

void edit_bind_bytes(sqlite3_stmt *update, struct input *input, sqlite3_value *old)
{
	int size = old ? sqlite3_value_bytes(old) : 0, count = input_byte(input);
	bool is_text = old && sqlite3_value_type(old) == SQLITE_TEXT;
	uint8_t *bytes = malloc((size_t)size + 1);

	if (!bytes)
		err(1, "malloc");
	if (size)
		memcpy(bytes, sqlite3_value_blob(old), (size_t)size);
	if (count >= 0xf0 && size)
		size = (int)(input_number(input, 2) % (unsigned int)size);
	for (int i = 0; size && i <= count % 4; i++) {
		unsigned int at = (unsigned int)input_number(input, 2) % (unsigned int)size;

		bytes[at] = (uint8_t)(bytes[at] + input_byte(input));
	}
	if (is_text)
		sqlite3_bind_text(update, 1, (const char *)bytes, size, SQLITE_TRANSIENT);
	else
		sqlite3_bind_blob(update, 1, bytes, size, SQLITE_TRANSIENT);
	free(bytes);
}
