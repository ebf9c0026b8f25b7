#include "ptx/module_texts.h"

#include "base/build_id.h"
#include "base/regular_file.h"
#include "ptx/machine_code.h"

#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)

/* A container's entries: one for each architecture that its code was compiled for, and some more. */
#define ENTRIES_MOST 256

struct container {
	struct fatbin_entry entries[ENTRIES_MOST];
	size_t count;
};

/* Code of sm_86 runs on 8.6 to 8.9, code of sm_90a on 9.0 only. */
static bool runs_on(const struct fatbin_entry *entry, uint32_t architecture)
{
	if (entry->is_specific)
		return entry->architecture == architecture;
	return entry->architecture <= architecture &&
	       (entry->is_text || entry->architecture / 10 == architecture / 10);
}

/* The architecture of what the driver takes: machine code, else PTX, each as new as possible; 0: none. */
static uint32_t chosen_architecture(const struct container *container, uint32_t architecture)
{
	uint32_t best_code = 0, best_text = 0;

	for (size_t i = 0; i < container->count; i++) {
		const struct fatbin_entry *entry = &container->entries[i];
		uint32_t *best = entry->is_text ? &best_text : &best_code;

		if (runs_on(entry, architecture) && entry->architecture > *best)
			*best = entry->architecture;
	}
	return best_code ? best_code : best_text;
}

static bool is_chosen(const struct container *container, const struct fatbin_entry *entry,
		      const uint32_t *architectures, size_t architecture_count)
{
	for (size_t i = 0; i < architecture_count; i++)
		if (entry->architecture == chosen_architecture(container, architectures[i]))
			return true;
	return false;
}

static bool has_text(const struct container *container, uint32_t architecture)
{
	for (size_t i = 0; i < container->count; i++)
		if (container->entries[i].is_text &&
		    container->entries[i].architecture == architecture)
			return true;
	return false;
}

/* has_code: also machine code that is chosen and has no text. */
static void choose_texts(const struct container *container, const uint32_t *architectures,
			 size_t architecture_count, bool has_code, fatbin_entries *texts)
{
	for (size_t i = 0; i < container->count; i++) {
		const struct fatbin_entry *entry = &container->entries[i];

		if ((entry->is_text || (has_code && !has_text(container, entry->architecture))) &&
		    is_chosen(container, entry, architectures, architecture_count))
			*vector_add(texts) = *entry;
	}
}

static void read_containers(fatbin_entries *texts, const char *bytes, size_t size,
			    const uint32_t *architectures, size_t architecture_count, bool has_code)
{
	struct fatbin_walk walk = {.bytes = bytes, .size = size};
	struct container *container = memory_array(1, sizeof(*container));
	struct fatbin_entry entry;

	while (fatbin_next(&walk, &entry)) {
		if (container->count && container->entries[0].container != entry.container) {
			choose_texts(container, architectures, architecture_count, has_code, texts);
			container->count = 0;
		}
		if (container->count < ENTRIES_MOST)
			container->entries[container->count++] = entry;
	}
	choose_texts(container, architectures, architecture_count, has_code, texts);
	free(container);
}

/* Of code that is linked on the device (nvcc -rdc=true) the PTX is in the second section. */
static bool is_section(const char *name)
{
	return name && (!strcmp(name, ".nv_fatbin") || !strcmp(name, "__nv_relfatbin"));
}

static void read_sections(struct module_texts *module, const uint32_t *architectures,
			  size_t architecture_count)
{
	size_t size = 0, names;
	const char *file = elf_rawfile(module->elf, &size);
	Elf_Scn *section = NULL;

	if (!file || elf_getshdrstrndx(module->elf, &names))
		return;
	while ((section = elf_nextscn(module->elf, section))) {
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS ||
		    header.sh_offset > size || header.sh_size > size - header.sh_offset ||
		    !is_section(elf_strptr(module->elf, names, header.sh_name)))
			continue;
		read_containers(&module->texts, file + header.sh_offset, header.sh_size,
				architectures, architecture_count, false);
	}
}

/* Whether the file is still the one that was traced. */
static bool is_same(const struct kernel_file *file, const struct module_texts *module)
{
	const void *id = NULL;
	const ssize_t length = dwelf_elf_gnu_build_id(module->elf, &id);
	struct stat status;

	if (file->build_id)
		return build_id_is(id, length, file->build_id);
	return !file->newest_ns ||
	       (!fstat(module->descriptor, &status) &&
		status.st_mtim.tv_sec * NS_PER_S + status.st_mtim.tv_nsec <= file->newest_ns);
}

struct module_texts module_texts_open(const struct kernel_file *file, const uint32_t *architectures,
				      size_t architecture_count)
{
	struct module_texts module = {.descriptor = regular_file_open(file->path)};

	if (module.descriptor < 0)
		return module;
	elf_version(EV_CURRENT);
	module.elf = elf_begin(module.descriptor, ELF_C_READ_MMAP, NULL);
	if (module.elf && is_same(file, &module))
		read_sections(&module, architectures, architecture_count);
	return module;
}

void module_texts_close(struct module_texts *module)
{
	vector_free(&module->texts);
	elf_end(module->elf);
	if (module->descriptor >= 0)
		close(module->descriptor);
}

fatbin_entries module_texts_of_image(const struct kernel_image *image,
				     const uint32_t *architectures, size_t architecture_count)
{
	fatbin_entries texts = {0};

	if (fatbin_is(image->bytes, image->size))
		read_containers(&texts, image->bytes, image->size, architectures,
				architecture_count, true);
	else
		*vector_add(&texts) = (struct fatbin_entry){
			.bytes = image->bytes,
			.size = image->size,
			.unpacked_size = image->size,
			.is_text = !machine_code_is(image->bytes, image->size)};
	return texts;
}
