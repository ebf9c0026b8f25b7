/*
 * Names as profilers meet them: of PyTorch, CUTLASS, cuBLAS, cuDNN, Triton, JAX, CuPy, Thrust, CUB,
 * Kokkos, Eigen and NCCL.
 */
#include "cmocka_test.h"
#include "trace/short_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct {
	const char *name, *kernel, *function;
} cases[] = {
	{"void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<fl"
	 "oat>, std::array<char*, 1ul> >(int, at::native::FillFunctor<float>, std::arr"
	 "ay<char*, 1ul>)",
	 "vectorized_elementwise_kernel<4, FillFunctor>", "at::native::vectorized_elementwise_kernel"},
	{"_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEESt5arr"
	 "ayIPcLm1EEEEviT0_T1_",
	 "vectorized_elementwise_kernel<4, FillFunctor>", "at::native::vectorized_elementwise_kernel"},
	{"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_ad"
	 "d<float>, at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<flo"
	 "at>, at::detail::Array<char*, 3>)",
	 "vectorized_elementwise_kernel<4, CUDAFunctor_add>", "at::native::vectorized_elementwise_kernel"},
	{"void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_"
	 "cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda()#1"
	 "2}::operator()() const::{lambda(float)#1}, at::detail::Array<char*, 2>, Triv"
	 "ialOffsetCalculator<1, unsigned int>, TrivialOffsetCalculator<1, unsigned in"
	 "t>, at::native::memory::LoadWithCast<1>, at::native::memory::StoreWithCast<1"
	 "> >(int, at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lamb"
	 "da()#3}::operator()() const::{lambda()#12}::operator()() const::{lambda(floa"
	 "t)#1}, at::detail::Array<char*, 2>, TrivialOffsetCalculator<1, unsigned int>"
	 ", TrivialOffsetCalculator<1, unsigned int>, at::native::memory::LoadWithCast"
	 "<1>, at::native::memory::StoreWithCast<1>)",
	 "unrolled_elementwise_kernel<direct_copy_kernel_cuda>", "at::native::unrolled_elementwise_kernel"},
	{"void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl_noca"
	 "st<at::native::CUDAFunctor_add<float> >(at::TensorIteratorBase&, at::native:"
	 ":CUDAFunctor_add<float> const&)::{lambda(int)#1}>(int, at::native::gpu_kerne"
	 "l_impl_nocast<at::native::CUDAFunctor_add<float> >(at::TensorIteratorBase&, "
	 "at::native::CUDAFunctor_add<float> const&)::{lambda(int)#1})",
	 "elementwise_kernel<128, 2, gpu_kernel_impl_nocast<CUDAFunctor_add>>", "at::native::elementwise_kernel"},
	{"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::nativ"
	 "e::MeanOps<float, float, float, float>, unsigned int, float, 4> >(at::native"
	 "::ReduceOp<float, at::native::MeanOps<float, float, float, float>, unsigned "
	 "int, float, 4>)",
	 "reduce_kernel<512, 1, ReduceOp>", "at::native::reduce_kernel"},
	{"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native"
	 "::(anonymous namespace)::TensorListMetadata<4>, at::native::(anonymous names"
	 "pace)::FusedAdamMathFunctor<float, 4, (at::native::ADAM_MODE)1, false>, floa"
	 "t const*, double, double, double, double, double, bool, float*, float*>(at::"
	 "native::(anonymous namespace)::TensorListMetadata<4>, at::native::(anonymous"
	 " namespace)::FusedAdamMathFunctor<float, 4, (at::native::ADAM_MODE)1, false>"
	 ", float const*, double)",
	 "multi_tensor_apply_kernel<TensorListMetadata, FusedAdamMathFunctor>", "at::native::multi_tensor_apply_kernel"},
	{"void (anonymous namespace)::softmax_warp_forward<float, float, float, 8, tru"
	 "e, false>(float*, float const*, int, int, int, bool const*, int, bool)",
	 "softmax_warp_forward<float, 8, true>", "softmax_warp_forward"},
	{"void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, "
	 "float>(int, float, float const*, float const*, float const*, float*, float*,"
	 " float*)",
	 "vectorized_layer_norm_kernel<float>", "at::native::vectorized_layer_norm_kernel"},
	{"void at::native::(anonymous namespace)::indexSelectLargeIndex<float, long, u"
	 "nsigned int, 2, 2, -2, true>(at::cuda::detail::TensorInfo<float, unsigned in"
	 "t>, int)",
	 "indexSelectLargeIndex<float, long, unsigned int>", "at::native::indexSelectLargeIndex"},
	{"void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, float, float,"
	 " float, at::native::(anonymous namespace)::LogSoftMaxForwardEpilogue>(float*"
	 ", float const*, int)",
	 "cunn_SoftMaxForward<4, float, LogSoftMaxForwardEpilogue>", "at::native::cunn_SoftMaxForward"},
	{"void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<"
	 "64, 128, 64, 4, false, false, cutlass::bfloat16_t, pytorch_flash::Flash_kern"
	 "el_traits<64, 128, 64, 4, cutlass::bfloat16_t> >, false, true, false, false,"
	 " true, true, false, false>(pytorch_flash::Flash_fwd_params)",
	 "flash_fwd_kernel<Flash_fwd_kernel_traits, false, true>", "pytorch_flash::flash_fwd_kernel"},
	{"void cutlass::Kernel2<cutlass_80_tensorop_s16816gemm_f16_256x128_32x3_nn_ali"
	 "gn8>(cutlass_80_tensorop_s16816gemm_f16_256x128_32x3_nn_align8::Params)",
	 "cutlass_80_tensorop_s16816gemm_f16_256x128_32x3_nn_align8", "cutlass::Kernel2"},
	{"void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cute::tuple"
	 "<int, int, int, int>, cutlass::gemm::collective::CollectiveMma<cutlass::gemm"
	 "::MainloopSm90TmaGmmaWarpSpecialized<4, cute::tuple<cute::C<2>, cute::C<1>, "
	 "cute::C<1> > > > > >(cutlass::gemm::kernel::GemmUniversal<cute::tuple<int, i"
	 "nt, int, int>, void>::Params)",
	 "device_kernel<GemmUniversal>", "cutlass::device_kernel"},
	{"ampere_sgemm_128x64_nn",
	 "ampere_sgemm_128x64_nn", "ampere_sgemm_128x64_nn"},
	{"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1"
	 "x1_execute_segment_k_off_kernel__5x_cublas",
	 "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x...", "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x..."},
	{"nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_NTT",
	 "nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_NTT", "nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_NTT"},
	{"void gemmSN_NN_kernel<float, 256, 4, 2, 8, 4, 4, false, cublasGemvTensorStri"
	 "dedBatched<float const>, cublasGemvTensorStridedBatched<float const>, cublas"
	 "GemvTensorStridedBatched<float> >(cublasGemmSmallNParams<float>)",
	 "gemmSN_NN_kernel<float, 256, 4>", "gemmSN_NN_kernel"},
	{"void cublasLt::splitKreduce_kernel<32, 16, int, float, float, float, float, "
	 "true, false, false>(cublasLt::cublasSplitKParams<float>, float const*, float"
	 " const*, float*)",
	 "splitKreduce_kernel<32, 16, int>", "cublasLt::splitKreduce_kernel"},
	{"void gemv2T_kernel_val<int, int, float, float, float, float, 128, 16, 4, 4, "
	 "false, false, cublasGemvParamsEx<int, cublasGemvTensorStridedBatched<float c"
	 "onst> > >(cublasGemvParamsEx<int>, float, float)",
	 "gemv2T_kernel_val<int, float, 128>", "gemv2T_kernel_val"},
	{"void cudnn::bn_fw_tr_1C11_singleread<float, 512, true, 1, 2, 0>(cudnnTensorS"
	 "truct, float const*)",
	 "bn_fw_tr_1C11_singleread<float, 512, true>", "cudnn::bn_fw_tr_1C11_singleread"},
	{"void cudnn::ops::nchwToNhwcKernel<__half, __half, float, false, true, (cudnn"
	 "KernelDataType_t)0>(cudnn::ops::nchw2nhwc_params_t<float>, __half const*, __"
	 "half*)",
	 "nchwToNhwcKernel<__half, float, false>", "cudnn::ops::nchwToNhwcKernel"},
	{"void regular_fft<1024u, EPT<4>, 8u, 4u, (padding_t)1, (twiddle_t)0, (loadsto"
	 "re_modifier_t)2, (layout_t)1, unsigned int, float>(kernel_parameters_t<fft_m"
	 "em_radix_t, unsigned int, float>)",
	 "regular_fft<1024, EPT, 8>", "regular_fft"},
	{"triton_poi_fused_add_0",
	 "triton_poi_fused_add_0", "triton_poi_fused_add_0"},
	{"triton_red_fused__to_copy_add_mean_mul_pow_rsqrt_sum_view_where_zeros_like_n"
	 "ative_layer_norm_backward_12",
	 "triton_red_fused__to_copy_add_mean_mul_pow_rsqrt_sum_view...", "triton_red_fused__to_copy_add_mean_mul_pow_rsqrt_sum_view..."},
	{"loop_add_fusion",
	 "loop_add_fusion", "loop_add_fusion"},
	{"input_reduce_fusion_3",
	 "input_reduce_fusion_3", "input_reduce_fusion_3"},
	{"cupy_add__float32_float32_float32",
	 "cupy_add__float32_float32_float32", "cupy_add__float32_float32_float32"},
	{"cupy_multiply__float32_float_float32",
	 "cupy_multiply__float32_float_float32", "cupy_multiply__float32_float_float32"},
	{"_ZN3cub17CUB_300001_SM_9006detail6reduce18DeviceReduceKernelINS2_10policy_hu"
	 "bIfjN4cuda3std3__44plusIfEEE10Policy1000EN6thrust23THRUST_300001_SM_900_NS6d"
	 "etail15normal_iteratorINSD_10device_ptrIfEEEEjS9_fNS7_10__identityEEEvT0_PT3"
	 "_T1_NS0_13GridEvenShareISN_EET2_T4_",
	 "DeviceReduceKernel<unsigned int, float>", "cub::detail::reduce::DeviceReduceKernel"},
	{"_ZN3cub17CUB_300001_SM_9006detail6reduce28DeviceReduceSingleTileKernelINS2_1"
	 "0policy_hubIfjN4cuda3std3__44plusIfEEE10Policy1000EPfSC_iS9_ffNS7_10__identi"
	 "tyEEEvT0_T1_T2_T3_T4_T6_",
	 "DeviceReduceSingleTileKernel<float*, int, float>", "cub::detail::reduce::DeviceReduceSingleTileKernel"},
	{"void cub::CUB_200200___CUDA_ARCH_LIST___900_NS::DeviceRadixSortOnesweepKerne"
	 "l<cub::CUB_200200___CUDA_ARCH_LIST___900_NS::DeviceRadixSortPolicy<unsigned "
	 "int, cub::NullType, unsigned int>::Policy900, false, unsigned int, cub::Null"
	 "Type, unsigned int, int, int>(int*, int*)",
	 "DeviceRadixSortOnesweepKernel<Policy900, false, unsigned int>", "cub::DeviceRadixSortOnesweepKernel"},
	{"_ZN3cub17CUB_300001_SM_9006detail11EmptyKernelIvEEvv",
	 "EmptyKernel<void>", "cub::detail::EmptyKernel"},
	{"void thrust::THRUST_300001_SM_900_NS::cuda_cub::core::_kernel_agent<thrust::"
	 "cuda_cub::__parallel_for::ParallelForAgent<thrust::cuda_cub::__transform::un"
	 "ary_transform_f<float*, float*, Square>, long>, long>(long)",
	 "_kernel_agent<ParallelForAgent, long>", "thrust::cuda_cub::core::_kernel_agent"},
	{"void Kokkos::Impl::cuda_parallel_launch_local_memory<Kokkos::Impl::ParallelF"
	 "or<main::{lambda(int)#1}, Kokkos::RangePolicy<Kokkos::Cuda>, Kokkos::Cuda> >"
	 "(Kokkos::Impl::ParallelFor<main::{lambda(int)#1}, Kokkos::RangePolicy<Kokkos"
	 "::Cuda>, Kokkos::Cuda>)",
	 "cuda_parallel_launch_local_memory<ParallelFor>", "Kokkos::Impl::cuda_parallel_launch_local_memory"},
	{"void Eigen::internal::EigenMetaKernel<Eigen::TensorEvaluator<Eigen::TensorAs"
	 "signOp<Eigen::TensorMap<Eigen::Tensor<float, 1, 1, int>, 16, Eigen::MakePoin"
	 "ter> >, Eigen::GpuDevice>, int>(Eigen::TensorEvaluator<int>, int)",
	 "EigenMetaKernel<TensorEvaluator, int>", "Eigen::internal::EigenMetaKernel"},
	{"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
	 "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "ncclDevKernel_AllReduce_Sum_f32_RING_LL"},
	{"_Z5scaleIfEvPT_S0_i",
	 "scale<float>", "scale"},
	{"_Z6matmulPKfS0_Pfi",
	 "matmul", "matmul"},
	{"vectorAdd(float const*, float const*, float*, int)",
	 "vectorAdd", "vectorAdd"},
	{"_ZN6rapids12_GLOBAL__N_111filter_rowsIiEEvPKT_S3_",
	 "filter_rows<int>", "rapids::filter_rows"},
	{"void (*make<int>(float))(int)",
	 "void (*make<int>(float))(int)", "void (*make<int>(float))(int)"},
	{"app::Solver::operator()(int) const",
	 "Solver", "app::Solver"},
	{"bool operator< <int>(Foo const&, Foo const&)",
	 "operator<<int>", "operator<"},
	{"Model::forward(at::Tensor const&)",
	 "forward", "Model::forward"},
	{"_ZN6thrust23THRUST_300001_SM_900_NS6reduceINS0_6detail15normal_iteratorINS0_"
	 "10device_ptrIfEEEEEENS0_15iterator_traitsIT_E10value_typeES7_S7_",
	 "reduce", "thrust::reduce"},
	{"thrust::THRUST_300001_SM_900_NS::device_vector<float, thrust::THRUST_300001_"
	 "SM_900_NS::device_allocator<float> >::device_vector(unsigned long, float con"
	 "st&)",
	 "device_vector", "thrust::device_vector"},
	{"decltype(auto) at::native::copy_kernel_cuda<float>(at::TensorIterator&, bool"
	 ")",
	 "copy_kernel_cuda<float>", "at::native::copy_kernel_cuda"},
	{"void at::native::gpu_kernel_impl<at::native::BinaryFunctor<float, float, flo"
	 "at, at::native::binary_internal::DivFunctor<float> > >(at::TensorIteratorBas"
	 "e&, at::native::BinaryFunctor<float, float, float, at::native::binary_intern"
	 "al::DivFunctor<float> > const&)",
	 "gpu_kernel_impl<BinaryFunctor>", "at::native::gpu_kernel_impl"},
	{"main",
	 "main", "main"},
	{"main::{lambda(int)#1}::operator()(int) const",
	 "main", "main"},
	{"void fused_rope<__nv_bfloat16, 128>(__nv_bfloat16*, int)",
	 "fused_rope<__nv_bfloat16, 128>", "fused_rope"},
	{"void reduce_kernel<512, 1, (anonymous namespace)::Op>((anonymous namespace):"
	 ":Op)",
	 "reduce_kernel<512, 1, Op>", "reduce_kernel"},
	{"void add<__half>(__half*)",
	 "add<__half>", "add"},
	{"jit_step",
	 "jit_step", "jit_step"},
};
/* clang-format on */

TEST(test_names)
{
	struct short_name name;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_string_equal(short_name(&name, cases[i].name, SHORT_NAME_KERNEL),
				    cases[i].kernel);
		assert_string_equal(short_name(&name, cases[i].name, SHORT_NAME_FUNCTION),
				    cases[i].function);
	}
}

