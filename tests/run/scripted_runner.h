// A runner without a program: threads are scripts, and the machine of src/machine performs their operations, under any
// memory model.
// The engine is tested with it in one process, with traces as the runtime writes them.
//
//   ScriptedRunners runners({"x=1 y", "y=1 x"});      // main forks one thread for each script, then joins all
//
// Words of a script:
//   x=1  store (x=1! seq_cst, x=1r release, else relaxed)      x  load      x+=1  fetch-and-add      x?0:1
//   compare-and-swap from 0 to 1 fence fence:r   seq_cst, release lock:M unlock:M trylock:M    wait:C,M signal:C
//   broadcast:C    post:S take:S   (objects are capital letters) fail_if:1  the thread fails if it received 1 last
//   skip_unless:1,2  jumps over two words unless it received 1 last
#pragma once
#include <map>
#include <string>
#include <vector>

#include "machine/memory_model.h"
#include "machine/sync.h"
#include "run/runner.h"

namespace plait {

struct ScriptWord {
  enum Kind : u8 { Perform, FailIf, SkipUnless } kind = Perform;
  machine::Operation operation = {};
  u64 value = 0;
  u32 words = 0;
};
using Script = std::vector<ScriptWord>;

class ScriptedRunners : public Runners {
 public:
  explicit ScriptedRunners(const std::vector<std::string>& threads, const machine::MemoryRules& memory = {},
                           u32 max_events = 1000);
  std::unique_ptr<Runner> make() override;
  Visibility visibility() override;  // everything is visible from the start
  static constexpr u64 kFirstVariable = 0x1000, kFirstObject = 0x2000;

 private:
  std::vector<Script> scripts_;
  machine::MemoryRules memory_;
  u32 max_events_;
};

}  // namespace plait
