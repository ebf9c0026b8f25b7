#include "base/text_file.h"

#include "base/format.h"
#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *text_file_read(const char *path, size_t most_bytes, size_t *size, char **error)
{
	FILE *file = fopen(path, "re");
	struct format most;
	char *text;

	*error = NULL;
	if (!file) {
		*error = memory_format("%s", strerror(errno));
		return NULL;
	}
	text = memory_array(most_bytes + 2, 1);
	*size = fread(text, 1, most_bytes + 1, file);
	if (ferror(file))
		*error = memory_format("%s", strerror(errno));
	else if (*size > most_bytes)
		*error = memory_format("is larger than %s", format_bytes(&most, most_bytes));
	fclose(file);
	if (!*error)
		return text;
	free(text);
	return NULL;
}
