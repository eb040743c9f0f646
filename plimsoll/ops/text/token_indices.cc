#include <fmt/format.h>

#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/ops/text/text.h"
#include "plimsoll/ops/text/text_op.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

class TokenIndicesKernel final : public Kernel {
 public:
  TokenIndicesKernel(const KernelRequest& request, Tokenizer tokenizer, TablePtr<std::string> table,
                     int64_t filler)
      : texts_(request.inputs[0].shape[request.inputs[0].shape.rank() - 2]),
        slot_bytes_(slot_bytes(request.inputs[0])),
        length_(request.outputs[0].shape.back()),
        rows_(request.outputs[0].shape.elements(0, request.outputs[0].shape.rank() - 1)),
        threads_(thread_count()),
        tokenizer_(std::move(tokenizer)),
        table_(std::move(table)),
        filler_(filler) {}

  // Each thread has its own part.
  int64_t scratch_bytes() const override { return threads_ * part_bytes(); }

  void run(const KernelArguments& arguments) const override {
    const int64_t rows_each = (rows_ + threads_ - 1) / threads_;
    parallel_for(threads_, 1, [&](int64_t first, int64_t last) {
      for (int64_t part = first; part < last; ++part) {
        TokenReader reader(tokenizer_, texts_, slot_bytes_,
                           arguments.scratch + part * part_bytes());
        const int64_t end = std::min((part + 1) * rows_each, rows_);
        for (int64_t row = part * rows_each; row < end; ++row)
          read_row(reader, arguments.inputs[0] + row * texts_ * slot_bytes_,
                   arguments.output<int64_t>(0) + row * length_);
      }
    });
  }

 private:
  int64_t part_bytes() const {
    constexpr int64_t kAligned = Storage::kAlignment;
    const int64_t bytes = TokenReader::scratch_bytes(tokenizer_, texts_, slot_bytes_);
    return (bytes + kAligned - 1) / kAligned * kAligned;
  }

  void read_row(TokenReader& reader, const std::byte* texts, int64_t* indices) const {
    int64_t count = 0;
    reader.read(texts, [&](std::string_view token) {
      if (count == length_) return false;
      indices[count++] = table_->index_of(token).value_or(0);
      return true;
    });
    std::fill(indices + count, indices + length_, filler_);
  }

  int64_t texts_, slot_bytes_, length_, rows_, threads_;
  Tokenizer tokenizer_;
  TablePtr<std::string> table_;
  int64_t filler_;
};

class TokenIndices final : public TextOp {
 public:
  TokenIndices(Tokenizer tokenizer, TablePtr<std::string> table, std::optional<int64_t> length,
               int64_t filler)
      : tokenizer_(std::move(tokenizer)),
        table_(std::move(table)),
        length_(length),
        filler_(filler) {}

  std::string_view name() const override { return "token_indices"; }
  void describe(Attributes& to) const override {
    const auto& [tokenizer, table, length, filler] = *this;
    to.with("tokenizer", tokenizer)
        .with("words", table)
        .with("length", length, {})
        .with("filler", filler, 0);
  }
  Specs infer(std::span<const Spec> in) const override {
    const int rank = in[0].shape.rank();
    if (in[0].dtype != DType::string || rank < 2)
      throw InvalidArgument("expected rows of strings, found " + in[0].to_string());
    Shape shape = in[0].shape.without(rank - 1);
    const int64_t texts = shape.back();
    shape[rank - 2] = length_.value_or(tokenizer_.most_tokens(texts, slot_bytes(in[0])));
    return {{DType::int64, shape}};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return std::make_unique<TokenIndicesKernel>(request, tokenizer_, table_, filler_);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array out(infer(std::span(&in[0].spec, 1))[0]);
    const Shape& texts = in[0].spec.shape;
    const int64_t per_row = texts[texts.rank() - 2], length = out.spec.shape.back();
    const int64_t slot = slot_bytes(in[0].spec);
    std::vector<std::byte> scratch(
        static_cast<size_t>(TokenReader::scratch_bytes(tokenizer_, per_row, slot)));
    std::vector<std::byte> row(static_cast<size_t>(per_row * slot));
    for (int64_t i = 0; i < texts.elements(0, texts.rank() - 2); ++i) {
      for (int64_t k = 0; k < per_row; ++k)
        write_text(text_of(in[0], i * per_row + k), row.data() + k * slot, slot);
      std::vector<double> found;
      TokenReader(tokenizer_, per_row, slot, scratch.data())
          .read(row.data(), [&](std::string_view token) {
            found.push_back(static_cast<double>(table_->index_of(token).value()));
            return true;
          });
      found.resize(static_cast<size_t>(length), static_cast<double>(filler_));
      for (int64_t k = 0; k < length; ++k) out[i * length + k] = found[static_cast<size_t>(k)];
    }
    return {out};
  }

 private:
  Tokenizer tokenizer_;
  TablePtr<std::string> table_;
  std::optional<int64_t> length_;
  int64_t filler_;
};

}  // namespace

Tensor token_indices(const Operand& rows, const Tokenizer& tokenizer, TablePtr<std::string> table,
                     std::optional<int64_t> length, int64_t filler) {
  return apply(std::make_shared<TokenIndices>(tokenizer, std::move(table), length, filler),
               {rows.tensor}, rows.where);
}

}  // namespace plimsoll
