#include <algorithm>
#include <vector>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/recurrent/recurrent.h"
#include "plimsoll/kernels/recurrent/recurrent_cells.h"
#include "plimsoll/kernels/recurrent/recurrent_product.h"
#include "plimsoll/kernels/recurrent/recurrent_rows.h"

namespace plimsoll::kernels {
namespace {

// Rows that products with x want at least: steps of a small batch are multiplied together.
constexpr int64_t kInputRows = 48;

// The tensors of one run; null if the form does not have the tensor or nothing reads it.
struct Tensors {
  const float *x, *bias = nullptr, *hidden = nullptr, *cell = nullptr, *previous_output = nullptr;
  const float *input_dropout = nullptr, *recurrent_dropout = nullptr;
  const uint8_t* mask = nullptr;
  float *sequence, *last_hidden, *last_cell, *gates, *cells, *hiddens;

  Tensors(const RecurrentForm& form, const KernelArguments& arguments) : x(arguments.input(0)) {
    const RecurrentInputs slots(form);
    const auto find = [&](int slot, const float*& tensor) {
      if (slot >= 0) tensor = arguments.input(slot);
    };
    find(slots.bias, bias);
    find(slots.hidden, hidden);
    find(slots.cell, cell);
    find(slots.previous_output, previous_output);
    find(slots.input_dropout, input_dropout);
    find(slots.recurrent_dropout, recurrent_dropout);
    if (form.mask) mask = arguments.input<uint8_t>(slots.mask);
    const auto output = [&](int o) { return form.uses(o) ? arguments.output(o) : nullptr; };
    sequence = output(kSequence);
    last_hidden = output(kLastHidden);
    last_cell = output(kLastCell);
    gates = output(kGates);
    cells = output(kCells);
    hiddens = output(kHiddens);
  }
};

class Recurrent final : public Kernel {
 public:
  Recurrent(const KernelRequest& request, const RecurrentForm& form);

  int64_t scratch_bytes() const override {
    return static_cast<int64_t>(sizeof(float)) * (own_ + split_.parts * part_floats_);
  }

  void run(const KernelArguments& arguments) const override {
    const Tensors tensors(form_, arguments);
    float* const scratch = reinterpret_cast<float*>(arguments.scratch);
    prepare(tensors, arguments, scratch);
    parallel_for(split_.parts, 1, [&](int64_t first, int64_t last) {
      for (int64_t part = first; part < last; ++part)
        for (const RecurrentSplit::Block& block : blocks_[static_cast<size_t>(part)])
          run_block({tensors, arguments, scratch, scratch + own_ + part * part_floats_, block});
    });
  }

 private:
  struct Link : RecurrentLink {
    RecurrentProduct product;
    int64_t packed;  // offset in scratch
  };
  // What one block of rows works with.
  struct Work {
    const Tensors& tensors;
    const KernelArguments& arguments;
    float* shared;  // scratch of all parts: packed weights, bias
    float* own;     // scratch of this part
    RecurrentSplit::Block block;

    const float* weights(int input, const RecurrentLink& link) const {
      return arguments.input(input) + link.column;
    }
  };

  Link make_link(const RecurrentLink& link, const GemmProblem& problem,
                 std::span<const int64_t> rows);
  void prepare(const Tensors& tensors, const KernelArguments& arguments, float* scratch) const;
  void run_block(const Work& work) const;
  void multiply_inputs(const Work& work, const StepRows& rows, float* gates) const;
  void multiply_state(const Work& work, int64_t step, float* gates) const;
  void run_cell(const Work& work, int64_t step, float* gates) const;
  void write_step(const Work& work, int64_t step) const;
  void write_end(const Work& work) const;
  void write_output(const Work& work, int64_t sample, int64_t step, const float* hidden) const;

  int64_t columns() const { return form_.columns() * sizes_.units; }
  CellRows cell_rows(const Work& work, int64_t step, float* gates) const;
  float* gates_at(const Work& work, int64_t step, int64_t chunk_begin) const {
    if (work.tensors.gates == nullptr)
      return work.own + gates_ + (step - chunk_begin) * work.block.rows * columns();
    return work.tensors.gates + (step * sizes_.batch + work.block.first) * columns();
  }

