/* Rules that change sources: what they write, and where they leave the source alone. The line is the one with @. */
#include "rewrite/rules.h"

#include "base/memory.h"
#include "cmocka_test.h"
#include "detectors/detector.h"
#include "findings/detector_table.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* A call as the trace has it. */
struct recorded {
	const char *function;
	enum engine engine;
	enum memory_kind from, to;
};

static const struct recorded copy_in = {"cudaMemcpy", ENGINE_H2D, MEMORY_PINNED, MEMORY_DEVICE};
static const struct recorded copy_back = {"cudaMemcpy", ENGINE_D2H, MEMORY_DEVICE, MEMORY_PINNED};
static const struct recorded pageable_back = {"cudaMemcpy", ENGINE_D2H, MEMORY_DEVICE,
					      MEMORY_PAGEABLE};
static const struct recorded pageable_async = {"cudaMemcpyAsync", ENGINE_D2H, MEMORY_DEVICE,
					       MEMORY_PAGEABLE};
static const struct recorded python_in = {"cudaMemcpyAsync", ENGINE_H2D, MEMORY_PAGEABLE,
					  MEMORY_DEVICE};
static const struct recorded set_device = {"cudaMemset", ENGINE_COMPUTE, 0, MEMORY_DEVICE};
static const struct recorded set_pinned = {"cudaMemset", ENGINE_COMPUTE, 0, MEMORY_PINNED};
static const struct recorded launch = {"cudaLaunchKernel", ENGINE_COMPUTE, 0, 0};
static const struct recorded stream_sync = {"cudaStreamSynchronize", ENGINE_COMPUTE, 0, 0};
static const struct recorded device_sync = {"cudaDeviceSynchronize", ENGINE_COMPUTE, 0, 0};
static const struct recorded device_free = {"cudaFree", ENGINE_COMPUTE, 0, 0};
static const struct recorded device_malloc = {"cudaMalloc", ENGINE_COMPUTE, 0, 0};
static const struct recorded event_query = {"cudaEventQuery", ENGINE_COMPUTE, 0, 0};

static int line_of(const char *text)
{
	const char *mark = strchr(text, '@');
	int line = 1;

	assert_non_null(mark);
	while (text < mark)
		line += *text++ == '\n';
	return line;
}

/* The text as the rule leaves it, malloc'ed; NULL: it changes nothing, and says why. */
static char *rewritten(rewrite_rule rule, const struct recorded *recorded, const char *before,
		       bool is_python)
{
	struct trace_function function = {.name = recorded->function};
	struct trace_operation_form work = {.kind = OPERATION_COPY, .engine = recorded->engine};
	struct trace_operation operation = {.form = &work};
	struct trace_call_form form = {.function = &function};
	struct trace_call call = {.form = &form, .operation = &operation};
	struct instance instance = {.operation = &operation, .cause = &operation};
	struct rewriting rewriting = {.instance = &instance, .call = &call};
	struct code code;
	const char *why;
	char *after;

	work.src_kind = recorded->from;
	work.dst_kind = recorded->to;
	if (!code_make(&code, before, strlen(before), is_python))
		return NULL;
	rewriting.code = &code;
	assert_true(code_line(&code, line_of(before), &rewriting.line));
	why = rule(&rewriting);
	if (why)
		assert_null(strchr(why, '\n'));
	after = why ? NULL : patch_apply(&rewriting.changes, before, strlen(before));
	patch_free(&rewriting.changes);
	code_free(&code);
	return after;
}

static void check(rewrite_rule rule, const struct recorded *recorded, const char *before,
		  const char *after, bool is_python)
{
	char *text = rewritten(rule, recorded, before, is_python);

	if (after)
		assert_non_null(text);
	if (after)
		assert_string_equal(text, after);
	else
		assert_null(text);
	free(text);
}

static void becomes(rewrite_rule rule, const struct recorded *recorded, const char *before,
		    const char *after)
{
	check(rule, recorded, before, after, false);
}

static void stays(rewrite_rule rule, const struct recorded *recorded, const char *before)
{
	check(rule, recorded, before, NULL, false);
}

#define LOOP(body, behind)                                                                         \
	"static void run(const struct p *p, int n)\n"                                              \
	"{\n"                                                                                      \
	"\tfor (int i = 0; i < n; i++) {\n"                                                        \
	"\t\tcudaStream_t stream = p->streams[i % 2];\n"                                           \
	"\t\tfloat *out = p->results + i * N;\n"                                                   \
	"\n" body "\t}\n" behind "}\n"

