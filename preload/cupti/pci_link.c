#include "cupti/pci_link.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Line encoding: up to 5 GT/s eight bits take ten, up to 32 GT/s 128 take 130; above, none. */
static double encoded_share(double transfers_per_s)
{
	return transfers_per_s <= 5e9 ? 0.8 : transfers_per_s <= 32e9 ? 128.0 / 130.0 : 1;
}

/* The number at the beginning of the file; 0: none. */
static double number_in(const char *path)
{
	FILE *file = fopen(path, "re");
	double number = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%lf", &number) != 1)
		number = 0;
	fclose(file);
	return number;
}

/* An attribute of the device, or with "../" of the port above it. */
static double read_attribute(const char *root, const char *bus_id, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/sys/bus/pci/devices/%s/%s", root, bus_id, name);
	return number_in(path);
}

/* A link runs at the speed of its slower end. The current speed does not count: an idle GPU lowers
 * it. */
static int64_t link_of(const char *root, const char *bus_id)
{
	double own = read_attribute(root, bus_id, "max_link_speed");
	double above = read_attribute(root, bus_id, "../max_link_speed");
	double width = read_attribute(root, bus_id, "current_link_width");
	double transfers_per_s = 1e9 * (above > 0 && above < own ? above : own);

	if (!(transfers_per_s > 0 && transfers_per_s < 1e12 && width >= 1 && width <= 32))
		return 0;
	return (int64_t)(transfers_per_s * width / 8 * encoded_share(transfers_per_s));
}

/* Whether the kernel module's file about a GPU contains the uuid. */
static bool has_uuid(const char *path, const char *uuid)
{
	FILE *file = fopen(path, "re");
	char line[256];
	bool is_found = false;

	if (!file)
		return false;
	while (!is_found && fgets(line, sizeof(line), file))
		is_found = strstr(line, uuid) != NULL;
	fclose(file);
	return is_found;
}

int64_t pci_link_bytes_per_s(const char *root, const char *uuid)
{
	char path[PATH_MAX];
	int64_t bytes_per_s = 0;
	struct dirent *entry;
	DIR *folder;

	snprintf(path, sizeof(path), "%s/proc/driver/nvidia/gpus", root);
	folder = opendir(path);
	if (!folder)
		return 0;
	while (!bytes_per_s && (entry = readdir(folder))) {
		snprintf(path, sizeof(path), "%s/proc/driver/nvidia/gpus/%s/information", root,
			 entry->d_name);
		if (entry->d_name[0] != '.' && has_uuid(path, uuid))
			bytes_per_s = link_of(root, entry->d_name);
	}
	closedir(folder);
	return bytes_per_s;
}
