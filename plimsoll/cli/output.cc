#include "plimsoll/cli/output.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "plimsoll/base/moving_line.h"
#include "plimsoll/base/printable.h"

namespace plimsoll::cli {

void print_text(std::string_view text) {
  const std::string lines = printable_lines(text);
  std::fwrite(lines.data(), 1, lines.size(), stdout);
}

void print_json(const nlohmann::ordered_json& json) {
  using Handler = nlohmann::ordered_json::error_handler_t;
  const std::string text = printable_json(json.dump(2, ' ', false, Handler::replace)) + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_message(std::string_view sentence) {
  const AboveMovingLine above;
  std::fprintf(stderr, "plimsoll: %s\n", printable(sentence).c_str());
}

}  // namespace plimsoll::cli