#define WORK                                                                                       \
	"\t\tCHECK(cudaMemcpyAsync(p->in, p->host, n, cudaMemcpyHostToDevice, stream));\n"         \
	"\t\tkernel<<<1, 2, 0, stream>>>(p->out, p->in, n);\n"

TEST(test_blocking_copy)
{
	/* The stream of the work before; the host waits behind the loop. */
	becomes(rewrite_blocking_copy, &copy_back,
		LOOP(WORK "\t\tcudaMemsetAsync(p->out, 0, 4, stream);\n"
			  "\t\tCHECK(cudaMemcpy(out, p->out, n, cudaMemcpyDeviceToHost)); // @\n",
		     "\tcudaDeviceSynchronize();\n"),
		LOOP(WORK "\t\tcudaMemsetAsync(p->out, 0, 4, stream);\n"
			  "\t\tCHECK(cudaMemcpyAsync(out, p->out, n, cudaMemcpyDeviceToHost, "
			  "stream)); // @\n",
		     "\tcudaDeviceSynchronize();\n"));
	/* Several lines, comments and strings. */
	becomes(rewrite_blocking_copy, &copy_in,
		"void f(float *h)\n{\n\tcheck(\"cudaMemcpy(\", cudaMemcpy(d, /* ) */ h, @n,\n"
		"\t\tcudaMemcpyHostToDevice));\n\tcudaMemcpyAsync(d, e, 4, k, s);\n"
		"\tcudaStreamSynchronize(s);\n}\n",
		"void f(float *h)\n{\n\tcheck(\"cudaMemcpy(\", cudaMemcpyAsync(d, /* ) */ h, @n,\n"
		"\t\tcudaMemcpyHostToDevice, s));\n\tcudaMemcpyAsync(d, e, 4, k, s);\n"
		"\tcudaStreamSynchronize(s);\n}\n");
	stays(rewrite_blocking_copy, &pageable_back,
	      LOOP(WORK "\t\tCHECK(cudaMemcpy(out, p->in, n, cudaMemcpyDeviceToHost)); // @\n",
		   "\tcudaDeviceSynchronize();\n"));
	/* The host reads it before it waits: at once, in the next round, or after the function. */
	stays(rewrite_blocking_copy, &copy_back,
	      LOOP(WORK "\t\tcudaMemcpy(out, p->in, n, cudaMemcpyDeviceToHost); // @\n"
			"\t\tuse(out);\n",
		   "\tcudaDeviceSynchronize();\n"));
	stays(rewrite_blocking_copy, &copy_back,
	      LOOP("\t\tuse(p->host);\n" WORK
		   "\t\tcudaMemcpy(p->host, p->in, n, cudaMemcpyDeviceToHost); // @\n",
		   "\tcudaDeviceSynchronize();\n"));
	stays(rewrite_blocking_copy, &copy_back,
	      LOOP(WORK "\t\tcudaMemcpy(out, p->in, n, cudaMemcpyDeviceToHost); // @\n", ""));
	stays(rewrite_blocking_copy, &copy_back,
	      LOOP(WORK "\t\tcudaMemcpy(out, p->in, n, cudaMemcpyDeviceToHost); // @\n",
		   "\tif (n > 3)\n\t\tcudaDeviceSynchronize();\n"));
	stays(rewrite_blocking_copy, &copy_back,
	      LOOP(WORK "\t\tcudaMemcpy(out, p->in, n, cudaMemcpyDeviceToHost); // @\n",
		   "\tcudaStreamSynchronize(other);\n"));
	stays(rewrite_blocking_copy, &copy_back,
	      LOOP(WORK "\t\tcudaMemcpy(out, p->in, n, cudaMemcpyDeviceToHost); // @\n"
			"\t\tif (n == 3)\n\t\t\treturn;\n",
		   "\tcudaDeviceSynchronize();\n"));
	/* The loop around an else has no braces. */
	stays(rewrite_blocking_copy, &copy_back,
	      "void f(int n)\n{\n\tfor (int i = 0; i < n; i++)\n\t\tif (n > 4) {\n\t\t\tuse(h);\n"
	      "\t\t} else {\n\t\t\tcudaMemcpyAsync(d, e, 4, k, s);\n"
	      "\t\t\tcudaMemcpy(h, d, n, cudaMemcpyDeviceToHost); // @\n\t\t}\n"
	      "\tcudaStreamSynchronize(s);\n}\n");
	/* A wait for its stream is enough. */
	becomes(rewrite_blocking_copy, &copy_back,
		LOOP(WORK "\t\tcudaMemcpy(out, p->in, n, cudaMemcpyDeviceToHost); // @\n"
			  "\t\tcudaStreamSynchronize(stream);\n\t\tuse(out);\n",
		     ""),
		LOOP(WORK
		     "\t\tcudaMemcpyAsync(out, p->in, n, cudaMemcpyDeviceToHost, stream); // @\n"
		     "\t\tcudaStreamSynchronize(stream);\n\t\tuse(out);\n",
		     ""));
	/* No stream, two streams, a stream that is not known there. */
	stays(rewrite_blocking_copy, &copy_back,
	      LOOP("\t\tcudaMemcpy(out, p->in, n, cudaMemcpyDeviceToHost); // @\n",
		   "\tcudaDeviceSynchronize();\n"));
	stays(rewrite_blocking_copy, &copy_back,
	      LOOP(WORK "\t\tcudaMemcpyAsync(p->in, p->in2, n, k, p->other);\n"
			"\t\tcudaMemcpy(out, p->in, n, cudaMemcpyDeviceToHost); // @\n",
		   "\tcudaDeviceSynchronize();\n"));
	stays(rewrite_blocking_copy, &copy_back,
	      LOOP(WORK, "\tcudaMemcpy(p->host, p->in, n, cudaMemcpyDeviceToHost); // @\n"
			 "\tcudaDeviceSynchronize();\n"));
	/* In a macro, in #if, twice in the line, of another direction. */
	stays(rewrite_blocking_copy, &copy_back,
	      "#define COPY(a) cudaMemcpy(a, d, 4, cudaMemcpyDeviceToHost)\nvoid "
	      "f()\n{\n\tCOPY(h); // @\n}\n");
	stays(rewrite_blocking_copy, &copy_back,
	      LOOP(WORK
		   "#if 1\n\t\tcudaMemcpy(out, p->in, n, cudaMemcpyDeviceToHost); // @\n#endif\n",
		   "\tcudaDeviceSynchronize();\n"));
	stays(rewrite_blocking_copy, &copy_back,
	      LOOP(WORK "\t\tcudaMemcpy(out, p->in, n, cudaMemcpyDeviceToHost); "
			"cudaMemcpy(out, p->in, n, cudaMemcpyDeviceToHost); // @\n",
		   "\tcudaDeviceSynchronize();\n"));
	stays(rewrite_blocking_copy, &copy_back,
	      LOOP(WORK "\t\tcudaMemcpy(out, p->in, n, kind); // @\n",
		   "\tcudaDeviceSynchronize();\n"));
	/* Another call than the trace has. */
	stays(rewrite_blocking_copy, &stream_sync,
	      LOOP(WORK "\t\tcudaMemcpy(out, p->in, n, cudaMemcpyDeviceToHost); // @\n",
		   "\tcudaDeviceSynchronize();\n"));
}

