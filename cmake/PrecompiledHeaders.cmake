# Precompiled headers: half of a build is reading the headers of the standard library, fmt, JSON and LLVM.
# With a compiler launcher they are off: ccache would find nothing in its cache.
# The lists are headers of our own: CMake keeps the time of a list that stands in a CMakeLists.txt when it changes, and
# the old one would stay in use.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  option(PLAIT_PRECOMPILE "Precompile the headers that are used most" OFF)
else()
  option(PLAIT_PRECOMPILE "Precompile the headers that are used most" ON)
endif()

# plait_precompile(OWNER OPTIONS FOLDERS folder... HEADERS header...): a target OWNER has the headers, with the
# options of compilation that the libraries OPTIONS give; every library and program of the folders uses them.
function(plait_precompile owner options)
  if(NOT PLAIT_PRECOMPILE)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 2 argument "" "" "FOLDERS;HEADERS")
  set(empty ${CMAKE_BINARY_DIR}/${owner}.cc)
  file(CONFIGURE OUTPUT ${empty} CONTENT "// Here to own the precompiled headers.\n")
  add_library(${owner} OBJECT EXCLUDE_FROM_ALL ${empty})
  target_link_libraries(${owner} PRIVATE ${options})
  target_precompile_headers(${owner} PRIVATE ${argument_HEADERS})
  foreach(folder ${argument_FOLDERS})
    get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target ${targets})
      get_target_property(type ${target} TYPE)
      if(type MATCHES "STATIC_LIBRARY|EXECUTABLE")
        target_precompile_headers(${target} REUSE_FROM ${owner})
      endif()
    endforeach()
  endforeach()
endfunction()