  RecurrentForm form_;
  RecurrentSizes sizes_;
  RecurrentSplit split_;
  std::vector<std::vector<RecurrentSplit::Block>> blocks_;  // of each part
  int64_t chunk_ = 1;                                       // steps whose products with x are one
  std::vector<Link> input_, recurrent_;

  // Scratch, in floats: what all parts share, its end being the parts' own, one after another.
  int64_t bias_ = 0, own_ = 0;
  int64_t part_floats_ = 0;
  int64_t x_ = 0, dropped_ = 0, hidden_ = 0, reset_ = 0, cells_ = 0, gates_ = 0, gemm_ = 0;
};

Recurrent::Link Recurrent::make_link(const RecurrentLink& link, const GemmProblem& problem,
                                     std::span<const int64_t> rows) {
  return {link, RecurrentProduct(problem, rows, split_.shared ? thread_count() : 1), 0};
}

Recurrent::Recurrent(const KernelRequest& request, const RecurrentForm& form)
    : form_(form),
      sizes_(recurrent_sizes(request)),
      split_(split_recurrent(sizes_, columns(), thread_count())) {
  for (int64_t part = 0; part < split_.parts; ++part) blocks_.push_back(split_.blocks_of(part));
  const int64_t rows = split_.block_rows, units = sizes_.units;
  if (rows >= sizes_.batch) chunk_ = steps_together(rows, kInputRows, sizes_.steps);
  const int64_t kernel_columns = form_.gates() * units;
  const std::vector<int64_t> block_sizes = split_.block_sizes();
  std::vector<int64_t> input_rows;
  for (const int64_t block : block_sizes)
    for (const int64_t steps : {chunk_, sizes_.steps % chunk_}) input_rows.push_back(steps * block);
  for (const RecurrentLink& link : input_links(form_, units))
    input_.push_back(make_link(link,
                               {.m = chunk_ * rows,
                                .n = link.width,
                                .k = sizes_.features,
                                .ldb = kernel_columns,
                                .ldc = columns(),
                                .epilogue = form_.bias ? Epilogue::bias : Epilogue::none},
                               input_rows));
  for (const RecurrentLink& link : recurrent_links(form_, units))
    recurrent_.push_back(make_link(link,
                                   {.m = rows,
                                    .n = link.width,
                                    .k = units,
                                    .ldb = kernel_columns,
                                    .ldc = columns(),
                                    .accumulate = true},
                                   block_sizes));

  ScratchLayout all;
  int64_t gemm_bytes = 0;
  for (std::vector<Link>* links : {&input_, &recurrent_}) {
    for (Link& link : *links) {
      link.packed = all.add(link.product.packed_floats());
      gemm_bytes = std::max(gemm_bytes, link.product.scratch_bytes());
    }
  }
  bias_ = all.add(form_.is_gru() && form_.bias ? columns() : 0);
  own_ = all.floats();

  ScratchLayout part;
  const bool dropout = form_.input_dropouts > 0 || form_.recurrent_dropouts > 0;
  x_ = part.add(chunk_ * rows * sizes_.features);
  dropped_ = part.add(dropout ? rows * std::max(chunk_ * sizes_.features, units) : 0);
  hidden_ = part.add(rows * units);
  reset_ = part.add(form_.resets_before() ? rows * units : 0);
  cells_ = part.add(form_.is_lstm() && !form_.uses(kCells) ? rows * units : 0);
  gates_ = part.add(form_.uses(kGates) ? 0 : chunk_ * rows * columns());
  gemm_ = part.add(gemm_bytes / static_cast<int64_t>(sizeof(float)) + 1);
  part_floats_ = part.floats();
}

// Packs the weights. A GRU's two biases become one for each column of its gates.
void Recurrent::prepare(const Tensors& tensors, const KernelArguments& arguments,
                        float* scratch) const {
  for (const Link& link : input_)
    link.product.pack(arguments.input(1) + link.column, scratch + link.packed);
  for (const Link& link : recurrent_)
    link.product.pack(arguments.input(2) + link.column, scratch + link.packed);
  if (!form_.is_gru() || !form_.bias) return;
  const int64_t units = sizes_.units;
  float* const bias = scratch + bias_;
  std::copy_n(tensors.bias, 3 * units, bias);
  if (!form_.reset_after) return;
  for (int64_t j = 0; j < 2 * units; ++j) bias[j] += tensors.bias[3 * units + j];
  std::copy_n(tensors.bias + 5 * units, units, bias + 3 * units);
}

void Recurrent::run_block(const Work& work) const {
  const int64_t units = sizes_.units, count = work.block.rows * units;
  const int64_t first = work.block.first * units;
  const auto rows_of = [&](const float* state) { return state ? state + first : nullptr; };
  copy_or_zero(rows_of(work.tensors.hidden), count, work.own + hidden_);
  if (form_.is_lstm() && work.tensors.cells == nullptr)
    copy_or_zero(rows_of(work.tensors.cell), count, work.own + cells_);
  if (work.tensors.sequence && form_.mask && !form_.return_sequences)
    copy_or_zero(rows_of(work.tensors.previous_output), count, work.tensors.sequence + first);

  for (int64_t begin = 0; begin < sizes_.steps; begin += chunk_) {
    const StepRows rows = {work.block, begin, std::min(begin + chunk_, sizes_.steps)};
    multiply_inputs(work, rows, gates_at(work, begin, begin));
    for (int64_t step = rows.begin; step < rows.end; ++step) {
      float* const gates = gates_at(work, step, begin);
      multiply_state(work, step, gates);
      run_cell(work, step, gates);
      write_step(work, step);
    }
  }
  write_end(work);
}

// gates = x * kernel + bias, for all steps of a chunk.
void Recurrent::multiply_inputs(const Work& work, const StepRows& rows, float* gates) const {
  float* const x = work.own + x_;
  gather_steps(form_, sizes_, rows, work.tensors.x, x);
  const float* const bias = form_.is_gru() ? work.shared + bias_ : work.tensors.bias;
  for (const Link& link : input_) {
    const float* a = x;
    if (link.dropout >= 0) {
      const int64_t factors_row = form_.input_dropouts * sizes_.features;
      multiply_rows(rows, sizes_.features, x,
                    work.tensors.input_dropout + link.dropout * sizes_.features, factors_row,
                    work.own + dropped_);
      a = work.own + dropped_;
    }
    link.product.run(rows.count(), a, work.weights(1, link), work.shared + link.packed,
                     gates + link.gate_column, form_.bias ? bias + link.gate_column : nullptr,
                     reinterpret_cast<std::byte*>(work.own + gemm_));
  }
}

// gates += h * recurrent_kernel; nothing is added if the state is zero.
void Recurrent::multiply_state(const Work& work, int64_t step, float* gates) const {
  const int64_t units = sizes_.units;
  if (form_.is_gru() && form_.reset_after)
    for (int64_t row = 0; row < work.block.rows; ++row)
      copy_or_zero(form_.bias ? work.shared + bias_ + 3 * units : nullptr, units,
                   gates + row * columns() + 3 * units);
  if (step == 0 && !form_.initial_state) return;
  for (const Link& link : recurrent_) {
    if (link.reset) continue;  // run_cell's
    const float* a = work.own + hidden_;
    if (link.dropout >= 0) {
      multiply_rows({work.block, step, step + 1}, units, a,
                    work.tensors.recurrent_dropout + link.dropout * units,
                    form_.recurrent_dropouts * units, work.own + dropped_);
      a = work.own + dropped_;
    }
    link.product.run(work.block.rows, a, work.weights(2, link), work.shared + link.packed,
                     gates + link.gate_column, nullptr,
                     reinterpret_cast<std::byte*>(work.own + gemm_));
  }
}

CellRows Recurrent::cell_rows(const Work& work, int64_t step, float* gates) const {
  const int64_t first = work.block.first * sizes_.units, state = sizes_.batch * sizes_.units;
  CellRows rows = {.rows = work.block.rows,
                   .units = sizes_.units,
                   .activations = {form_.activation, form_.recurrent_activation},
                   .gates = gates,
                   .gates_row = columns(),
                   .hidden = work.own + hidden_};
  if (work.tensors.cells) {
    rows.cells = work.tensors.cells + step * state + first;
    if (step > 0) rows.cells_before = rows.cells - state;
    if (step == 0 && work.tensors.cell) rows.cells_before = work.tensors.cell + first;
  } else {
    rows.cells_before = rows.cells = work.own + cells_;
  }
  if (form_.mask) {
    rows.valid = work.tensors.mask + work.block.first * sizes_.steps + time_of(form_, sizes_, step);
    rows.valid_row = sizes_.steps;
  }
  return rows;
}

void Recurrent::run_cell(const Work& work, int64_t step, float* gates) const {
  const CellRows rows = cell_rows(work, step, gates);
  if (form_.is_lstm()) return lstm_cell(rows);
  if (!form_.is_gru()) return simple_rnn_cell(rows);
  if (form_.reset_after) return gru_cell(rows);
  const Link& link = recurrent_.back();
  const int64_t units = sizes_.units, factors_row = form_.recurrent_dropouts * units;
  const float* factors = nullptr;
  if (link.dropout >= 0)
    factors =
        work.tensors.recurrent_dropout + work.block.first * factors_row + link.dropout * units;
  gru_gates(rows, factors, factors_row, work.own + reset_);
  if (step > 0 || form_.initial_state)
    link.product.run(work.block.rows, work.own + reset_, work.weights(2, link),
                     work.shared + link.packed, gates + link.gate_column, nullptr,
                     reinterpret_cast<std::byte*>(work.own + gemm_));
  gru_cell_after_gates(rows);
}

// The output of a masked step is the one before it, or zero.
void Recurrent::write_output(const Work& work, int64_t sample, int64_t step,
                             const float* hidden) const {
  const int64_t units = sizes_.units, steps = sizes_.steps;
  const Tensors& tensors = work.tensors;
  const bool all = form_.return_sequences;
  float* const to = tensors.sequence + (all ? sample * steps + step : sample) * units;
  if (tensors.mask == nullptr || tensors.mask[sample * steps + time_of(form_, sizes_, step)])
    std::copy_n(hidden, units, to);
  else if (form_.zero_output_for_mask)
    std::fill_n(to, units, 0.0f);
  else if (all && step > 0)
    std::copy_n(to - units, units, to);
  else if (all)
    copy_or_zero(tensors.previous_output ? tensors.previous_output + sample * units : nullptr,
                 units, to);
}

void Recurrent::write_step(const Work& work, int64_t step) const {
  const int64_t units = sizes_.units;
  const bool outputs = work.tensors.sequence && (form_.return_sequences || form_.mask);
  for (int64_t row = 0; row < work.block.rows; ++row) {
    const int64_t sample = work.block.first + row;
    const float* const hidden = work.own + hidden_ + row * units;
    if (outputs) write_output(work, sample, step, hidden);
    if (work.tensors.hiddens)
      std::copy_n(hidden, units, work.tensors.hiddens + (sample * sizes_.steps + step) * units);
  }
}

void Recurrent::write_end(const Work& work) const {
  const int64_t units = sizes_.units, count = work.block.rows * units;
  const int64_t first = work.block.first * units;
  const Tensors& tensors = work.tensors;
  const float* const hidden = work.own + hidden_;
  if (tensors.last_hidden) std::copy_n(hidden, count, tensors.last_hidden + first);
  if (tensors.sequence && !form_.return_sequences && !form_.mask)
    std::copy_n(hidden, count, tensors.sequence + first);
  if (tensors.last_cell == nullptr) return;
  const float* cells = work.own + cells_;
  if (tensors.cells && sizes_.steps > 0)
    cells = tensors.cells + (sizes_.steps - 1) * sizes_.batch * units + first;
  else if (tensors.cells)
    cells = tensors.cell ? tensors.cell + first : nullptr;
  copy_or_zero(cells, count, tensors.last_cell + first);
}

}  // namespace

KernelPtr make_recurrent(const KernelRequest& request, const RecurrentForm& form) {
  return std::make_unique<Recurrent>(request, form);
}

}  // namespace plimsoll::kernels