TEST(test_memset_sync)
{
	becomes(rewrite_memset_sync, &set_device,
		LOOP(WORK "\t\tCHECK(cudaMemset(p->in, 0,\n\t\t\t\tn)); // @\n", ""),
		LOOP(WORK "\t\tCHECK(cudaMemsetAsync(p->in, 0,\n\t\t\t\tn, stream)); // @\n", ""));
	/* Memory that the host sees: the next to use it is the stream. */
	becomes(rewrite_memset_sync, &set_pinned,
		LOOP("\t\tcudaMemset(p->in, 0, n); // @\n" WORK, ""),
		LOOP("\t\tcudaMemsetAsync(p->in, 0, n, stream); // @\n" WORK, ""));
	stays(rewrite_memset_sync, &set_pinned,
	      LOOP("\t\tcudaMemset(p->in, 0, n); // @\n\t\tuse(p->in);\n" WORK, ""));
	stays(rewrite_memset_sync, &set_pinned,
	      LOOP(WORK "\t\tcudaMemset(p->in, 0, n); // @\n", ""));
}

TEST(test_default_stream)
{
	becomes(rewrite_default_stream, &launch,
		LOOP(WORK "\t\tkernel<<<grid, block>>>(p->out, p->in, n); // @\n", ""),
		LOOP(WORK "\t\tkernel<<<grid, block, 0, stream>>>(p->out, p->in, n); // @\n", ""));
	becomes(rewrite_default_stream, &launch,
		LOOP(WORK "\t\tkernel<float, 3><<<f(1, 2), block, 16>>>(p->in); // @\n", ""),
		LOOP(WORK "\t\tkernel<float, 3><<<f(1, 2), block, 16, stream>>>(p->in); // @\n",
		     ""));
	becomes(rewrite_default_stream, &launch,
		LOOP(WORK "\t\tkernel<<<grid, block, 0, 0>>>(p->in); // @\n", ""),
		LOOP(WORK "\t\tkernel<<<grid, block, 0, stream>>>(p->in); // @\n", ""));
	/* It has a stream, or no copy tells which. */
	stays(rewrite_default_stream, &launch,
	      LOOP(WORK "\t\tkernel<<<grid, block, 0, s>>>(p->in); // @\n", ""));
	stays(rewrite_default_stream, &launch,
	      LOOP(WORK "\t\tkernel<<<grid, block>>>(p->other, n); // @\n", ""));
	stays(rewrite_default_stream, &launch,
	      LOOP(WORK "\t\tcudaMemcpyAsync(p->b, p->c, n, k, t);\n"
			"\t\tkernel<<<grid, block>>>(p->in, p->b); // @\n",
		   ""));
	stays(rewrite_default_stream, &copy_back,
	      LOOP(WORK "\t\tkernel<<<grid, block>>>(p->in); // @\n", ""));
}

