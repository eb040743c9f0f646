#include <fmt/format.h>

#include "plimsoll/graph/op.h"

namespace plimsoll {
namespace {

// Writes `name separator value`, with commas between.
class AttributeWriter final : public Attributes {
 public:
  AttributeWriter(const char* format, bool usual_too) : format_(format), usual_too_(usual_too) {}

  const std::string& text() const { return text_; }

 private:
  void tell(const Attribute& attribute) override {
    if (attribute.is_usual && !usual_too_) return;
    if (!text_.empty()) text_ += ", ";
    text_ += fmt::format(fmt::runtime(format_), attribute.name, attribute.text);
  }

  const char* format_;
  bool usual_too_;
  std::string text_;
};

}  // namespace

void sign_op(const Op& op, AttributeSigner& to) {
  to.signature().add(op.name());
  op.describe(to);
}

bool same_op(const Op& a, const Op& b) {
  AttributeSigner of_a, of_b;
  sign_op(a, of_a);
  sign_op(b, of_b);
  return of_a.signature().bytes() == of_b.signature().bytes();
}

std::string to_string(const Op& op) {
  AttributeWriter writer("{}={}", false);
  op.describe(writer);
  return writer.text().empty() ? std::string(op.name())
                               : fmt::format("{}({})", op.name(), writer.text());
}

std::string to_json(const Op& op) {
  AttributeWriter writer("\"{}\": {}", true);
  op.describe(writer);
  return fmt::format("{{\"op\": \"{}\"{}{}}}", op.name(), writer.text().empty() ? "" : ", ",
                     writer.text());
}

}  // namespace plimsoll
