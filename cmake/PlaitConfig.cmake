# find_package(Plait): where an installed Plait is, and checks as tests.
#   Plait_COMMAND       plait
#   Plait_C_COMPILER    plait-cc, for CMAKE_C_COMPILER
#   Plait_CXX_COMPILER  plait-c++, for CMAKE_CXX_COMPILER
#   Plait::headers      plait.h, plait_check.h
#   plait_add_check()   see PlaitAddCheck.cmake
get_filename_component(plait_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(Plait_COMMAND "${plait_prefix}/bin/plait")
set(Plait_C_COMPILER "${plait_prefix}/bin/plait-cc")
set(Plait_CXX_COMPILER "${plait_prefix}/bin/plait-c++")
if(NOT TARGET Plait::headers)
  add_library(Plait::headers INTERFACE IMPORTED)
  set_target_properties(Plait::headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${plait_prefix}/include")
endif()
unset(plait_prefix)
include("${CMAKE_CURRENT_LIST_DIR}/PlaitAddCheck.cmake")
