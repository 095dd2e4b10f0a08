// plait-frames PROGRAM: adds section plait_frames to a program that was just linked. Run by the compiler wrapper. A
// file that it cannot understand stays as it is: what has no table counts as alive.
#include <elf.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "frames/liveness.h"

namespace plait::frames {
namespace {

std::string table_of(const Code& code) {
  const Decoder decoder;
  Table table;
  const std::span<const u8> bytes(reinterpret_cast<const u8*>(code.bytes.data()), code.bytes.size());
  for (const Function& function : code.functions)
    add_calls(decoder, bytes.subspan(function.begin - code.address, function.end - function.begin), function, table);
  std::sort(table.sites.begin(), table.sites.end(), [](const Site& a, const Site& b) { return a.address < b.address; });
  const Header header{.magic = kMagic,
                      .sites = static_cast<u32>(table.sites.size()),
                      .ranges = static_cast<u32>(table.ranges.size()),
                      .reserved = 0,
                      .code = code.address,
                      .code_size = code.bytes.size(),
                      .code_hash = XXH3_64bits(code.bytes.data(), code.bytes.size())};
  std::string text(reinterpret_cast<const char*>(&header), sizeof header);
  text.append(reinterpret_cast<const char*>(table.sites.data()), table.sites.size() * sizeof(Site));
  text.append(reinterpret_cast<const char*>(table.ranges.data()), table.ranges.size() * sizeof(Range));
  return text;
}

void align(std::string& file) { file.resize((file.size() + 15) & ~size_t{15}); }

/// The file with one section more: all behind what was there, but the header.
bool append_section(std::string& file, const std::string& content) {
  Elf64_Ehdr header;
  std::memcpy(&header, file.data(), sizeof header);
  if (header.e_shnum == 0 || header.e_shnum >= SHN_LORESERVE - 1 || header.e_shstrndx >= header.e_shnum ||
      header.e_shentsize != sizeof(Elf64_Shdr))
    return false;
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  if (header.e_shoff + sections.size() * sizeof(Elf64_Shdr) > file.size()) return false;
  std::memcpy(sections.data(), file.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  Elf64_Shdr& names = sections[header.e_shstrndx];
  if (names.sh_offset + names.sh_size > file.size()) return false;
  std::string text = file.substr(names.sh_offset, names.sh_size);

  Elf64_Shdr added{};
  added.sh_name = static_cast<Elf64_Word>(text.size());
  added.sh_type = SHT_PROGBITS;
  added.sh_addralign = 16;
  text.append(kSection).push_back('\0');
  align(file);
  added.sh_offset = file.size();
  added.sh_size = content.size();
  file += content;
  names.sh_offset = file.size();
  names.sh_size = text.size();
  file += text;
  align(file);
  header.e_shoff = file.size();
  sections.push_back(added);
  ++header.e_shnum;
  file.append(reinterpret_cast<const char*>(sections.data()), sections.size() * sizeof(Elf64_Shdr));
  std::memcpy(file.data(), &header, sizeof header);
  return true;
}

int add_table(const char* program) {
  struct stat status;
  if (stat(program, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  const auto code = read_code(program);
  if (!code) return 0;
  const std::string table = table_of(*code);
  std::ifstream in(program, std::ios::binary);
  std::string file{std::istreambuf_iterator<char>(in), {}};
  const size_t before = file.size();
  if (!in || !append_section(file, table)) return 0;
  // In its place: the linker has just made it, and its mode and links stay. The header, which makes it count, last.
  std::fstream out(program, std::ios::binary | std::ios::in | std::ios::out);
  out.seekp(static_cast<std::streamoff>(before));
  out.write(file.data() + before, static_cast<std::streamsize>(file.size() - before));
  out.flush();
  if (!out) {
    std::fprintf(stderr, "plait-frames: cannot write %s\n", program);
    return 1;
  }
  out.seekp(0);
  out.write(file.data(), sizeof(Elf64_Ehdr));
  return out.flush() ? 0 : 1;
}

}  // namespace
}  // namespace plait::frames

int main(int count, char** words) {
  if (count != 2) {
    std::fputs("usage: plait-frames PROGRAM\n", stderr);
    return 2;
  }
  return plait::frames::add_table(words[1]);
}
