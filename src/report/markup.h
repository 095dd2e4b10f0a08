// Text inside HTML and XML.
#pragma once
#include <string>
#include <string_view>

namespace plait {

/// For elements and for attributes in double quotes.
inline std::string escaped_markup(std::string_view text) {
  std::string result;
  for (char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

}  // namespace plait
