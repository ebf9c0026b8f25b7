#include "export/json_text.h"

void json_text(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			putc('\\', out);
		if (c < 0x20 || c == '<' || c == 0x7f)
			fprintf(out, "\\u%04x", c);
		else
			putc(c, out);
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