TEST(test_sync_in_loop)
{
	/* Dropped: a wait behind the loop is there. */
	becomes(rewrite_sync_in_loop, &stream_sync,
		LOOP(WORK "\t\tif (!p->is_fixed)\n\t\t\t/* why */\n"
			  "\t\t\tCHECK(cudaStreamSynchronize(stream)); // @\n",
		     "\tCHECK(cudaDeviceSynchronize());\n"),
		LOOP(WORK, "\tCHECK(cudaDeviceSynchronize());\n"));
	/* Moved, or replaced by one that knows its streams. */
	becomes(rewrite_sync_in_loop, &stream_sync,
		"void f(cudaStream_t s, int n)\n{\n\tfor (int i = 0; i < n; i++) {\n"
		"\t\tk<<<1, 1, 0, s>>>(i);\n\t\tcudaStreamSynchronize(s); // @\n\t}\n}\n",
		"void f(cudaStream_t s, int n)\n{\n\tfor (int i = 0; i < n; i++) {\n"
		"\t\tk<<<1, 1, 0, s>>>(i);\n\t}\n\tcudaStreamSynchronize(s);\n}\n");
	becomes(rewrite_sync_in_loop, &stream_sync,
		LOOP(WORK "\t\tCHECK(cudaStreamSynchronize(stream)); // @\n", ""),
		LOOP(WORK, "\tCHECK(cudaDeviceSynchronize());\n"));
	becomes(rewrite_sync_in_loop, &device_sync,
		LOOP(WORK "\t\tcudaDeviceSynchronize(); // @\n", ""),
		LOOP(WORK, "\tcudaDeviceSynchronize();\n"));
	/* The host uses what the work brings or reads; in the next round, too. */
	stays(rewrite_sync_in_loop, &stream_sync,
	      LOOP(WORK "\t\tcudaMemcpyAsync(out, p->out, n, cudaMemcpyDeviceToHost, stream);\n"
			"\t\tcudaStreamSynchronize(stream); // @\n\t\tuse(out);\n",
		   ""));
	stays(rewrite_sync_in_loop, &stream_sync,
	      LOOP("\t\tfill(p->host);\n" WORK "\t\tcudaStreamSynchronize(stream); // @\n", ""));
	/* The memory has a second name, which is made before the call or after it. */
	stays(rewrite_sync_in_loop, &stream_sync,
	      LOOP(WORK "\t\tcudaMemcpyAsync(out, p->out, n, cudaMemcpyDeviceToHost, stream);\n"
			"\t\tcudaStreamSynchronize(stream); // @\n\t\tuse(p->results);\n",
		   ""));
	stays(rewrite_sync_in_loop, &stream_sync,
	      LOOP("\t\tconst float *seen = out;\n" WORK
		   "\t\tcudaMemcpyAsync(out, p->out, n, cudaMemcpyDeviceToHost, stream);\n"
		   "\t\tcudaStreamSynchronize(stream); // @\n\t\tuse(seen);\n",
		   ""));
	/* Memory that a kernel shares with the host. */
	stays(rewrite_sync_in_loop, &stream_sync,
	      LOOP(WORK "\t\tcudaStreamSynchronize(stream); // @\n\t\tsum += p->out[i];\n", ""));
	stays(rewrite_sync_in_loop, &stream_sync,
	      LOOP("\t\tk<<<1, 1, 0, stream>>>(out);\n"
		   "\t\tcudaStreamSynchronize(stream); // @\n\t\tuse(1, out);\n",
		   ""));
	/* Not seen: what it waits for, or how it stands. */
	stays(rewrite_sync_in_loop, &stream_sync,
	      LOOP("\t\tenqueue(p, i);\n\t\tcudaStreamSynchronize(stream); // @\n", ""));
	stays(rewrite_sync_in_loop, &stream_sync,
	      LOOP(WORK
		   "\t\tif (i)\n\t\t\tcudaStreamSynchronize(stream); // @\n\t\telse\n\t\t\tf();\n",
		   ""));
	stays(rewrite_sync_in_loop, &stream_sync,
	      LOOP(WORK "\t\tif (next(&p))\n\t\t\tcudaStreamSynchronize(stream); // @\n", ""));
	stays(rewrite_sync_in_loop, &stream_sync,
	      LOOP(WORK "\t\tif (cudaStreamSynchronize(stream)) // @\n\t\t\treturn;\n", ""));
	stays(rewrite_sync_in_loop, &stream_sync,
	      LOOP(WORK "\t\tf(); cudaStreamSynchronize(stream); // @\n", ""));
	stays(rewrite_sync_in_loop, &stream_sync,
	      "void f(cudaStream_t s)\n{\n\tcudaStreamSynchronize(s); // @\n}\n");
	stays(rewrite_sync_in_loop, &stream_sync,
	      "void f(cudaStream_t s, int n)\n{\n\tif (n)\n\t\tfor (;;) {\n\t\t\tk<<<1, 1, 0, "
	      "s>>>();\n"
	      "\t\t\tcudaStreamSynchronize(s); // @\n\t\t}\n\telse\n\t\tg();\n}\n");
}

