#include "base/csv_text.h"

#include <string.h>

void csv_text(FILE *out, const char *text)
{
	if (!text || !*text)
		return;
	fputc('"', out);
	if (strchr("=+-@\t\r\n", *text))
		fputc('\'', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text == '\n' ? ' ' : *text, out);
	}
	fputc('"', out);
}
