// The end of the program: return from main, exit(), atexit handlers, abort, assert, std::terminate.
#pragma once

namespace plait::runtime {

/// main returned `code` on its fiber.
[[noreturn]] void leave_main(int code);
/// The last thread has ended, main with pthread_exit: what exit would still run.
void end_without_main();
/// Handlers registered in the last run are forgotten; those from before main stay.
void reset_program_exit();
/// C++ only: uncaught exceptions become failures.
void install_terminate_handler();

}  // namespace plait::runtime
