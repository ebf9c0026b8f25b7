#include "base/printable.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Beyond ASCII: the second set of control characters, the ends of a line or paragraph, what turns the
 * direction of a text, so that it reads as another one than it is, and what is no character, which XML
 * does not allow. */
static bool is_harmful(uint32_t point)
{
	return (point >= 0x80 && point < 0xa0) || point == 0x61c || point == 0x200e ||
	       point == 0x200f || (point >= 0x2028 && point <= 0x202e) ||
	       (point >= 0x2066 && point <= 0x2069) || (point & 0xfffe) == 0xfffe;
}

/* Length of the UTF-8 sequence at text, 0 when it is none or harmful. Overlong forms and surrogates are
 * not UTF-8. */
static size_t utf8_length(const unsigned char *text)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length, i;
	uint32_t point;

	if (text[0] < 0x80)
		return text[0] >= 0x20 && text[0] != 0x7f;
	length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
	if (text[0] < 0xc2 || text[0] > 0xf4)
		return 0;
	point = text[0] & (0xff >> (length + 1));
	for (i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (text[i] & 0x3f);
	}
	if (point < smallest[length] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
		return 0;
	return is_harmful(point) ? 0 : length;
}

void printable_make(char *text)
{
	size_t length;

	for (; *text; text += length ? length : 1) {
		length = utf8_length((const unsigned char *)text);
		if (!length)
			*text = '?';
	}
}
