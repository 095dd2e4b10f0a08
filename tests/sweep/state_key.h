// States of the oracles as texts, so that those that were met before are known.
#pragma once
#include <string>

#include "semantics.h"

namespace sweep {

/// A state as a sequence of bytes, for comparison. Identities and histories are no part of it.
class Key {
 public:
  explicit Key(const State& state) {
    for (const ThreadState& thread : state.threads) add_thread(thread);
    for (const std::uint32_t value : state.variables) add(value);
    for (const int owner : state.owners) add(owner);
    for (const int count : state.semaphores) add(count);
    for (const int writer : state.writers) add(writer);
    for (const std::uint8_t readers : state.readers) add(readers);
    for (const std::uint8_t arrived : state.arrived) add(arrived);
    for (const bool freed : state.freed) add(freed);
    for (const bool alone : state.freed_alone) add(alone);
    for (const bool destroyed : state.destroyed) add(destroyed);
    for (const bool dead : state.dead) add(dead);
    for (const int pointer : state.pointers) add(pointer);
    for (const Static& object : state.statics) add(object.builder), add(object.built), add(object.value);
    for (const Struct& object : state.structs) add(object.first), add(object.second);
    add(state.forked), add(state.depth), add(state.atomic);
    const Process& process = state.process;
    add(process.environment), add(process.umask), add(process.directory), add(process.descriptors);
    add(process.exiting), add(process.end);
    for (const int handler : process.handlers) add(handler);
    text += '|' + process.output + '|' + process.failure;
  }
  std::string text;

 private:
  template <typename T>
  void add(T value) {
    const auto number = static_cast<std::uint32_t>(value);
    for (int i = 0; i < 4; ++i) text += static_cast<char>(number >> (8 * i));
  }

  void add_thread(const ThreadState& thread) {
    add(thread.started * 4 + thread.ended * 2 + thread.woken);
    if (!thread.started) return;
    add(thread.pc), add(thread.phase), add(thread.temporary), add(thread.waiting_on), add(thread.rounding);
    for (const int value : thread.registers) add(value);
    for (const std::uint8_t turns : thread.turns) text += static_cast<char>(turns);
    add(thread.children.size());
    for (const int child : thread.children) add(child);
    add(thread.returned), add(thread.returned >> 32);
    add(thread.buffer.stores.size());
    const int oldest = thread.buffer.stores.empty() ? 0 : thread.buffer.stores[0].barriers;
    for (const BufferedStore& store : thread.buffer.stores)
      add(store.variable), add(store.bytes), add(store.value), add(store.barriers - oldest), add(store.access);
    if (!thread.buffer.stores.empty()) add(thread.buffer.barriers - oldest);
  }
};

}  // namespace sweep