TEST(test_polling_loop)
{
	becomes(rewrite_polling_loop, &event_query,
		"void f(cudaEvent_t e)\n{\n\twhile (cudaEventQuery(e) == cudaErrorNotReady)\n"
		"\t\t/* why */\n\t\tstd::this_thread::sleep_for(ms(2)); // @\n\tg();\n}\n",
		"void f(cudaEvent_t e)\n{\n\tcudaEventSynchronize(e); // @\n\tg();\n}\n");
	becomes(rewrite_polling_loop, &event_query,
		"void f(cudaStream_t s)\n{\n\twhile (cudaStreamQuery(s) == cudaErrorNotReady) { // "
		"@\n"
		"\t\tusleep(5);\n\t}\n}\n",
		"void f(cudaStream_t s)\n{\n\tcudaStreamSynchronize(s);\n}\n");
	stays(rewrite_polling_loop, &event_query,
	      "void f(cudaEvent_t e)\n{\n\twhile (cudaEventQuery(e) == cudaErrorNotReady) {\n"
	      "\t\twork();\n\t\tusleep(5); // @\n\t}\n}\n");
	stays(rewrite_polling_loop, &event_query,
	      "void f(cudaEvent_t e)\n{\n\tdo {\n\t\tusleep(5); // @\n"
	      "\t} while (cudaEventQuery(e) == cudaErrorNotReady);\n}\n");
	stays(rewrite_polling_loop, &event_query,
	      "void f(cudaEvent_t e)\n{\n\twhile (!is_done && cudaEventQuery(e) == "
	      "cudaErrorNotReady)\n"
	      "\t\tusleep(5); // @\n}\n");
}

#define ALLOCATED(malloc, use, free)                                                               \
	LOOP("\t\tfloat *buffer;\n\n" malloc                                                       \
	     "\t\tcudaMemcpyAsync(buffer, p->host, n, cudaMemcpyHostToDevice, stream);\n" use      \
		     free,                                                                         \
	     "")

