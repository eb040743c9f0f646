// Attributes: what an op is made with, by name. An op describes them once; that signs the op,
// prints it and writes it as JSON:
//
//   void describe(Attributes& to) const override {
//     const auto& [axis] = *this;
//     to.with("axis", axis);
//   }
//
// The binding lists all data members of the op: a member that is added later does not compile until
// describe() knows it.
#pragma once

#include <functional>
#include <string>
#include <type_traits>

#include "plimsoll/graph/attribute_types.h"
#include "plimsoll/graph/signature.h"

namespace plimsoll {

// One attribute of an op, for uses other than signing it.
struct Attribute {
  const char* name;
  std::string text;       // its value in JSON
  bool is_usual = false;  // printing leaves it out
  // For tests: gives the op's field another value and returns a function that undoes that. Valid
  // while tell() runs.
  std::function<std::function<void()>()> change;
};

class Attributes {
 public:
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  // `value` is a field of the op itself, not a copy.
  template <class T>
  Attributes& with(const char* name, const T& value) {
    if (signs_) [[likely]] {
      AttributeType<T>::sign(signature_, value);
    } else {
      tell_value(name, value, false);
    }
    return *this;
  }

  // The same; the printed op leaves the attribute out if it is `usual`. It is signed in any case.
  template <class T>
  Attributes& with(const char* name, const T& value, const std::type_identity_t<T>& usual) {
    if (signs_) [[likely]] {
      AttributeType<T>::sign(signature_, value);
    } else {
      tell_value(name, value, value == usual);
    }
    return *this;
  }

  // `op` has no attributes, and does not compile if it has data members.
  template <class OpWithoutData>
  void none(const OpWithoutData&) {
    static_assert(sizeof(OpWithoutData) == sizeof(void*), "describe the data members of the op");
  }

 protected:
  Attributes() = default;
  ~Attributes() = default;

  virtual void tell(const Attribute& attribute) = 0;

 private:
  template <class T>
  [[gnu::noinline]] void tell_value(const char* name, const T& value, bool is_usual) {
    tell({name, AttributeType<T>::text(value), is_usual, [&value] {
            auto& field = const_cast<T&>(value);  // ops are made as objects that are not const
            const T old = field;
            AttributeType<T>::change(field);
            return [&field, old] { field = old; };
          }});
  }

  friend class AttributeSigner;

  // With signs_ every attribute goes to signature_, without a virtual call. It is a member because
  // following a pointer to it took 1.5 times as long.
  Signature signature_;
  bool signs_ = false;
};

// Signs what describes itself to it.
class AttributeSigner final : public Attributes {
 public:
  AttributeSigner() { signs_ = true; }

  Signature& signature() { return signature_; }

 private:
  void tell(const Attribute&) override {}
};

}  // namespace plimsoll
