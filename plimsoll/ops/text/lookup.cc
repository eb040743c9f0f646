#include <fmt/format.h>

#include <atomic>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/ops/text/text.h"
#include "plimsoll/ops/text/text_op.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

constexpr int64_t kGrain = 1024;  // words that are worth a thread

void refuse_unless_words(const Spec& spec, bool is_text) {
  const bool fits = is_text ? spec.dtype == DType::string
                            : spec.dtype == DType::int64 || spec.dtype == DType::int32;
  if (!fits)
    throw InvalidArgument(fmt::format("words must be {}, found {}",
                                      is_text ? "strings" : "int32 or int64", spec.to_string()));
}

// Word i of a tensor, whatever its type.
template <class Word>
class Words {
 public:
  Words(const Spec& spec, const std::byte* from)
      : from_(from), dtype_(spec.dtype), slot_bytes_(holds_text(spec) ? slot_bytes(spec) : 0) {}

  typename IndexTable<Word>::View operator[](int64_t i) const {
    if constexpr (std::is_same_v<Word, std::string>) {
      return text_in(from_ + i * slot_bytes_, slot_bytes_);
    } else {
      return dtype_ == DType::int64 ? reinterpret_cast<const int64_t*>(from_)[i]
                                    : reinterpret_cast<const int32_t*>(from_)[i];
    }
  }

 private:
  const std::byte* from_;
  DType dtype_;
  int64_t slot_bytes_;
};

template <class Word>
class LookupIndicesKernel final : public Kernel {
 public:
  LookupIndicesKernel(const KernelRequest& request, TablePtr<Word> table)
      : words_(request.inputs[0]),
        count_(request.outputs[0].shape.elements()),
        table_(std::move(table)) {}

  void run(const KernelArguments& arguments) const override {
    const Words<Word> words(words_, arguments.inputs[0]);
    auto* to = arguments.output<int64_t>(0);
    std::atomic<int64_t> bad = count_;
    parallel_for(count_, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const std::optional<int64_t> index = table_->index_of(words[i]);
        to[i] = index.value_or(0);
        if (!index) bad = std::min(bad.load(), i);
      }
    });
    if (bad < count_)
      throw InvalidArgument(
          fmt::format("lookup_indices: '{}' is not among the {} words of the vocabulary, which has "
                      "no index for unknown words (num_oov_indices is 0)",
                      words[bad], table_->size()));
  }

 private:
  Spec words_;
  int64_t count_;
  TablePtr<Word> table_;
};

template <class Word>
class LookupIndices final : public TextOp {
 public:
  explicit LookupIndices(TablePtr<Word> table) : table_(std::move(table)) {}

  std::string_view name() const override {
    return std::is_same_v<Word, std::string> ? "lookup_text_indices" : "lookup_number_indices";
  }
  void describe(Attributes& to) const override {
    const auto& [table] = *this;
    to.with("words", table);
  }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_words(in[0], std::is_same_v<Word, std::string>);
    return {{DType::int64, shape_of_elements(in[0])}};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return std::make_unique<LookupIndicesKernel<Word>>(request, table_);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array out(infer(std::span(&in[0].spec, 1))[0]);
    for (int64_t i = 0; i < out.spec.shape.elements(); ++i) {
      if constexpr (std::is_same_v<Word, std::string>) {
        out[i] = static_cast<double>(table_->index_of(text_of(in[0], i)).value());
      } else {
        out[i] = static_cast<double>(table_->index_of(static_cast<int64_t>(in[0][i])).value());
      }
    }
    return {out};
  }

 private:
  TablePtr<Word> table_;
};

template <class Word>
class LookupWordsKernel final : public Kernel {
 public:
  LookupWordsKernel(const KernelRequest& request, TablePtr<Word> table)
      : indices_(request.inputs[0]), words_(request.outputs[0]), table_(std::move(table)) {}

  void run(const KernelArguments& arguments) const override {
    const Words<int64_t> indices(indices_, arguments.inputs[0]);
    parallel_for(indices_.shape.elements(), kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const auto word = table_->word_at(indices[i]);
        if constexpr (std::is_same_v<Word, std::string>) {
          const int64_t slot = slot_bytes(words_);
          write_text(word, arguments.outputs[0] + i * slot, slot);
        } else {
          arguments.output<int64_t>(0)[i] = word;
        }
      }
    });
  }

 private:
  Spec indices_, words_;
  TablePtr<Word> table_;
};

template <class Word>
class LookupWords final : public TextOp {
 public:
  explicit LookupWords(TablePtr<Word> table) : table_(std::move(table)) {}

  std::string_view name() const override {
    return std::is_same_v<Word, std::string> ? "lookup_text_words" : "lookup_number_words";
  }
  void describe(Attributes& to) const override {
    const auto& [table] = *this;
    to.with("words", table);
  }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_words(in[0], false);
    Spec out{DType::int64, in[0].shape};
    if constexpr (std::is_same_v<Word, std::string>) {
      out.dtype = DType::string;
      out.shape.push_back(slot_for(table_->longest_word_bytes()));
    }
    return {out};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return std::make_unique<LookupWordsKernel<Word>>(request, table_);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array out(infer(std::span(&in[0].spec, 1))[0]);
    for (int64_t i = 0; i < in[0].spec.shape.elements(); ++i) {
      const auto word = table_->word_at(static_cast<int64_t>(in[0][i]));
      if constexpr (std::is_same_v<Word, std::string>) {
        std::vector<float> slot(static_cast<size_t>(out.spec.shape.back()));
        write_text(word, std::as_writable_bytes(std::span(slot)).data(), slot_bytes(out.spec));
        for (size_t k = 0; k < slot.size(); ++k)
          out[i * std::ssize(slot) + static_cast<int64_t>(k)] = slot[k];
      } else {
        out[i] = static_cast<double>(word);
      }
    }
    return {out};
  }

 private:
  TablePtr<Word> table_;
};

}  // namespace

Tensor lookup_indices(const Operand& words, TablePtr<std::string> table) {
  return apply(std::make_shared<LookupIndices<std::string>>(std::move(table)), {words.tensor},
               words.where);
}

Tensor lookup_indices(const Operand& words, TablePtr<int64_t> table) {
  return apply(std::make_shared<LookupIndices<int64_t>>(std::move(table)), {words.tensor},
               words.where);
}

Tensor lookup_words(const Operand& indices, TablePtr<std::string> table) {
  return apply(std::make_shared<LookupWords<std::string>>(std::move(table)), {indices.tensor},
               indices.where);
}

Tensor lookup_words(const Operand& indices, TablePtr<int64_t> table) {
  return apply(std::make_shared<LookupWords<int64_t>>(std::move(table)), {indices.tensor},
               indices.where);
}

}  // namespace plimsoll
