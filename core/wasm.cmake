# The WASM module: wasm/glue.c and the library. What flags it takes and what it exports is said, with reasons, in two lists.

set(ASC_LISTS "${ASC_ROOT}/wasm/flags.txt" "${ASC_ROOT}/wasm/exports.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ASC_LISTS})

# lines but comments and notes ("- name: reason")
file(STRINGS "${ASC_ROOT}/wasm/flags.txt" ASC_WASM_FLAGS REGEX "^[^#]")
file(STRINGS "${ASC_ROOT}/wasm/exports.txt" ASC_WASM_EXPORTS REGEX "^[A-Za-z_]")
list(TRANSFORM ASC_WASM_FLAGS STRIP)
list(TRANSFORM ASC_WASM_EXPORTS STRIP)
list(TRANSFORM ASC_WASM_EXPORTS PREPEND "_")
list(JOIN ASC_WASM_EXPORTS "," ASC_WASM_EXPORTS)

# emcc warns of settings of the link that it sees while compiling
set(ASC_WASM_COMPILE ${ASC_WASM_FLAGS})
list(FILTER ASC_WASM_COMPILE EXCLUDE REGEX "^(-s[A-Z]|-Wl,|--)")

# the lists alone say how it is optimised
set(CMAKE_C_FLAGS_RELEASE "")
add_executable(core "${ASC_ROOT}/wasm/glue.c" ${ASC_SOURCES})
set_target_properties(core PROPERTIES SUFFIX ".wasm" LINK_DEPENDS "${ASC_LISTS}")
target_include_directories(core PRIVATE include src "${ASC_GENERATED}")
target_compile_options(core PRIVATE -Wall -Wextra -Werror ${ASC_WASM_COMPILE})
# The hottest file of a search that may run for seconds. The exact solver is done in milliseconds: -Os would make it a tenth faster and put a
# fiftieth on the download of everything.
set_source_files_properties(src/solve/minimalloc/place.c PROPERTIES COMPILE_OPTIONS -Os)
target_link_options(core PRIVATE ${ASC_WASM_FLAGS} "-sEXPORTED_FUNCTIONS=${ASC_WASM_EXPORTS}")
