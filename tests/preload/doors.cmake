# The doors: one file compiled and linked in each of the ways in which a program comes by CUDA.
function(add_door name source)
  add_library(doors_${name} MODULE ${source})
  target_include_directories(doors_${name} PRIVATE
    ${PROJECT_SOURCE_DIR}/tests/fake_cuda ${CUDAToolkit_INCLUDE_DIRS})
  target_link_libraries(doors_${name} PRIVATE streamtrace_options ${ARGN})
  target_link_options(doors_${name} PRIVATE -Wl,--no-as-needed)
  set_target_properties(doors_${name} PROPERTIES
    PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
add_door(13 doors_work.c fake_cudart)
add_door(12 doors_work.c fake_cudart_front)
add_door(static doors_work.c fake_cudart_static)
add_door(unversioned doors_work.c)
add_door(per_thread doors_work.c fake_cudart)
target_compile_definitions(doors_per_thread PRIVATE CUDA_API_PER_THREAD_DEFAULT_STREAM)
add_door(legacy_launch doors_work.c fake_cudart)
target_compile_definitions(doors_legacy_launch PRIVATE DOORS_LEGACY_LAUNCH)
add_door(by_name doors_work.c fake_cudart)
target_compile_definitions(doors_by_name PRIVATE DOORS_BY_NAME)
add_door(per_thread_static doors_work.c fake_cudart_static)
target_compile_definitions(doors_per_thread_static PRIVATE CUDA_API_PER_THREAD_DEFAULT_STREAM)
add_door(driver doors_driver.c fake_libcuda)
add_door(probe doors_probe.c)
add_door(interposer doors_interposer.c)

add_executable(doors_app doors_app.c doors_work.c)
target_link_libraries(doors_app PRIVATE streamtrace_options fake_cudart ${CMAKE_DL_LIBS})
target_compile_definitions(doors_app PRIVATE DOORS_OWN)
add_executable(doors_host doors_app.c)
target_link_libraries(doors_host PRIVATE streamtrace_options ${CMAKE_DL_LIBS})
add_executable(doors_app_12 doors_app.c doors_work.c)
target_link_libraries(doors_app_12 PRIVATE streamtrace_options fake_cudart_12 ${CMAKE_DL_LIBS})
target_compile_definitions(doors_app_12 PRIVATE DOORS_OWN)

add_preload_test(doors APP doors_app PATHS APP_12_PATH doors_app_12 HOST_PATH doors_host)
target_compile_definitions(doors_test PRIVATE
  FAKE_12_FOLDER="$<TARGET_FILE_DIR:fake_cudart_12>"
  FAKE_12_CUPTI_FOLDER="$<TARGET_FILE_DIR:fake_cupti_12>"
  DOORS_FOLDER="$<TARGET_FILE_DIR:doors_13>"
  SOURCE_PATH="${CMAKE_CURRENT_SOURCE_DIR}/doors_test.c")
add_dependencies(doors_test fake_cupti_12 fake_libcuda
  doors_13 doors_12 doors_static doors_unversioned doors_per_thread doors_legacy_launch
  doors_by_name doors_driver doors_per_thread_static doors_probe doors_interposer)