TEST(test_free_async)
{
	static const char with_cast[] = ALLOCATED("\t\tCHECK(cudaMalloc((void **)&buffer, n));\n",
						  "\t\tk<<<1, 1, 0, stream>>>(buffer);\n",
						  "\t\tCHECK(cudaFree(buffer)); // @\n");

	becomes(rewrite_free_async, &device_free, with_cast,
		ALLOCATED("\t\tCHECK(cudaMallocAsync((void **)&buffer, n, stream));\n",
			  "\t\tk<<<1, 1, 0, stream>>>(buffer);\n",
			  "\t\tCHECK(cudaFreeAsync(buffer, stream)); // @\n"));
	becomes(rewrite_free_async, &device_malloc,
		ALLOCATED("\t\tcudaMalloc(&buffer, n); // @\n", "", "\t\tcudaFree(buffer);\n"),
		ALLOCATED("\t\tcudaMallocAsync(&buffer, n, stream); // @\n", "",
			  "\t\tcudaFreeAsync(buffer, stream);\n"));
	/* Of two calls in the line it may be either. */
	stays(rewrite_free_async, &device_free,
	      ALLOCATED("\t\tcudaMalloc(&buffer, n);\n", "",
			"\t\tcudaFree(other); cudaFree(buffer); // @\n"));
	/* Freed where it may not have been allocated. */
	stays(rewrite_free_async, &device_free,
	      ALLOCATED("\t\tif (n)\n\t\t\tcudaMalloc(&buffer, n);\n", "",
			"\t\tcudaFree(buffer); // @\n"));
	/* Other uses, other streams, no release here. */
	stays(rewrite_free_async, &device_free,
	      ALLOCATED("\t\tcudaMalloc(&buffer, n);\n", "\t\tenqueue(buffer);\n",
			"\t\tcudaFree(buffer); // @\n"));
	stays(rewrite_free_async, &device_free,
	      ALLOCATED("\t\tcudaMalloc(&buffer, n);\n", "\t\tk<<<1, 1>>>(buffer);\n",
			"\t\tcudaFree(buffer); // @\n"));
	stays(rewrite_free_async, &device_malloc,
	      ALLOCATED("\t\tcudaMalloc(&buffer, n); // @\n", "", ""));
	stays(rewrite_free_async, &device_free,
	      ALLOCATED("\t\tcudaMalloc(&buffer, n);\n", "\t\tkeep = buffer;\n",
			"\t\tcudaFree(buffer); // @\n"));
}

#define PINNED(allocation, copy, behind, free)                                                     \
	"int f(float *d, size_t n, cudaStream_t s)\n{\n" allocation copy behind free               \
	"\treturn 0;\n}\n"

TEST(test_pinned_memory)
{
	becomes(rewrite_pinned_memory, &pageable_back,
		PINNED("\tfloat *h = (float *)malloc(n * 4);\n\n",
		       "\tCHECK(cudaMemcpy(h, d, n * 4, cudaMemcpyDeviceToHost)); // @\n",
		       "\tuse(h);\n", "\tfree(h);\n"),
		PINNED("\tfloat *h = NULL;\n\tCHECK(cudaMallocHost((void **)&h, n * 4));\n\n",
		       "\tCHECK(cudaMemcpy(h, d, n * 4, cudaMemcpyDeviceToHost)); // @\n",
		       "\tuse(h);\n", "\tcudaFreeHost(h);\n"));
	becomes(rewrite_pinned_memory, &pageable_async,
		PINNED("\tfloat *h;\n\n\th = malloc(n);\n",
		       "\tcudaMemcpyAsync(h, d, n, cudaMemcpyDeviceToHost, s); // @\n",
		       "\tcudaStreamSynchronize(s);\n\tuse(h);\n", "\tfree(h);\n"),
		PINNED("\tfloat *h;\n\n\tcudaMallocHost((void **)&h, n);\n",
		       "\tcudaMemcpyAsync(h, d, n, cudaMemcpyDeviceToHost, s); // @\n",
		       "\tcudaStreamSynchronize(s);\n\tuse(h);\n", "\tcudaFreeHost(h);\n"));
	/* Pinned, the copy does not wait any more. */
	stays(rewrite_pinned_memory, &pageable_async,
	      PINNED("\tfloat *h = (float *)malloc(n);\n",
		     "\tcudaMemcpyAsync(h, d, n, cudaMemcpyDeviceToHost, s); // @\n", "\tuse(h);\n",
		     "\tfree(h);\n"));
	/* From somewhere else, kept, zeroed, or freed elsewhere. */
	stays(rewrite_pinned_memory, &pageable_back,
	      PINNED("\tfloat *h = (float *)calloc(n, 4);\n",
		     "\tcudaMemcpy(h, d, n, cudaMemcpyDeviceToHost); // @\n", "", "\tfree(h);\n"));
	stays(rewrite_pinned_memory, &pageable_back,
	      PINNED("\tfloat *h = n ? (float *)malloc(n) : kept;\n",
		     "\tcudaMemcpy(h, d, n, cudaMemcpyDeviceToHost); // @\n", "", "\tfree(h);\n"));
	stays(rewrite_pinned_memory, &pageable_back,
	      PINNED("\tfloat *h = (float *)malloc(n);\n",
		     "\tcudaMemcpy(h, d, n, cudaMemcpyDeviceToHost); // @\n", "", ""));
	stays(rewrite_pinned_memory, &pageable_back,
	      PINNED("\tfloat *h = (float *)malloc(n);\n",
		     "\tcudaMemcpy(h, d, n, cudaMemcpyDeviceToHost); // @\n",
		     "\th = (float *)realloc(h, 8);\n", "\tfree(h);\n"));
	stays(rewrite_pinned_memory, &pageable_back,
	      "float *f(float *d)\n{\n\tfloat *h = (float *)malloc(4);\n"
	      "\tcudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost); // @\n\tif (!*h)\n\t\tfree(h);\n"
	      "\treturn h;\n}\n");
}

