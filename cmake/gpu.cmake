# Many worlds at once, on a graphics processor or by the same kernels on a processor (docs/gpu.md): a library of its own.
# CATGUT_CUDA=ON takes the device in; without it the library is C alone and says that it has none.
option(CATGUT_CUDA "build catgut_gpu for graphics processors (nvcc)" OFF)
option(CATGUT_GPU_FAULTS "let catgut_gpu lose its device, or find it full, when it is asked to" OFF)
set(CATGUT_CUDA_ARCHITECTURES "80;90" CACHE STRING "compute capabilities that device code is made for")

add_library(catgut_gpu STATIC gpu/batch.c gpu/processor.c gpu/setup.c gpu/twin_double.c gpu/twin_float.c)
target_include_directories(catgut_gpu PUBLIC ${PROJECT_SOURCE_DIR} src)
target_link_libraries(catgut_gpu PUBLIC catgut_core)

# What it costs and whether both sides agree, as a program of its own, which needs little (scripts/gpu-run).
add_executable(catgut_gpu_run EXCLUDE_FROM_ALL lab/gpu_run.c lab/gpu/measure.c)
set_target_properties(catgut_gpu_run PROPERTIES OUTPUT_NAME catgut-gpu RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_link_libraries(catgut_gpu_run PRIVATE catgut_gpu)

if(NOT CATGUT_CUDA)
    target_sources(catgut_gpu PRIVATE gpu/no_device.c)
    return()
endif()

# nvcc is called by hand: as a language of CMake it would be given the options of the C compiler too.
find_program(CATGUT_NVCC nvcc HINTS /usr/local/cuda/bin REQUIRED)
cmake_path(GET CATGUT_NVCC PARENT_PATH cuda_bin)
cmake_path(GET cuda_bin PARENT_PATH cuda_root)
find_library(CATGUT_CUDART cudart_static HINTS ${cuda_root}/lib64 ${cuda_root}/targets/x86_64-linux/lib REQUIRED)
set(nvcc_flags -std=c++17 -O3 -fmad=false -Werror all-warnings -Xcompiler=-Wall,-Wextra,-Wno-missing-field-initializers
    -I${PROJECT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}/include)
foreach(capability IN LISTS CATGUT_CUDA_ARCHITECTURES)
    list(APPEND nvcc_flags -gencode=arch=compute_${capability},code=sm_${capability})
endforeach()
if(CATGUT_GPU_FAULTS)
    list(APPEND nvcc_flags -DCATGUT_GPU_FAULTS=1)
endif()
file(GLOB device_headers CONFIGURE_DEPENDS gpu/*.h gpu/*.cuh)
foreach(name device kernels_double kernels_float)
    set(object ${PROJECT_BINARY_DIR}/gpu/${name}.o)
    add_custom_command(OUTPUT ${object}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/gpu
        COMMAND ${CATGUT_NVCC} ${nvcc_flags} -c ${PROJECT_SOURCE_DIR}/gpu/${name}.cu -o ${object}
        DEPENDS ${PROJECT_SOURCE_DIR}/gpu/${name}.cu ${device_headers} ${PROJECT_SOURCE_DIR}/src/tissue/cloth.h
            ${PROJECT_SOURCE_DIR}/src/thread/bend.h
        VERBATIM)
    target_sources(catgut_gpu PRIVATE ${object})
    set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
endforeach()
find_package(Threads REQUIRED)
target_link_libraries(catgut_gpu PUBLIC ${CATGUT_CUDART} stdc++ Threads::Threads ${CMAKE_DL_LIBS} rt)
