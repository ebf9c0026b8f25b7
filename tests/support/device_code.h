/*
 * Device code as toolkits put it into a program's file (analyzer/ptx/fatbin.h), made by hand. A function that fails ends
 * the program. One thread.
 */
#ifndef STREAMTRACE_DEVICE_CODE_H
#define STREAMTRACE_DEVICE_CODE_H

#include <stddef.h>
#include <stdint.h>

#define DEVICE_CODE_CONTAINER_BYTES 16 /* of a container's header */
#define DEVICE_CODE_ENTRY_BYTES	    64 /* of an entry's header */

/* A section as it grows. Zero-initialize it, and begin a container. */
struct device_code {
	char bytes[16384];
	size_t size, container; /* where the last container begins */
};

/* The entries added from now on are in a container of their own. */
void device_code_begin(struct device_code *section);

/* kind: 1 PTX, 2 machine code; unpacked_size: 0 if the bytes are not compressed. */
void device_code_add(struct device_code *section, int kind, uint32_t architecture, uint64_t flags,
		     const char *bytes, size_t size, size_t unpacked_size);
void device_code_add_text(struct device_code *section, uint32_t architecture, const char *text);
void device_code_add_machine_code(struct device_code *section, uint32_t architecture);

/* Writes an ELF file with the section, whose name is ".nv_fatbin" or "__nv_relfatbin": as many bytes of it as `most`. */
void device_code_write(const char *path, const struct device_code *section, const char *name,
		       size_t most);

#endif