#define TRAIN(loader, header, line, behind)                                                        \
	"from torch.utils.data import DataLoader\n"                                                \
	"loader = " loader "\n"                                                                    \
	"def train(model):\n"                                                                      \
	"    " header "\n" line behind

static void python_becomes(rewrite_rule rule, const char *before, const char *after)
{
	check(rule, &python_in, before, after, true);
}

TEST(test_python_pinned)
{
	python_becomes(rewrite_python_pinned,
		       TRAIN("DataLoader(data, batch_size=8,\n                    num_workers=2)",
			     "for i, (x, y) in enumerate(loader):",
			     "        x, y = x.to(device), y.cuda()  # @\n",
			     "        step(x, y)\n"),
		       TRAIN("DataLoader(data, batch_size=8,\n                    num_workers=2, "
			     "pin_memory=True)",
			     "for i, (x, y) in enumerate(loader):",
			     "        x, y = x.to(device, non_blocking=True), "
			     "y.cuda(non_blocking=True)  # @\n",
			     "        step(x, y)\n"));
	python_becomes(rewrite_python_pinned,
		       TRAIN("DataLoader(data, pin_memory=False)",
			     "for x in loader:", "        x = x.to(device)  # @\n", ""),
		       NULL);
	python_becomes(rewrite_python_pinned,
		       TRAIN("make()", "for x in loader:", "        x = x.to(device)  # @\n", ""),
		       NULL);
	python_becomes(rewrite_python_pinned,
		       TRAIN("DataLoader(data)",
			     "for x in loader:", "        z = model.z.to(device)  # @\n", ""),
		       NULL);
	python_becomes(
		rewrite_python_pinned,
		TRAIN("DataLoader(data)", "if model:", "        x = x.to(device)  # @\n", ""),
		NULL);
}

TEST(test_python_sync)
{
	/* As the loop's last line, in its middle, and with a wait behind the loop. */
	python_becomes(rewrite_python_sync,
		       TRAIN("f()", "for x in loader:", "        step(x)\n",
			     "        torch.cuda.synchronize()  # @\n    print(1)\n"),
		       TRAIN("f()", "for x in loader:", "        step(x)\n",
			     "    torch.cuda.synchronize()  # @\n    print(1)\n"));
	python_becomes(
		rewrite_python_sync,
		TRAIN("f()", "while g(\n  1):", "        step(x)\n",
		      "        stream.synchronize()  # @\n        h(\"\"\"\n\"\"\")  # last\n"),
		TRAIN("f()", "while g(\n  1):", "        step(x)\n",
		      "        h(\"\"\"\n\"\"\")  # last\n    stream.synchronize()\n"));
	python_becomes(
		rewrite_python_sync,
		TRAIN("f()", "for x in loader:", "        step(x)\n",
		      "        torch.cuda.synchronize()  # @\n\n    torch.cuda.synchronize()\n"),
		TRAIN("f()", "for x in loader:", "        step(x)\n",
		      "\n    torch.cuda.synchronize()\n"));
	/* For a clock, in a condition, for a copy that does not wait, and of no loop. */
	python_becomes(rewrite_python_sync,
		       TRAIN("f()",
			     "for x in loader:", "        t = time.time()\n        step(x)\n",
			     "        torch.cuda.synchronize()  # @\n"),
		       NULL);
	python_becomes(rewrite_python_sync,
		       TRAIN("f()", "for x in loader:", "        if step(x):\n",
			     "            torch.cuda.synchronize()  # @\n        g()\n"),
		       NULL);
	python_becomes(rewrite_python_sync,
		       TRAIN("f()", "for x in loader:", "        out.copy_(x, non_blocking=True)\n",
			     "        torch.cuda.synchronize()  # @\n"),
		       NULL);
	python_becomes(rewrite_python_sync,
		       TRAIN("f()", "if model:", "        step(x)\n",
			     "        torch.cuda.synchronize()  # @\n"),
		       NULL);
	python_becomes(rewrite_python_sync,
		       TRAIN("f()", "for x in loader:", "        step(x)\n",
			     "        y = g().synchronize()  # @\n"),
		       NULL);
}

