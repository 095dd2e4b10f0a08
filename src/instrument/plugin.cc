// Entry point of the plugin: puts the instrumentation at the start of clang's pipeline, for every level, -O0 too.
#include "instrument/llvm.h"
#include "instrument/module_pass.h"
#include "instrument/pipeline.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "plait-instrument", LLVM_VERSION_STRING, [](llvm::PassBuilder& builder) {
            builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
              plait::instrument::add_preparation(passes, level);
              passes.addPass(plait::instrument::InstrumentPass());
            });
            // For opt -passes=plait-instrument: the pass alone.
            builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::ModulePassManager& passes,
                                                       llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
              if (name != "plait-instrument") return false;
              passes.addPass(plait::instrument::InstrumentPass());
              return true;
            });
          }};
}
