# The WASM modules: wasm/glue/ and the library. What flags they take and what they export is said, with reasons, in two lists. core.wasm is the
# whole; the others have the solvers of one family (solvers.def): what neither those nor their exports lead to, the linker leaves out. lean.wasm is
# what the page's first view needs.

set(ASC_LISTS "${ASC_ROOT}/wasm/flags.txt" "${ASC_ROOT}/wasm/exports.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ASC_LISTS})

# lines but comments and notes ("- name: reason"); a plus stands before what the lean module does not export, a star before what that of
# buffers does not either, two pluses before what the whole one alone does
file(STRINGS "${ASC_ROOT}/wasm/flags.txt" ASC_WASM_FLAGS REGEX "^[^#]")
file(STRINGS "${ASC_ROOT}/wasm/exports.txt" ASC_EXPORTS_lean REGEX "^[A-Za-z_]")
file(STRINGS "${ASC_ROOT}/wasm/exports.txt" ASC_EXPORTS_buffers REGEX "^([+] )?[A-Za-z_]")
file(STRINGS "${ASC_ROOT}/wasm/exports.txt" ASC_EXPORTS_family REGEX "^([+*] )?[A-Za-z_]")
file(STRINGS "${ASC_ROOT}/wasm/exports.txt" ASC_EXPORTS_core REGEX "^([+*]+ )?[A-Za-z_]")
list(TRANSFORM ASC_WASM_FLAGS STRIP)

# emcc warns of settings of the link that it sees while compiling
set(ASC_WASM_COMPILE ${ASC_WASM_FLAGS})
list(FILTER ASC_WASM_COMPILE EXCLUDE REGEX "^(-s[A-Z]|-Wl,|--)")

# emcc begins a Python for each file only to call clang: it is asked once how it does that, and links alone go through it
file(WRITE "${CMAKE_BINARY_DIR}/empty.c" "")
execute_process(COMMAND "${CMAKE_C_COMPILER}" -v -c "${CMAKE_BINARY_DIR}/empty.c" -o "${CMAKE_BINARY_DIR}/empty.o" ERROR_VARIABLE ASC_SAID)
if(ASC_SAID MATCHES "^ *\"([^\"]*/clang[^\"]*)\" (-target [^\n]*) -v -c ")
  set(CMAKE_C_COMPILE_OBJECT "\"${CMAKE_MATCH_1}\" ${CMAKE_MATCH_2} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")
endif()

# the lists alone say how it is optimised
set(CMAKE_C_FLAGS_RELEASE "")
# what differs by module: the table of solvers, what inputs there are, how much of a CSV is read, and how fast minimalloc is
set(ASC_MINIMALLOC_HOT src/solve/minimalloc/place.c src/solve/minimalloc/reject.c src/solve/minimalloc/descend.c src/solve/minimalloc/steps.c)
set(ASC_TABLE src/solve/run.c src/solve/domain.c src/io/csv/foreign.c ${ASC_MINIMALLOC_HOT})
list(TRANSFORM ASC_TABLE PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
list(REMOVE_ITEM ASC_SOURCES ${ASC_TABLE})
# The hottest files of a search that may run for seconds; the first download and the npm package, which has a limit
# of its own, have no room for more than the first of them at -Os.
set(ASC_IN_LEAN "$<OR:$<STREQUAL:$<TARGET_PROPERTY:NAME>,lean>,$<STREQUAL:$<TARGET_PROPERTY:NAME>,buffers>>")
set_source_files_properties(${ASC_MINIMALLOC_HOT} PROPERTIES COMPILE_OPTIONS "$<IF:${ASC_IN_LEAN},-Oz,-O2>;-fno-unroll-loops")
set_source_files_properties(src/solve/minimalloc/place.c PROPERTIES COMPILE_OPTIONS "$<IF:${ASC_IN_LEAN},-Os,-O2>;-fno-unroll-loops")
# The exact solver's kernel for plain problems, no part of the first download. Loops over sections are short: unrolled, they take a thirtieth longer, and a
# thirtieth more of the download. What makes each of its runs ready takes up to a thirtieth longer at -Oz, and the npm package has no room for more.
set_source_files_properties(src/solve/exact/narrow.c PROPERTIES COMPILE_OPTIONS "-O2;-fno-unroll-loops")
# First fit of a million buffers asks and places a million times through a dozen short functions: inlined, they take half the time for a hundredth
# of the download.
set_source_files_properties(src/model/fit/lowest.c src/model/fit/place.c src/model/spans.c PROPERTIES COMPILE_OPTIONS -O2)
# Tiles and their collisions, tables of tile-aware allocation and the search by them: within twice the native time, for a thousandth of the modules that have them.
set_source_files_properties(src/solve/taa/gather.c src/solve/taa/branch.c src/solve/taa/tiles.c src/solve/taa/taa.c PROPERTIES COMPILE_OPTIONS -O2)
# COSMA's transitions, its dominance, its network and its packer: likewise.
set(ASC_COSMA_HOT kernel/search kernel/layer kernel/evict kernel/least_live packing/pack)
list(TRANSFORM ASC_COSMA_HOT REPLACE "(.+)" "src/solve/cosma/\\1.c")
set_source_files_properties(${ASC_COSMA_HOT} PROPERTIES COMPILE_OPTIONS -O2)
file(GLOB ASC_GLUE CONFIGURE_DEPENDS "${ASC_ROOT}/wasm/glue/*.c")
add_library(objects OBJECT ${ASC_GLUE} ${ASC_SOURCES})
# The whole module, and one for each family of solvers, of the same objects but for these tables.
set(ASC_FAMILIES lean exact telamalloc large planners baselines)
# The module of the npm package: solvers of buffers, without graphs and tiles and without what papers compare with. tests/package holds its size.
set(ASC_MODULES core buffers ${ASC_FAMILIES})
foreach(module ${ASC_MODULES})
  add_executable(${module} ${ASC_TABLE} $<TARGET_OBJECTS:objects>)
endforeach()
foreach(module ${ASC_FAMILIES})
  string(TOUPPER ${module} family)
  target_compile_definitions(${module} PRIVATE ASC_ONLY ASC_ONLY_${family})
endforeach()
target_compile_definitions(buffers PRIVATE ASC_ONLY ASC_ONLY_FEWER ASC_ONLY_EXACT ASC_ONLY_TELAMALLOC ASC_ONLY_LARGE ASC_ONLY_PLANNERS)
foreach(part objects ${ASC_MODULES})
  target_include_directories(${part} PRIVATE include src "${ASC_GENERATED}")
  target_compile_options(${part} PRIVATE -Wall -Wextra -Werror ${ASC_WASM_COMPILE})
endforeach()
foreach(module ${ASC_MODULES})
  set(exports ${ASC_EXPORTS_family})
  if(DEFINED ASC_EXPORTS_${module})
    set(exports ${ASC_EXPORTS_${module}})
  endif()
  list(TRANSFORM exports REPLACE "[+* ]+" "")
  list(TRANSFORM exports PREPEND "_")
  list(JOIN exports "," exports)
  set_target_properties(${module} PROPERTIES SUFFIX ".wasm" LINK_DEPENDS "${ASC_LISTS}")
  set(flags ${ASC_WASM_FLAGS})
  # Where the exact solver is, Binaryen leaves functions apart that have one caller: V8 keeps the numbers of a large function's loops in memory.
  if(module MATCHES "^(exact|core|buffers)$")
    list(APPEND flags -sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=0)
  endif()
  target_link_options(${module} PRIVATE ${flags} "-sEXPORTED_FUNCTIONS=${exports}")
endforeach()
