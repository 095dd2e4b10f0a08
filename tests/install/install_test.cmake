file(REMOVE_RECURSE ${WORK})
function(run expected)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out WORKING_DIRECTORY ${WORK})
  if(NOT code EQUAL expected)
    message(FATAL_ERROR "${ARGN}: exit code ${code}, expected ${expected}\n${out}")
  endif()
endfunction()
file(MAKE_DIRECTORY ${WORK})
run(0 ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(10 ${WORK}/prefix/bin/plait check ${SOURCE}/examples/bank.cc)
run(0 ${WORK}/prefix/bin/plait-c++ ${SOURCE}/examples/correct_counter.cc -o correct)
run(0 ${WORK}/prefix/bin/plait check correct)
file(WRITE ${WORK}/project/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(client LANGUAGES CXX)
find_package(Plait 0.1 REQUIRED)
add_executable(client main.cc)
target_link_libraries(client PRIVATE Plait::headers)
enable_testing()
add_test(NAME checked COMMAND \${Plait_COMMAND} check \$<TARGET_FILE:client>)
")
file(WRITE ${WORK}/project/main.cc "#include <plait.h>
#include <thread>
int main() {
  std::thread other([] {});
  other.join();
  plait_assert(1 + 1 == 2);
}
")
run(0 ${CMAKE_COMMAND} -S project -B client -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_COMPILER=${WORK}/prefix/bin/plait-c++)
run(0 ${CMAKE_COMMAND} --build client)
run(0 ctest --test-dir client)