static bool has_row(const char *id)
{
	static const char *const ids[] = {
#define REWRITE(id, rule)	 id,
#define REWRITE_PYTHON(id, rule) id,
#define REWRITE_NONE(id, why)	 id,
#include "rewrite/rules.def"
#undef REWRITE
#undef REWRITE_PYTHON
#undef REWRITE_NONE
	};

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		if (!strcmp(ids[i], id))
			return true;
	return false;
}

TEST(test_rows)
{
	for (size_t i = 0; detectors[i]; i++)
		if (!has_row(detectors[i]->id))
			fail_msg("rules.def has no row for %s", detectors[i]->id);
}

/* What is no code is none, and what is not understood is refused. */
TEST(test_code)
{
	static const char *const refused[] = {"int f() { g(; }\n",
					      "int f(\xff) {}\n",
					      "int f() { /* \x1b */ }\n",
					      "a\r\nb\n",
					      "int a; // \xe2\x80\xae turned\n",
					      "int \xc2\x85;\n",
					      "#if 1\nint f() {\n#else\nint g() {\n#endif\n}\n"};
	static const char text[] = "a R\"x(})x\" b \"\\\"}\" '}' 1'000 // }\n/* } */ c \\\n";
	struct code code;

	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		assert_false(code_make(&code, refused[i], strlen(refused[i]), false));
	assert_true(code_make(&code, text, strlen(text), false));
	assert_null(strchr(code.mask, '}'));
	code_free(&code);
	assert_true(code_make(&code, "\xef\xbb\xbfint \xc3\xa9;\n", 11, false));
	code_free(&code);
	assert_true(code_make(&code, text, strlen(text), false));
	assert_int_equal(strlen(code.mask), strlen(text));
	assert_non_null(strstr(code.mask, "1'000"));
	code_free(&code);
}

/* Comments that go on in the next line are none of its code. */
TEST(test_comments_of_several_lines)
{
	static const char text[] = "// }\\\n}\n#define A \"/*\" /* {\n} { */\n#define B '\"' // {\n"
				   "int d = 1'0, e = '{';\n";
	struct code code;

	assert_true(code_make(&code, text, strlen(text), false));
	assert_null(strpbrk(code.mask, "{}"));
	assert_non_null(strstr(code.mask, "int d = 1'0, e = ' ';"));
	code_free(&code);
}

/* A bracket that a launch's configuration closes and did not open: it was read again and again. */
TEST(test_unopened_bracket)
{
	stays(rewrite_default_stream, &launch, "void f()\n{\n\tg((a<<<1, 2), b>>>(c)); // @\n}\n");
}

/* What is read backwards for each character, or compared with each line, takes hours here. */
TEST(test_large_files)
{
	static const char open[] =
		"void f()\n{\n\twhile (cudaEventQuery(e) == cudaErrorNotReady) // @\n";
	char *text = memory_array(CODE_MOST_BYTES + 1, 1), *after;
	struct code code;

	for (size_t i = 0; i < CODE_MOST_BYTES; i++)
		text[i] = i % 2 ? '\'' : '1';
	assert_true(code_make(&code, text, CODE_MOST_BYTES, false));
	code_free(&code);
	memset(text, '\n', CODE_MOST_BYTES);
	memcpy(text, open, strlen(open));
	strcpy(text + CODE_MOST_BYTES - 100, "sched_yield();\n}\n");
	after = rewritten(rewrite_polling_loop, &event_query, text, false);
	assert_null(after);
	free(text);
}

TEST(test_overlap)
{
	patch changes = {0};

	patch_add(&changes, (struct piece){2, 4}, "a");
	patch_add(&changes, (struct piece){2, 4}, "a");
	patch_add(&changes, (struct piece){3, 5}, "b");
	assert_int_equal(changes.count, 2);
	assert_null(patch_apply(&changes, "0123456", 7));
	patch_free(&changes);
}

static void check_diff(const char *before, const char *after, const char *diff)
{
	char *made = patch_diff("a.cu", before, after);

	assert_string_equal(made, diff);
	free(made);
}

TEST(test_diff)
{
	check_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
		   "--- a/a.cu\n+++ b/a.cu\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
	check_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n3\n4\n5\n6\n7\n8\nx\n9\n",
		   "--- a/a.cu\n+++ b/a.cu\n@@ -1,9 +1,9 @@\n 1\n-2\n 3\n 4\n 5\n 6\n 7\n 8\n+x\n "
		   "9\n");
	check_diff("1\n2", "1\n3",
		   "--- a/a.cu\n+++ b/a.cu\n@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n"
		   "+3\n\\ No newline at end of file\n");
}

RUN_TESTS(NULL, NULL)
