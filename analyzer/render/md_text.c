#include "render/md_text.h"

size_t md_longest_run(const char *text)
{
	size_t most = 0, run = 0;

	for (; *text; text++) {
		run = *text == '`' ? run + 1 : 0;
		most = run > most ? run : most;
	}
	return most;
}

void md_fence(FILE *out, size_t length)
{
	while (length--)
		fputc('`', out);
}

void md_code(FILE *out, const char *text)
{
	size_t fence = md_longest_run(text) + 1;

	md_fence(out, fence);
	if (fence > 1)
		fputc(' ', out);
	for (; *text; text++)
		fputs(*text == '|' ? "\xc2\xa6" : (const char[]){*text, '\0'}, out);
	if (fence > 1)
		fputc(' ', out);
	md_fence(out, fence);
}
