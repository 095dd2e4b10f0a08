// What the program has said about signals. Nothing of it reaches the kernel: signals come from the program's own
// threads only (raise), and their handlers are called as functions. So a run leaves nothing behind, and a thread that
// stops inside a handler blocks nothing for others.
#pragma once

namespace plait::runtime {

/// The program wants to handle this signal itself.
bool has_handler(int number);

/// All are as they were when main was called.
void reset_signals();

}  // namespace plait::runtime
