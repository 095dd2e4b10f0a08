#include "report/comparison.h"

#include <fmt/format.h>

namespace plait {

Json comparison_to_json(const ReportedComparison& comparison) {
  Json failures = Json::array();
  for (const auto& failure : comparison.failures)
    failures.push_back({{"kind", failure.kind},
                        {"message", failure.message},
                        {"file", failure.place.file},
                        {"line", failure.place.line}});
  Json remedy = Json::array();
  for (const auto& store : comparison.remedy)
    remedy.push_back({{"file", store.place.file},
                      {"line", store.place.line},
                      {"function", store.place.function},
                      {"text", store.place.text},
                      {"order", store.order},
                      {"removes_alone", store.removes}});
  return {{"with", comparison.reference},   {"complete", comparison.complete},
          {"robust", comparison.robust()},  {"classes_compared", comparison.classes_compared},
          {"classes", comparison.classes},  {"histories", comparison.histories},
          {"outcomes", comparison.outputs}, {"failures", failures},
          {"stronger_stores", remedy},      {"limits", comparison.obstacles}};
}

std::string comparison_text(const ReportedComparison& c, const Style& style) {
  const std::string name = fmt::format("{} compared with {}", c.model, c.reference);
  if (!c.complete) {
    std::string why;
    for (const std::string& obstacle : c.obstacles) why += (why.empty() ? "" : "; ") + obstacle;
    return fmt::format("{}: {} ({})\n", name, style.yellow("not known"),
                       why.empty() ? "the search was not complete" : why);
  }
  const std::string what =
      c.classes_compared ? "" : " (failures and outputs; loops without a bound: histories were not compared)";
  if (c.robust()) return fmt::format("{}: {}{}\n", name, style.green("robust, nothing more can happen"), what);
  std::string text = fmt::format("{}: {}{}\n", name, style.yellow("more can happen"), what);
  auto counted = [](u64 n, const char* one, const char* many) { return fmt::format("{} {}", n, n == 1 ? one : many); };
  if (c.classes)
    text += fmt::format("  {} that {} does not allow\n",
                        counted(c.classes, "combination of values read", "combinations of values read"), c.reference);
  if (c.histories)
    text += fmt::format("  {}: a thread reads what it cannot read under {}\n",
                        counted(c.histories, "history", "histories"), c.reference);
  for (const std::string& output : c.outputs)
    text += fmt::format("  output {}\n", Json(output).dump(-1, ' ', false, Json::error_handler_t::replace));
  for (const auto& failure : c.failures)
    text += fmt::format("  failure at {}: {} [{}]\n", short_place(failure.place), failure.message, failure.kind);
  if (c.remedy.empty()) return text + "  which stores would have to be stronger was not found out\n";
  text += c.remedy.size() == 1 ? "  to remove it all: one stronger store\n"
                               : "  to remove it all: these stronger stores, together\n";
  for (const auto& store : c.remedy) {
    text +=
        fmt::format("    {}{}: {}", short_place(store.place), store.place.text.empty() ? "" : "  " + store.place.text,
                    store.order == "release" ? "memory_order_release, or a release fence before it"
                                             : "memory_order_seq_cst, or a seq_cst fence behind it");
    text += store.removes && c.remedy.size() > 1 ? fmt::format(" (alone it removes {})\n", store.removes) : "\n";
  }
  return text;
}

}  // namespace plait
