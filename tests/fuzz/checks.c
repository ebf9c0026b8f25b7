#include "checks.h"

#include "base/memory.h"
#include "base/printable.h"

#include <stdlib.h>
#include <string.h>

void fuzz_require(bool is_so, const char *what, const char *text)
{
	if (is_so)
		return;
	fprintf(stderr, "fuzz: %s: %.500s\n", what, text);
	abort();
}

void fuzz_check_text(const char *text, size_t size, const char *what)
{
	char *plain = memory_format("%s", text), *clean;
	size_t at = 0;

	fuzz_require(strlen(text) == size, what, "it has a NUL");
	for (char *c = plain; *c; c++)
		if (*c == '\n' || (*c == '\r' && c[1] == '\n') ||
		    (*c == '\t' && !strcmp(what, "html")))
			*c = ' ';
	clean = memory_format("%s", plain);
	printable_make(clean);
	while (plain[at] && plain[at] == clean[at])
		at++;
	plain[at + 20 < size ? at + 20 : size] = '\0';
	fuzz_require(at == size, what, plain + (at > 60 ? at - 60 : 0));
	free(plain);
	free(clean);
}

void fuzz_check_error(char *error)
{
	fuzz_require(error && *error && !strchr(error, '\n'), "not one line", error ? error : "");
	fuzz_check_text(error, strlen(error), "an error");
	free(error);
}

static char *made;
static size_t made_size;

FILE *fuzz_begin_text(void)
{
	FILE *out = open_memstream(&made, &made_size);

	fuzz_require(out != NULL, "open_memstream", "failed");
	return out;
}

void fuzz_end_text(FILE *out, const char *what)
{
	fclose(out);
	fuzz_check_text(made, made_size, what);
	free(made);
}

void fuzz_drop_text(FILE *out)
{
	fclose(out);
	free(made);
}
