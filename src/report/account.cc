#include "report/account.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace plait {
namespace {

struct Fields {
  std::vector<std::string_view> texts;
  u64 number(size_t i, int base = 16) const {
    u64 value = 0;
    if (i < texts.size()) std::from_chars(texts[i].data(), texts[i].data() + texts[i].size(), value, base);
    return value;
  }
  std::string bytes(size_t i) const {
    std::string bytes;
    for (size_t at = 0; at + 1 < texts[i].size(); at += 2) {
      unsigned byte = 0;
      std::from_chars(texts[i].data() + at, texts[i].data() + at + 2, byte, 16);
      bytes += static_cast<char>(byte);
    }
    return bytes;
  }
  u32 site(size_t i) const { return static_cast<u32>(number(i, 10)); }
  ThreadId thread(size_t i) const { return static_cast<ThreadId>(number(i, 10)); }
  CodeAddresses code(size_t from) const {
    CodeAddresses code;
    for (size_t i = from; i < texts.size(); ++i) code.push_back(number(i));
    return code;
  }
};

Fields split(std::string_view line) {
  Fields fields;
  while (true) {
    const size_t tab = line.find('\t');
    fields.texts.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

}  // namespace

Account Account::parse(std::string_view text) {
  Account account;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const Fields f = split(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view kind = f.texts[0];
    if (kind == "K" && f.texts.size() > 2) account.stacks[f.number(1)] = f.code(2);
    if (kind == "X") account.failure = f.code(1);
    if (kind == "A" && f.texts.size() > 2) account.blocks[f.number(1)].stack = f.code(2);
    if (kind == "F" && f.texts.size() > 2) account.blocks[f.number(1)].free_stack = f.code(2);
    if (kind == "L" && f.texts.size() == 6)
      account.locals.push_back({f.number(1), f.number(2), f.thread(3), f.site(4), f.number(5)});
    if (kind == "H" && f.texts.size() == 8 && f.number(3, 10) < static_cast<u64>(Op::Count))
      account.holds.push_back({f.number(1), f.thread(2), static_cast<Op>(f.number(3, 10)), f.number(4), f.number(5),
                               f.number(6), f.site(7)});
    if (kind == "P" && f.texts.size() == 3) account.pointers[f.number(1)] = f.number(2);
    if (kind == "M" && f.texts.size() == 3) account.bytes[f.number(1)] = f.bytes(2);
    if (kind == "B" && f.texts.size() == 9) {
      AccountBlock& block = account.blocks[f.number(1)];
      block.begin = f.number(1);
      block.size = f.number(2);
      block.thread = f.thread(3);
      block.site = f.site(4);
      block.freed = f.number(5) != 0;
      block.free_thread = f.thread(6);
      block.free_site = f.site(7);
      block.call = f.site(8);
    }
  }
  return account;
}

const AccountBlock* Account::block_at(u64 address) const {
  auto after = blocks.upper_bound(address);
  if (after == blocks.begin()) return nullptr;
  const AccountBlock& found = std::prev(after)->second;
  return address - found.begin < std::max<u64>(1, found.size) ? &found : nullptr;
}

const AccountBlock* Account::block_below(u64 address) const {
  constexpr u64 kNear = 256;
  auto after = blocks.upper_bound(address);
  if (after == blocks.begin()) return nullptr;
  const AccountBlock& found = std::prev(after)->second;
  return address - found.begin < found.size + kNear ? &found : nullptr;
}

const AccountLocal* Account::local_at(u64 address, u64 event) const {
  const AccountLocal* best = nullptr;
  for (const AccountLocal& local : locals)
    if (address - local.begin < local.size && local.event <= event && (!best || local.event >= best->event))
      best = &local;
  return best;
}

}  // namespace plait
