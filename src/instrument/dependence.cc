#include "instrument/dependence.h"

#include "instrument/dependence_flow.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace plait::instrument {
namespace {

constexpr const char* kTimed = "PlaitDependence";  // in what -ftime-trace writes

}  // namespace

Dependence::Dependence(llvm::Module& module) : module_(module), graph_(std::make_unique<DependenceGraph>(module)) {
  note_addresses(module, *graph_);
}

Dependence::~Dependence() = default;

void Dependence::add(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  // Who goes on behind a suspension, nobody knows: as if it were not compiled by us.
  if (function.isPresplitCoroutine()) return;
  const llvm::TimeTraceScope timed(kTimed);
  FunctionFlow(function, analyses, *graph_).run();
}

void Dependence::name_sites(Sites& sites) {
  for (const auto& [instruction, row] : sites.take_named()) graph_->name(*instruction, row);
  graph_->forget_instructions();
}

void Dependence::emit(const Sites& sites) {
  llvm::GlobalVariable* table = sites.table();
  if (!table) return;
  const llvm::TimeTraceScope timed(kTimed);
  llvm::LLVMContext& context = module_.getContext();
  llvm::Type* word = llvm::Type::getInt32Ty(context);
  llvm::Type* wide = llvm::Type::getInt64Ty(context);
  // Aligned, so that the blocks of all units stand in a row.
  std::string bytes = graph_->encode();
  bytes.resize((bytes.size() + 15) / 16 * 16);
  llvm::Constant* text = llvm::ConstantDataArray::getString(context, bytes, false);
  auto* type = llvm::StructType::get(context, {word, word, wide, text->getType()});
  auto* block =
      new llvm::GlobalVariable(module_, type, true, llvm::GlobalValue::PrivateLinkage, nullptr, "plait.depends");
  llvm::Constant* field = llvm::ConstantExpr::getInBoundsGetElementPtr(
      type, block, llvm::ArrayRef<llvm::Constant*>{llvm::ConstantInt::get(word, 0), llvm::ConstantInt::get(word, 2)});
  llvm::Constant* distance = llvm::ConstantExpr::getSub(llvm::ConstantExpr::getPtrToInt(table, wide),
                                                        llvm::ConstantExpr::getPtrToInt(field, wide));
  block->setInitializer(llvm::ConstantStruct::get(type, {llvm::ConstantInt::get(word, depends::kMagic),
                                                         llvm::ConstantInt::get(word, bytes.size()), distance, text}));
  block->setSection(depends::kSection);
  block->setAlignment(llvm::Align(16));
  llvm::appendToUsed(module_, {block});
}

}  // namespace plait::instrument
