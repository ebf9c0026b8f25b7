/* The link of a GPU, from files as the kernel and the NVIDIA module write them. */
#include "cupti/pci_link.h"

#include "build_trace.h"
#include "cmocka_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define UUID	"GPU-01234567-89ab-cdef-1032-547698badcfe"
#define GPUS	"proc/driver/nvidia/gpus"
#define DEVICES "sys/bus/pci/devices"
#define BUS_ID	"0000:17:00.0"

static char *root;

/* A file below root, with its folders. */
static void put(const char *name, const char *text)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	write_file(path, text, strlen(text));
}

static void put_gpu(const char *bus_id, const char *uuid)
{
	char name[256], text[512];

	snprintf(name, sizeof(name), GPUS "/%s/information", bus_id);
	snprintf(text, sizeof(text), "Model: \t\t NVIDIA H200\nIRQ:   \t\t 18\nGPU UUID: \t %s\n",
		 uuid);
	put(name, text);
}

static int set_up(void **state)
{
	root = make_folder();
	return 0;
}

static int tear_down(void **state)
{
	remove_folder(root);
	free(root);
	return 0;
}

TEST_WITH(test_link, set_up, tear_down)
{
	put_gpu("0000:03:00.0", "GPU-00000000-0000-0000-0000-000000000001");
	put_gpu(BUS_ID, UUID);
	assert_int_equal(pci_link_bytes_per_s(root, UUID), 0);
	put(DEVICES "/" BUS_ID "/max_link_speed", "32.0 GT/s PCIe\n");
	assert_int_equal(pci_link_bytes_per_s(root, UUID), 0);
	put(DEVICES "/" BUS_ID "/current_link_width", "16\n");
	assert_int_equal(pci_link_bytes_per_s(root, UUID), 63015384615);
	put(DEVICES "/" BUS_ID "/max_link_speed", "5.0 GT/s PCIe\n");
	assert_int_equal(pci_link_bytes_per_s(root, UUID), 8000000000);
	put(DEVICES "/" BUS_ID "/max_link_speed", "64.0 GT/s PCIe\n");
	assert_int_equal(pci_link_bytes_per_s(root, UUID), 128000000000);
	assert_int_equal(pci_link_bytes_per_s(root, "GPU-ffffffff"), 0);
}

/* The port above is slower than the GPU. */
TEST_WITH(test_port, set_up, tear_down)
{
	char link[1024];

	put_gpu(BUS_ID, UUID);
	put("sys/devices/0000:15:01.0/" BUS_ID "/max_link_speed", "32.0 GT/s PCIe\n");
	put("sys/devices/0000:15:01.0/" BUS_ID "/current_link_width", "8\n");
	put("sys/devices/0000:15:01.0/max_link_speed", "16.0 GT/s PCIe\n");
	put(DEVICES "/other", "");
	snprintf(link, sizeof(link), "%s/" DEVICES "/" BUS_ID, root);
	assert_int_equal(symlink("../../../devices/0000:15:01.0/" BUS_ID, link), 0);
	assert_int_equal(pci_link_bytes_per_s(root, UUID), 15753846153);
	put("sys/devices/0000:15:01.0/max_link_speed", "Unknown\n");
	assert_int_equal(pci_link_bytes_per_s(root, UUID), 31507692307);
}

TEST_WITH(test_garbage, set_up, tear_down)
{
	static const char *const speeds[] = {"", "Unknown", "-8", "nan", "inf", "1e300"};

	assert_int_equal(pci_link_bytes_per_s(root, UUID), 0);
	put_gpu(BUS_ID, UUID);
	put(DEVICES "/" BUS_ID "/current_link_width", "16\n");
	for (size_t i = 0; i < sizeof(speeds) / sizeof(*speeds); i++) {
		put(DEVICES "/" BUS_ID "/max_link_speed", speeds[i]);
		assert_int_equal(pci_link_bytes_per_s(root, UUID), 0);
	}
}

RUN_TESTS(NULL, NULL)
