# One source file, compiled and linked in each of the ways in which a program gets at CUDA.
function(add_api_path name source)
  add_library(api_path_${name} MODULE ${source})
  target_include_directories(api_path_${name} PRIVATE
    ${PROJECT_SOURCE_DIR}/tests/fake_cuda ${CUDAToolkit_INCLUDE_DIRS})
  target_link_libraries(api_path_${name} PRIVATE streamtrace_options ${ARGN})
  target_link_options(api_path_${name} PRIVATE -Wl,--no-as-needed)
  set_target_properties(api_path_${name} PROPERTIES
    PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
add_api_path(13 api_path_work.c fake_cudart)
add_api_path(12 api_path_work.c fake_cudart_front)
add_api_path(static api_path_work.c fake_cudart_static)
add_api_path(unversioned api_path_work.c)
add_api_path(per_thread api_path_work.c fake_cudart)
target_compile_definitions(api_path_per_thread PRIVATE CUDA_API_PER_THREAD_DEFAULT_STREAM)
add_api_path(legacy_launch api_path_work.c fake_cudart)
target_compile_definitions(api_path_legacy_launch PRIVATE API_PATH_LEGACY_LAUNCH)
add_api_path(by_name api_path_work.c fake_cudart)
target_compile_definitions(api_path_by_name PRIVATE API_PATH_BY_NAME)
add_api_path(per_thread_static api_path_work.c fake_cudart_static)
target_compile_definitions(api_path_per_thread_static PRIVATE CUDA_API_PER_THREAD_DEFAULT_STREAM)
add_api_path(driver api_path_driver.c fake_libcuda)
add_api_path(probe api_path_probe.c)
add_api_path(interposer api_path_interposer.c)

add_executable(api_path_app api_path_app.c api_path_work.c)
target_link_libraries(api_path_app PRIVATE streamtrace_options fake_cudart ${CMAKE_DL_LIBS})
target_compile_definitions(api_path_app PRIVATE API_PATH_OWN)
add_executable(api_path_host api_path_app.c)
target_link_libraries(api_path_host PRIVATE streamtrace_options ${CMAKE_DL_LIBS})
add_executable(api_path_app_12 api_path_app.c api_path_work.c)
target_link_libraries(api_path_app_12 PRIVATE streamtrace_options fake_cudart_12 ${CMAKE_DL_LIBS})
target_compile_definitions(api_path_app_12 PRIVATE API_PATH_OWN)

add_preload_test(api_path APP api_path_app
  PATHS APP_12_PATH api_path_app_12 HOST_PATH api_path_host)
target_compile_definitions(api_path_test PRIVATE
  FAKE_12_FOLDER="$<TARGET_FILE_DIR:fake_cudart_12>"
  FAKE_12_CUPTI_FOLDER="$<TARGET_FILE_DIR:fake_cupti_12>"
  API_PATH_FOLDER="$<TARGET_FILE_DIR:api_path_13>"
  SOURCE_PATH="${CMAKE_CURRENT_SOURCE_DIR}/api_path_test.c")
add_dependencies(api_path_test fake_cupti_12 fake_libcuda
  api_path_13 api_path_12 api_path_static api_path_unversioned api_path_per_thread
  api_path_legacy_launch api_path_by_name api_path_driver api_path_per_thread_static api_path_probe
  api_path_interposer)
