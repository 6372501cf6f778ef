# How our own executables are built: against which headers, with which warnings. Nothing here reaches a user of sinew.

# What a compiler builds of templates takes gigabytes, and it walks all of them: clang is done in four fifths of the time, on virtual machines in less, if it
# gets them in huge pages. Linux gives those to who asks, and glibc asks for who says so.
if(CMAKE_HOST_SYSTEM_NAME STREQUAL "Linux" AND NOT DEFINED ENV{GLIBC_TUNABLES})
    list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER
        env GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=67108864:glibc.malloc.mmap_threshold=33554432)
endif()

# sinew_under_test: include/, or single_include/ behind a tree of stubs, one per header, that forward to the single file. With
# the stubs no source can tell the difference, and include/ is not on the path.
if(SINEW_TEST_SINGLE_INCLUDE)
    set(SINEW_STUBS ${CMAKE_CURRENT_BINARY_DIR}/single_include_stubs)
    file(GLOB_RECURSE SINEW_HEADERS CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/include include/sinew/*.hpp)
    foreach(header IN LISTS SINEW_HEADERS)
        if(header MATCHES "^sinew/io/")
            set(single sinew_io.hpp)
        else()
            set(single sinew.hpp)
        endif()
        file(CONFIGURE OUTPUT ${SINEW_STUBS}/${header} CONTENT "#pragma once\n#include <${single}>\n")
    endforeach()
    set(SINEW_TEST_INCLUDE_DIRS ${SINEW_STUBS} ${CMAKE_CURRENT_SOURCE_DIR}/single_include)
else()
    set(SINEW_TEST_INCLUDE_DIRS ${CMAKE_CURRENT_SOURCE_DIR}/include)
endif()
add_library(sinew_under_test INTERFACE)
target_include_directories(sinew_under_test INTERFACE ${SINEW_TEST_INCLUDE_DIRS})
sinew_interface(sinew_under_test)

if(MSVC)
    set(SINEW_WARNINGS /W4 /WX /permissive- /utf-8)
else()
    set(SINEW_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
endif()

# sinew_own(<target> [<level>]): warnings as errors, and optimisation where the build type says nothing about it.
function(sinew_own target)
    target_link_libraries(${target} PRIVATE sinew_under_test)
    target_compile_options(${target} PRIVATE ${SINEW_WARNINGS})
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
    if(ARGC GREATER 1 AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND NOT MSVC)
        target_compile_options(${target} PRIVATE -O${ARGV1})
    endif()
endfunction()
