// Declarations of the runtime's functions (runtime/abi.h) in the module being instrumented, made when first used.
#pragma once
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "runtime/abi.h"
#include "trace/event.h"

namespace plait::instrument {

using Builder = llvm::IRBuilder<>;

class Hooks {
 public:
  explicit Hooks(llvm::Module& module);

  llvm::Value* load(Builder& b, llvm::Value* from, unsigned size, llvm::Constant* site);
  void store(Builder& b, llvm::Value* to, llvm::Value* value, unsigned size, llvm::Constant* site);
  void load_range(Builder& b, llvm::Value* temporary, llvm::Value* from, llvm::Value* size, llvm::Constant* site);
  void store_range(Builder& b, llvm::Value* to, llvm::Value* temporary, llvm::Value* size, llvm::Constant* site);
  void copy(Builder& b, llvm::Value* to, llvm::Value* from, llvm::Value* size, llvm::Constant* site);
  void fill(Builder& b, llvm::Value* to, llvm::Value* byte, llvm::Value* size, llvm::Constant* site);

  llvm::Value* atomic_load(Builder& b, llvm::Value* from, unsigned size, Order order, llvm::Constant* site);
  void atomic_store(Builder& b, llvm::Value* to, llvm::Value* value, unsigned size, Order order, llvm::Constant* site);
  llvm::Value* atomic_rmw(Builder& b, llvm::Value* at, llvm::Value* operand, unsigned size, RmwKind kind, Order order,
                          llvm::Constant* site);
  llvm::Value* atomic_cas(Builder& b, llvm::Value* at, llvm::Value* expected, llvm::Value* desired, unsigned size,
                          Order order, Order failure_order, llvm::Constant* site);
  void fence(Builder& b, Order order, FenceScope scope, llvm::Constant* site);

  /// A loop of turns is about to begin; one of them is over: is the loop settled (an i1)?
  void begin_turns(Builder& b, unsigned depth);
  llvm::Value* turn(Builder& b, unsigned depth, llvm::Value* flags, llvm::Constant* site);

  /// A local variable comes to life, or its life ends.
  void lifetime(Builder& b, bool begins, llvm::Value* variable, llvm::Value* size, llvm::Value* zones,
                llvm::Constant* site);
  /// Red zones around a local variable without a fixed size; all below `top` lives no longer; all below the current
  /// frame does not.
  void guard(Builder& b, llvm::Value* variable, llvm::Value* size, llvm::Value* zones, llvm::Constant* site);
  void release_stack(Builder& b, llvm::Value* top);
  void unwound(Builder& b);

  /// An access outside of the object that it is addressed by; `object` says which.
  void out_of_bounds(Builder& b, llvm::Value* offset, llvm::Value* size, bool writes, llvm::Value* object_size,
                     llvm::Constant* object, llvm::Constant* site);
  static bool is_bounds_failure(const llvm::Instruction* instruction);

  /// Inline assembly that may access memory is about to run.
  void handed(Builder& b, llvm::Value* memory, u32 how, llvm::Constant* site);
  void assembly(Builder& b, llvm::Constant* site);

  /// What has no value (runtime/unwritten.h): a new variable; not what a library was handed.
  void unwritten(Builder& b, llvm::Value* variable, llvm::Value* size);
  void written(Builder& b, llvm::Value* memory);
  /// Some of the bits that were just stored there.
  void store_unwritten(Builder& b, llvm::Value* to, llvm::Value* bits, uint64_t size);
  /// Of a range that was just loaded, or stored: to and from the shadow of a private variable.
  void get_unwritten(Builder& b, llvm::Value* bits, llvm::Value* from, llvm::Value* size);
  void put_unwritten(Builder& b, llvm::Value* to, llvm::Value* bits, llvm::Value* size);
  /// Some of the bits of a value that decides something.
  void uninitialised(Builder& b, llvm::Value* bits, unsigned use, llvm::Constant* site);
  /// __plait_own_new = 1;
  void announce_new(Builder& b);

  /// main looks at its parameters.
  void uses_arguments(Builder& b);

  /// __plait_call_site = site;
  void set_call_site(Builder& b, llvm::Constant* site);
  /// __plait_user_site
  void set_user_site(Builder& b, llvm::Value* site);
  llvm::Value* user_site(Builder& b);
  /// __plait_unknown = site; and, after the call: if it is still there, __plait_opaque has it
  void set_unknown_call(Builder& b, llvm::Constant* site);
  void keep_unknown_call(Builder& b);

  /// __plait_label_NAME: inputs are followed (labels.h).
  llvm::Value* label_hook(Builder& b, const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments);

  /// A function that only compiled code calls: it takes its site as an argument and needs no call site.
  static bool is_hook(llvm::StringRef name);

 private:
  llvm::Value* call(Builder& b, const llvm::Twine& name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments);
  llvm::Value* loaded(Builder& b, const llvm::Twine& name, unsigned size, llvm::ArrayRef<llvm::Value*> arguments);
  llvm::Constant* number(Order order) const;

  llvm::Module& module_;
  llvm::IntegerType* int_;
  llvm::Type* void_;
};

}  // namespace plait::instrument
