# plait_add_check(NAME
#   SOURCES file...            compiled and linked with Plait's wrapper, whatever compiler the project uses; or
#   TARGET executable          one that is built with the wrapper already (CMAKE_CXX_COMPILER=plait-c++)
#   [MEMORY_MODEL sc|tso|pso]  [EXPLORE how]
#   [TIMEOUT seconds]          of the exploration
#   [ARGS word...]             arguments of the program
#   [OPTIONS word...]          further options of `plait check`
#   [EXPECT safe|bug]          the verdict that lets the test pass; default: safe
#   [GTEST]                    a GoogleTest program: each of its tests is explored; results as NAME.junit.xml
#   [COMPILE_OPTIONS word...] [INCLUDE_DIRECTORIES dir...] [LINK_OPTIONS word...]   for SOURCES
# )
# Adds the CTest test NAME (label: plait). With SOURCES also the target NAME, part of `all`.
set(plait_expect_script "${CMAKE_CURRENT_LIST_DIR}/PlaitExpect.cmake")

function(plait_add_check name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "GTEST" "TARGET;MEMORY_MODEL;EXPLORE;TIMEOUT;EXPECT"
    "SOURCES;ARGS;OPTIONS;COMPILE_OPTIONS;INCLUDE_DIRECTORIES;LINK_OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "plait_add_check(${name}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if((arg_SOURCES AND arg_TARGET) OR NOT (arg_SOURCES OR arg_TARGET))
    message(FATAL_ERROR "plait_add_check(${name}): give either SOURCES or TARGET")
  endif()
  if(NOT arg_EXPECT)
    set(arg_EXPECT safe)
  elseif(NOT arg_EXPECT MATCHES "^(safe|bug)$")
    message(FATAL_ERROR "plait_add_check(${name}): EXPECT is safe or bug, not ${arg_EXPECT}")
  endif()

  if(arg_TARGET)
    set(program "$<TARGET_FILE:${arg_TARGET}>")
  else()
    plait_compile_check("${name}" program)
  endif()

  set(command "${Plait_COMMAND}" check --color never -o "${CMAKE_CURRENT_BINARY_DIR}/plait-out/${name}")
  if(arg_MEMORY_MODEL)
    list(APPEND command --memory-model ${arg_MEMORY_MODEL})
  endif()
  if(arg_EXPLORE)
    list(APPEND command --explore ${arg_EXPLORE})
  endif()
  if(arg_TIMEOUT)
    list(APPEND command --timeout ${arg_TIMEOUT})
  endif()
  set(output "")
  if(arg_GTEST)
    list(APPEND command --gtest --format junit)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}.junit.xml")
  endif()
  list(APPEND command ${arg_OPTIONS} "${program}")
  if(arg_ARGS)
    list(APPEND command -- ${arg_ARGS})
  endif()
  add_test(NAME "${name}" COMMAND "${CMAKE_COMMAND}" "-DEXPECT=${arg_EXPECT}" "-DOUTPUT=${output}"
    -P "${plait_expect_script}" -- ${command})
  set_tests_properties("${name}" PROPERTIES LABELS plait)
  if(arg_TIMEOUT)
    # The exploration ends by itself; this is for a program that hangs.
    math(EXPR limit "${arg_TIMEOUT} + 60")
    set_tests_properties("${name}" PROPERTIES TIMEOUT ${limit})
  endif()
endfunction()

# Objects and program of a check, by custom commands: the project's own compiler may be another one.
function(plait_compile_check name result)
  set(directory "${CMAKE_CURRENT_BINARY_DIR}/plait-check/${name}")
  file(MAKE_DIRECTORY "${directory}")
  set(program "${directory}/${name}")
  set(includes "")
  foreach(include IN LISTS arg_INCLUDE_DIRECTORIES)
    get_filename_component(include "${include}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    list(APPEND includes "-I${include}")
  endforeach()
  set(objects "")
  set(linker "${Plait_C_COMPILER}")
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(full "${source}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    string(MAKE_C_IDENTIFIER "${source}" object)
    set(object "${directory}/${object}.o")
    set(standard "")
    if(source MATCHES "\\.c$")
      set(compiler "${Plait_C_COMPILER}")
      if(CMAKE_C_STANDARD)
        set(standard "-std=gnu${CMAKE_C_STANDARD}")
      endif()
    else()
      set(compiler "${Plait_CXX_COMPILER}")
      set(linker "${Plait_CXX_COMPILER}")
      if(CMAKE_CXX_STANDARD)
        set(standard "-std=gnu++${CMAKE_CXX_STANDARD}")
      endif()
    endif()
    add_custom_command(OUTPUT "${object}"
      COMMAND "${compiler}" ${standard} ${includes} ${arg_COMPILE_OPTIONS} -MD -MF "${object}.d" -c "${full}" -o "${object}"
      DEPENDS "${full}" "${Plait_COMMAND}" DEPFILE "${object}.d" COMMENT "Compiling ${source} for the check ${name}" VERBATIM)
    list(APPEND objects "${object}")
  endforeach()
  add_custom_command(OUTPUT "${program}" COMMAND "${linker}" ${objects} -o "${program}" -pthread ${arg_LINK_OPTIONS}
    DEPENDS ${objects} COMMENT "Linking the check ${name}" VERBATIM)
  add_custom_target("${name}" ALL DEPENDS "${program}")
  set(${result} "${program}" PARENT_SCOPE)
endfunction()
