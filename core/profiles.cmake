# The table of accelerator profiles, made from core/src/profile/data/*.json by CMake itself, so that the core builds without Node. What is
# in the files is checked by tests/check_profiles.mjs; here a missing field ends the build.

file(GLOB ASC_PROFILES CONFIGURE_DEPENDS "${ASC_ROOT}/core/src/profile/data/*.json")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ASC_PROFILES})

# asc_profile_field(VARIABLE DEFAULT JSON MEMBER...): DEFAULT for what is not there
function(asc_profile_field variable default json)
  string(JSON value ERROR_VARIABLE missing GET "${json}" ${ARGN})
  if(missing)
    set(value "${default}")
  endif()
  set(${variable} "${value}" PARENT_SCOPE)
endfunction()

set(ASC_PROFILE_ROWS "")
foreach(path IN LISTS ASC_PROFILES)
  file(READ "${path}" json)
  foreach(name id title vendor)
    string(JSON ${name} GET "${json}" ${name})
  endforeach()
  string(JSON capacity GET "${json}" capacity bytes)
  string(JSON alignment GET "${json}" alignment bytes)
  string(JSON apply GET "${json}" alignment apply)
  string(TOUPPER "${apply}" apply)
  asc_profile_field(reserved 0 "${json}" reserved bytes)
  asc_profile_field(bank 0 "${json}" banks bytes)
  asc_profile_field(cross ON "${json}" banks mayCross)
  asc_profile_field(cores 1 "${json}" cores count)
  if(cross)
    set(cross true)
  else()
    set(cross false)
  endif()
  string(APPEND ASC_PROFILE_ROWS "{\"${id}\", \"${title}\", \"${vendor}\", INT64_C(${capacity}), INT64_C(${reserved}), "
    "INT64_C(${alignment}), INT64_C(${bank}), ASC_ALIGN_${apply}, ${cores}, ${cross}},\n")
endforeach()

set(ASC_GENERATED "${CMAKE_BINARY_DIR}/generated")
file(CONFIGURE OUTPUT "${ASC_GENERATED}/profile/table.inc" CONTENT "@ASC_PROFILE_ROWS@" @ONLY)
