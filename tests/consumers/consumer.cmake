# What the three consumers that know the target sinew::sinew have in common.
add_executable(consumer ${CMAKE_CURRENT_LIST_DIR}/main.cpp)
target_link_libraries(consumer PRIVATE sinew::sinew)

enable_testing()
add_test(NAME consumer COMMAND consumer)

# What the target carries, and what it leaves alone.
get_target_property(options sinew::sinew INTERFACE_COMPILE_OPTIONS)
if(NOT options MATCHES "ffp-contract=off")
    message(FATAL_ERROR "sinew::sinew does not carry -ffp-contract=off, but '${options}'.")
endif()
foreach(target test_math single_include sinew_under_test)
    if(TARGET ${target})
        message(FATAL_ERROR "A user of sinew got its target ${target}.")
    endif()
endforeach()
