#include "export/json_text.h"

#include <stdbool.h>

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c != 0x7f && c != '"' && c != '\\' && c != '<';
}

void json_text(FILE *out, const char *text)
{
	putc('"', out);
	while (*text) {
		const char *end = text;

		while (is_plain((unsigned char)*end))
			end++;
		fwrite(text, 1, (size_t)(end - text), out);
		text = end;
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text++);
		else if (*text)
			fprintf(out, "\\u%04x", (unsigned char)*text++);
	}
	putc('"', out);
}

void json_us(FILE *out, int64_t ns)
{
	const char *sign = ns < 0 ? "-" : "";
	uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;

	fprintf(out, "%s%llu.%03llu", sign, (unsigned long long)(size / 1000),
		(unsigned long long)(size % 1000));
}