static void check_length(const char *text)
{
	struct short_name name;

	assert_in_range(strlen(short_name(&name, text, SHORT_NAME_KERNEL)), 0, SHORT_NAME_LENGTH);
	assert_in_range(strlen(short_name(&name, text, SHORT_NAME_FUNCTION)), 0, SHORT_NAME_LENGTH);
}

/* The piece, again and again, up to that length. */
static void check_repeated(const char *start, const char *piece, size_t length)
{
	char *text = calloc(1, length + strlen(start) + strlen(piece) + 1);
	size_t used = strlen(start);

	assert_non_null(text);
	memcpy(text, start, used);
	for (; used < length; used += strlen(piece))
		memcpy(text + used, piece, strlen(piece));
	check_length(text);
	free(text);
}

/* Names of a hostile file: long, deep, without an end, and short ones that stand for long ones. */
TEST(test_hostile_names)
{
	static const char *const pieces[] = {"a",	"a<", "(", "((", "x::", "b,",	     "{",
					     "std::b,", ">)", " ", "<>", "&*",	"operator<", "1a"};
	char bomb[512] = "_Z1f1AIiiE";

	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		check_repeated("", pieces[i], 300000);
		check_repeated("a<", pieces[i], 300000);
		check_repeated("_Z", pieces[i], 300000);
	}
	check_repeated("_Z1f", "P", 8000);
	check_repeated("_Z1f", "P", 300000);
	check_repeated("_ZN", "4abcd", 8000);
	/* Each type is twice the one before. */
	for (const char *c = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"; *c; c++)
		sprintf(bomb + strlen(bomb), "S_IS%c_S%c_E", *c, *c);
	check_length(bomb);
	check_length("");
	check_length("_Z");
	check_length("_Z99999999999999999999a");
	check_length("::");
}

TEST(test_cut)
{
	struct short_name name;
	char text[200] = "";

	/* Not inside of a character: each has two bytes, of which the text has an odd number. */
	text[0] = 'a';
	for (size_t i = 1; i + 1 < sizeof(text) - 1; i += 2)
		memcpy(text + i, "\xc3\xa9", 2);
	short_name(&name, text, SHORT_NAME_KERNEL);
	assert_int_equal(strlen(name.text) % 2, 0);
	assert_string_equal(name.text + strlen(name.text) - 3, "...");
	assert_memory_equal(name.text + strlen(name.text) - 5, "\xc3\xa9", 2);
	memset(text + 1, 'b', 59);
	text[60] = '\0';
	assert_string_equal(short_name(&name, text, SHORT_NAME_KERNEL), text);
}

RUN_TESTS(NULL, NULL)
