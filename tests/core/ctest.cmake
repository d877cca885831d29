# The C tests as CTest runs them, `native.<suite>` or, under sanitizers, `asan.<suite>` and `fuzz.<target>`: each suite in a process of its own, after the
# build that makes it (`native.build`), which is a test as well. All are nice, as is whatever does not watch the time (tests/CMakeLists.txt). The dear
# ones have their cost in CPU seconds, so that they begin first; of those in SHARDS each process does its share of the cases.
# `ctest --preset native -R save` in core/ runs some of them.
enable_testing()
if(ASC_SANITIZE)
  set(BUILD asan)
else()
  set(BUILD native)
endif()

set(COST_native_oracle 33)
set(COST_native_save 36)
set(SHARDS_native_oracle 4)
set(SHARDS_native_save 6)
foreach(suite cosma timeline run oom_runs)
  set(SHARDS_native_${suite} 3)
endforeach()
foreach(suite timeline exact_laws cosma fit_tree run oom_runs large)
  set(COST_native_${suite} 10)
endforeach()

set(COST_asan_oracle 28)
foreach(suite save oom_runs corpus timeline explain minimalloc large exact)
  set(COST_asan_${suite} 20)
endforeach()

# BUILD.build: all of the folder, whose sources are compiled without warnings; a check, and what the others wait for
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
add_test(NAME ${BUILD}.build COMMAND nice -n 10 ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --parallel ${cores})
set_tests_properties(${BUILD}.build PROPERTIES FIXTURES_SETUP ${BUILD} COST 1000 TIMEOUT 1200 LABELS build)

function(asc_suite name)
  add_test(NAME ${BUILD}.${name} COMMAND nice -n 10 $<TARGET_FILE:arenascope-tests> ${ARGN})
  set_tests_properties(${BUILD}.${name} PROPERTIES FIXTURES_REQUIRED ${BUILD} TIMEOUT 900 LABELS "${BUILD};cases")
endfunction()

file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/suites.def" suites REGEX "^ASC_SUITE")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/suites.def")
foreach(line ${suites})
  string(REGEX REPLACE "ASC_SUITE\\(([a-z_]+)\\)" "\\1" suite "${line}")
  set(cost "${COST_${BUILD}_${suite}}")
  set(shards "${SHARDS_${BUILD}_${suite}}")
  if(NOT cost)
    set(cost 1)
  endif()
  if(NOT shards)
    asc_suite(${suite} ${suite})
    set_tests_properties(${BUILD}.${suite} PROPERTIES COST ${cost})
    continue()
  endif()
  math(EXPR share "${cost} / ${shards}")
  foreach(shard RANGE 1 ${shards})
    asc_suite(${suite}.${shard} --shard=${shard}/${shards} ${suite})
    set_tests_properties(${BUILD}.${suite}.${shard} PROPERTIES COST ${share})
  endforeach()
endforeach()

# Seeds come from fuzz/corpus/<target>. The same seed and the same starting point give the same inputs (fuzz/run.sh).
foreach(source ${ASC_FUZZ_SOURCES})
  get_filename_component(name ${source} NAME_WE)
  set(runs 10000)
  set(seeds 1 2)
  if(name STREQUAL fuzz_calls) # each is some forty calls, and as many runs to compare with
    set(runs 2000)
    set(seeds 1)
  elseif(name STREQUAL fuzz_command) # each is asked twice, with files
    set(runs 3000)
    set(seeds 1)
  elseif(name STREQUAL fuzz_proof) # the exact solver is asked about what is believed
    set(runs 3000)
    set(seeds 1)
  endif()
  foreach(seed ${seeds})
    add_test(NAME fuzz.${name}.${seed} COMMAND nice -n 10 "${ASC_ROOT}/tests/fuzz/run.sh" asan ${name} ${name}.${seed} -runs=${runs} -seed=${seed})
    set_tests_properties(fuzz.${name}.${seed} PROPERTIES FIXTURES_REQUIRED asan TIMEOUT 900 COST 10 LABELS fuzz)
  endforeach()
endforeach()
