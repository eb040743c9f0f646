#include "plimsoll/nn/preprocessing/documents.h"

#include <nlohmann/json.hpp>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/text/text.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

template <class Word>
std::vector<std::vector<Word>> rows_of(const std::vector<Word>& words, const Shape& shape) {
  const int64_t length = shape.rank() > 1 ? shape.back() : 1;
  std::vector<std::vector<Word>> rows;
  for (int64_t i = 0; length > 0 && i + length <= std::ssize(words); i += length)
    rows.emplace_back(words.begin() + i, words.begin() + i + length);
  return rows;
}

template <class T>
void tell_list(Fields& fields, const char* key, std::vector<T>& value) {
  if (!fields.reading()) return fields.write(key, value.empty() ? Json() : Json(value));
  if (fields.has(key))
    fields.with(key, value);
  else
    fields.ignored(key);
}

}  // namespace

std::vector<std::vector<std::string>> text_documents(const Tensor& data) {
  return rows_of(to_texts(data), shape_of_elements(data.spec()));
}

std::vector<std::vector<int64_t>> number_documents(const Tensor& data) {
  const Tensor whole = data.dtype() == DType::int64 ? data : cast(data, DType::int64);
  return rows_of(whole.to_vector<int64_t>(), data.shape());
}

void list_or_null(Fields& fields, const char* key, std::vector<std::string>& value) {
  tell_list(fields, key, value);
}

void list_or_null(Fields& fields, const char* key, std::vector<int64_t>& value) {
  tell_list(fields, key, value);
}

void list_or_null(Fields& fields, const char* key, std::vector<double>& value) {
  tell_list(fields, key, value);
}

}  // namespace plimsoll
