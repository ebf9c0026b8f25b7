#include "base/printable.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Characters beyond ASCII that control a terminal, disguise a text, or occur in none. The joiners
 * U+200C and U+200D are invisible, too, but some languages' words need them. */
static const struct {
	uint32_t first, last;
} harmful[] = {
	{0x80, 0x9f},	    /* the second set of control characters */
	{0x61c, 0x61c},	    /* change the text's direction, like others below */
	{0x200b, 0x200b},   /* invisible */
	{0x200e, 0x200f},   /* direction */
	{0x2028, 0x202e},   /* ends of lines and paragraphs; direction */
	{0x2060, 0x206f},   /* invisible; direction */
	{0xfdd0, 0xfdef},   /* no characters */
	{0xfeff, 0xfeff},   /* invisible */
	{0xfff9, 0xfffb},   /* invisible text */
	{0xe0000, 0xe007f}, /* invisible: all of ASCII again */
};

static bool is_harmful(uint32_t point)
{
	for (size_t i = 0; i < sizeof(harmful) / sizeof(*harmful); i++)
		if (point >= harmful[i].first && point <= harmful[i].last)
			return true;
	return (point & 0xfffe) == 0xfffe; /* noncharacters, which XML forbids */
}

/* Length of the UTF-8 sequence at text; 0: not UTF-8 (also overlong forms and surrogates), or
 * harmful. */
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
