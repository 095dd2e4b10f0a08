// What a run that was made for its story told besides its events (runtime/account.cc): call stacks, heap blocks,
// locals.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "trace/event.h"

namespace plait {

using CodeAddresses = std::vector<u64>;  // offsets in the program's file, innermost first

struct AccountBlock {
  u64 begin = 0, size = 0;
  ThreadId thread = kNoThread;  // who allocated it, and where
  u32 site = kNoSite;
  bool freed = false;
  ThreadId free_thread = kNoThread;
  u32 free_site = kNoSite;
  u32 call = kNoSite;  // that allocated it, be it in a library's code
  CodeAddresses stack, free_stack;
};

struct AccountLocal {
  u64 begin = 0, size = 0;
  ThreadId thread = kNoThread;
  u32 site = kNoSite;
  u64 event = 0;  // the first one after it began to live
};

/// A lock is taken or given back that nobody else uses: there is no event of it.
struct AccountHold {
  u64 event = 0;  // the first one after it
  ThreadId thread = kNoThread;
  Op op = Op::None;
  u64 lock = 0, mutex = 0, result = 0;
  u32 site = kNoSite;
};

struct Account {
  std::map<u64, AccountBlock> blocks;   // by their begin
  std::vector<AccountLocal> locals;     // several may have lived at one address
  std::map<u64, CodeAddresses> stacks;  // by event
  CodeAddresses failure;
  std::vector<AccountHold> holds;
  std::map<u64, u64> pointers;       // to blocks, where the run ended: what lies at an address
  std::map<u64, std::string> bytes;  // what blocks begin with then

  /// Lines that make no sense are left out: it is what a program with bugs wrote.
  static Account parse(std::string_view text);
  const AccountBlock* block_at(u64 address) const;
  /// The block that lies a little below: what an access behind its end was meant for.
  const AccountBlock* block_below(u64 address) const;
  /// Who lived there at the time of the event.
  const AccountLocal* local_at(u64 address, u64 event) const;
};

}  // namespace plait
