# Small include folders that the program must make a header of, or refuse with one sentence.
cmake_minimum_required(VERSION 3.22)

# start(<name>): an include folder with nothing but a version.
function(start name)
    file(REMOVE_RECURSE ${FOLDER}/${name})
    file(MAKE_DIRECTORY ${FOLDER}/${name}/out)
    file(WRITE ${FOLDER}/${name}/LICENSE "Anyone may.\n")
    set(root ${FOLDER}/${name}/include/sinew PARENT_SCOPE)
    file(WRITE ${FOLDER}/${name}/include/sinew/config/version.hpp
        "#pragma once\n#define SINEW_VERSION_MAJOR 4\n#define SINEW_VERSION_MINOR 5\n#define SINEW_VERSION_PATCH 6\n")
endfunction()
function(run name)
    execute_process(COMMAND ${AMALGAMATE} ${FOLDER}/${name}/include ${FOLDER}/${name}/out RESULT_VARIABLE result ERROR_VARIABLE error)
    set(result ${result} PARENT_SCOPE)
    set(error "${error}" PARENT_SCOPE)
endfunction()
function(must_refuse name sentence)
    run(${name})
    if(NOT result EQUAL 1 OR NOT error STREQUAL "amalgamate: ${sentence}\n")
        message(SEND_ERROR "${name}: expected 'amalgamate: ${sentence}' but got (${result}) '${error}'")
    endif()
endfunction()

start(unresolved)
file(WRITE ${root}/sinew.hpp "#pragma once\n// head\n#include <sinew/math/gone.hpp>\n")
must_refuse(unresolved "cannot find <sinew/math/gone.hpp>, which is included by sinew/sinew.hpp:3")

start(cycle)
file(WRITE ${root}/sinew.hpp "#include <sinew/a.hpp>\n")
file(WRITE ${root}/a.hpp "#include <sinew/b.hpp>\n")
file(WRITE ${root}/b.hpp "#include <sinew/a.hpp>\n")
must_refuse(cycle "the headers include each other in a cycle: sinew/a.hpp -> sinew/b.hpp -> sinew/a.hpp")

start(quoted)
file(WRITE ${root}/sinew.hpp "#include \"a.hpp\"\n")
must_refuse(quoted "sinew/sinew.hpp:1 has an #include that is not of the form <name>")

start(conditional)
file(WRITE ${root}/sinew.hpp "#if 1\n#include <sinew/a.hpp>\n#endif\n")
file(WRITE ${root}/a.hpp "")
must_refuse(conditional "sinew/sinew.hpp:2 includes <sinew/a.hpp> under #if, which a single header cannot follow")

start(beyond_the_core)
file(WRITE ${root}/sinew.hpp "#include <sinew/config/version.hpp>\n")
file(WRITE ${root}/a.hpp "")
file(WRITE ${root}/io/page.hpp "#include <sinew/a.hpp>\n")
must_refuse(beyond_the_core "<sinew/a.hpp>, which is included by sinew/io/page.hpp:1, is not part of sinew.hpp")

start(no_license)
file(WRITE ${root}/sinew.hpp "")
file(REMOVE ${FOLDER}/no_license/LICENSE)
run(no_license)
if(NOT result EQUAL 1 OR NOT error MATCHES "^amalgamate: cannot read [^\n]*LICENSE\n$")
    message(SEND_ERROR "no_license: got (${result}) '${error}'")
endif()

# What is in comments and literals is not an include; blank lines of a literal stay; a header comes once, after what it needs.
start(whole)
# Pragmas that keep warnings off what is included are around all of it.
file(WRITE ${root}/sinew.hpp "#pragma once\n// All.\n\n#if Y\n// Off.\n#pragma GCC diagnostic push\n#endif\n\n#include <sinew/b.hpp>\n#include <sinew/a.hpp>\n\n#if Y\n#pragma GCC diagnostic pop\n#endif\n")
file(WRITE ${root}/a.hpp "#pragma once\n// A.\n\n#include <cstddef>\n#include <array>\n\n#if X\n#include <new>\n#endif\n/*\n#include <sinew/none.hpp>\n*/\nint a = 1'000;\n")
file(WRITE ${root}/b.hpp "#pragma once\n// B.\n\n#include <sinew/a.hpp>\n\n#include <array>\n\nchar const* b = R\"(\n#include <none>\n\n\n//)\";\n\n\n")
file(WRITE ${root}/io/page.hpp "#pragma once\n// Page.\n#include <sinew/io/line.hpp>\n#include <string>\n#include <sinew/a.hpp>\nint page;\n")
file(WRITE ${root}/io/line.hpp "#pragma once\n// Line.\nint line;\n")
run(whole)
file(READ ${FOLDER}/whole/out/sinew.hpp core)
file(READ ${FOLDER}/whole/out/sinew_io.hpp io)
set(shield_begins "#if defined(__GNUC__) && !defined(__clang__)
// g++ takes names of your globals for shadowed by those within templates of a header.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored \"-Wshadow\"
#endif

")
set(shield_ends "
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
")
set(expected_core "// Anyone may.

#pragma once

#include <array>
#include <cstddef>

${shield_begins}// ---- sinew/a.hpp
// A.

#if X
#include <new>
#endif
/*
#include <sinew/none.hpp>
*/
int a = 1'000;

// ---- sinew/b.hpp
// B.

char const* b = R\"(
#include <none>


//)\";

// ---- sinew/sinew.hpp
// All.
${shield_ends}")
set(expected_io "// Anyone may.

#pragma once

#include <string>

#include \"sinew.hpp\"

${shield_begins}// ---- sinew/io/line.hpp
// Line.
int line;

// ---- sinew/io/page.hpp
// Page.
int page;
${shield_ends}")
foreach(which core io)
    if(NOT ${which} MATCHES "^// sinew 4\\.5\\.6: ")
        message(SEND_ERROR "whole: the head of ${which} does not name the version: ${${which}}")
    endif()
    string(FIND "${${which}}" "// Anyone may." license)
    string(SUBSTRING "${${which}}" ${license} -1 ${which})
    if(NOT ${which} STREQUAL expected_${which})
        message(SEND_ERROR "whole: the ${which} header came out as:\n${${which}}")
    endif()
endforeach()
