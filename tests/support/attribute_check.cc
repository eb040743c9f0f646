#include "tests/support/attribute_check.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace plimsoll::testing {
namespace {

std::string signature_of(const Op& op) {
  AttributeSigner signer;
  sign_op(op, signer);
  return signer.signature().take();
}

class ChangesEach final : public Attributes {
 public:
  explicit ChangesEach(const Op& op) : op_(op), signature_(signature_of(op)) {}

  const std::set<std::string>& names() const { return names_; }

 private:
  void tell(const Attribute& attribute) override {
    const std::string name = attribute.name;
    EXPECT_TRUE(names_.insert(name).second) << "two attributes are named '" << name << "'";
    const auto undo = attribute.change();
    EXPECT_NE(signature_of(op_), signature_)
        << "the signature does not change with '" << name << "'";
    undo();
    EXPECT_EQ(signature_of(op_), signature_) << "'" << name << "' did not come back";
  }

  const Op& op_;
  std::string signature_;
  std::set<std::string> names_;
};

}  // namespace

void check_attributes(const Op& op) {
  ChangesEach changes(op);
  op.describe(changes);
  const auto json = nlohmann::json::parse(to_json(op), nullptr, false);
  ASSERT_TRUE(json.is_object()) << to_json(op);
  EXPECT_EQ(json.value("op", ""), op.name());
  EXPECT_EQ(json.size(), 1 + changes.names().size()) << to_json(op);
}

}  // namespace plimsoll::testing
