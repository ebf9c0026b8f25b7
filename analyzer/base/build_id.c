#include "base/build_id.h"

#include "base/regular_file.h"

#include <elfutils/libdwelf.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

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

bool build_id_is_of_file(const char *path, const char *expected)
{
	const int file = expected ? regular_file_open(path) : -1;
	const void *id = NULL;
	ssize_t length;
	bool is_same;
	Elf *elf;

	if (file < 0)
		return true;
	elf_version(EV_CURRENT);
	elf = elf_begin(file, ELF_C_READ_MMAP, NULL);
	length = elf ? dwelf_elf_gnu_build_id(elf, &id) : 0;
	is_same = build_id_is(id, length, expected);
	elf_end(elf);
	close(file);
	return is_same;
}
