#include "depend/section.h"

#include <elf.h>

#include <cstring>
#include <fstream>

#include "trace/depends.h"

namespace plait::depend {
namespace {

using namespace depends;

template <class T>
const T* at(const std::string& file, u64 offset, u64 count = 1) {
  if (offset > file.size() || count > (file.size() - offset) / sizeof(T)) return nullptr;
  return reinterpret_cast<const T*>(file.data() + offset);
}

struct Section {
  u64 address = 0, offset = 0, size = 0;
};

Section find(const std::string& file, const char* wanted) {
  const auto* header = at<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return {};
  const auto* sections = at<Elf64_Shdr>(file, header->e_shoff, header->e_shnum);
  if (!sections || header->e_shstrndx >= header->e_shnum) return {};
  const u64 names = sections[header->e_shstrndx].sh_offset;
  for (u32 i = 0; i < header->e_shnum; ++i) {
    const char* name = at<char>(file, names + sections[i].sh_name, std::strlen(wanted) + 1);
    if (name && std::strcmp(name, wanted) == 0 && at<char>(file, sections[i].sh_offset, sections[i].sh_size))
      return {sections[i].sh_addr, sections[i].sh_offset, sections[i].sh_size};
  }
  return {};
}

/// Byte by byte it would take longer than many explorations.
std::string whole(const std::string& program) {
  std::ifstream stream(program, std::ios::binary | std::ios::ate);
  if (!stream) return {};
  std::string file(static_cast<size_t>(stream.tellg()), '\0');
  stream.seekg(0);
  stream.read(file.data(), static_cast<std::streamsize>(file.size()));
  return stream ? file : std::string();
}

}  // namespace

std::vector<Block> read_blocks(const std::string& program) {
  const std::string file = whole(program);
  const Section section = find(file, kSection), sites = find(file, kSiteSection);
  std::vector<Block> blocks;
  for (u64 offset = 0; offset + sizeof(BlockHeader) <= section.size;) {
    BlockHeader header;
    std::memcpy(&header, file.data() + section.offset + offset, sizeof header);
    if (header.magic != kMagic || header.bytes > section.size - offset - sizeof header) return {};
    const u64 field = section.address + offset + offsetof(BlockHeader, sites);
    const u64 first = field + static_cast<u64>(header.sites) - sites.address;
    if (first >= sites.size || first % kSiteBytes != 0) return {};
    blocks.push_back(
        {static_cast<u32>(first / kSiteBytes), file.substr(section.offset + offset + sizeof header, header.bytes)});
    offset += sizeof header + header.bytes;
  }
  return blocks;
}

}  // namespace plait::depend
