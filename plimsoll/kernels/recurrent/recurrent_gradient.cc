#include "plimsoll/kernels/recurrent/recurrent_gradient.h"

#include <algorithm>

#include "plimsoll/base/threads.h"

namespace plimsoll::kernels {

RecurrentGradientKernel::Tensors::Tensors(const RecurrentForm& form, const RecurrentFlow& flow,
                                          const KernelArguments& arguments)
    : x(arguments.input(0)), kernel(arguments.input(1)), recurrent_kernel(arguments.input(2)) {
  const RecurrentGradientInputs slots(form, flow);
  const auto input = [&](int slot) { return slot < 0 ? nullptr : arguments.input(slot); };
  hidden = input(slots.hidden);
  cell = input(slots.cell);
  input_dropout = input(slots.input_dropout);
  recurrent_dropout = input(slots.recurrent_dropout);
  gates = input(slots.gates);
  cells = input(slots.cells);
  hiddens = input(slots.hiddens);
  sequence_gradient = input(slots.sequence_gradient);
  last_hidden_gradient = input(slots.last_hidden_gradient);
  last_cell_gradient = input(slots.last_cell_gradient);
  if (form.mask) mask = arguments.input<uint8_t>(slots.mask);
  for (int o = 0; o < kRecurrentGradients; ++o)
    if (form.uses(o)) gradients[o] = arguments.output(o);
}

void RecurrentGradientKernel::run(const KernelArguments& arguments) const {
  const Tensors tensors(form_, flow_, arguments);
  float* const scratch = reinterpret_cast<float*>(arguments.scratch);
  pack(tensors, scratch);
  parallel_for(split_.parts, 1, [&](int64_t first, int64_t last) {
    for (int64_t part = first; part < last; ++part) run_part(tensors, scratch, part);
  });
  add_parts(tensors, scratch);
}

void RecurrentGradientKernel::pack(const Tensors& tensors, float* scratch) const {
  if (wants(kInputGradient))
    for (const Link& link : input_)
      link.product.pack(tensors.kernel + link.column, scratch + link.packed);
  for (const Link& link : recurrent_)
    link.product.pack(tensors.recurrent_kernel + link.column, scratch + link.packed);
}

void RecurrentGradientKernel::run_part(const Tensors& tensors, float* scratch, int64_t part) const {
  float* const own = scratch + own_ + part * part_floats_;
  const auto zeros = [&](int output, int64_t count, float* apart) -> float* {
    float* const sum = part == 0 ? tensors.gradients[output] : apart;
    if (tensors.gradients[output] == nullptr) return nullptr;
    std::fill_n(sum, count, 0.0f);
    return sum;
  };
  float* const sums = scratch + sums_ + (part - 1) * part_sums_;
  Work work = {tensors, scratch, own, nullptr, nullptr, nullptr, {}};
  work.kernel = zeros(kKernelGradient, sizes_.features * kernel_columns(), sums + kernel_);
  work.recurrent_kernel =
      zeros(kRecurrentKernelGradient, sizes_.units * kernel_columns(), sums + recurrent_kernel_);
  if (wants(kBiasGradient)) {
    work.bias = own + bias_;
    std::fill_n(work.bias, columns(), 0.0f);
  }
  for (const RecurrentSplit::Block& block : blocks_[static_cast<size_t>(part)]) {
    work.block = block;
    run_block(work);
  }
}

void RecurrentGradientKernel::run_block(const Work& work) const {
  start_block(work);
  for (int64_t end = sizes_.steps; end > 0;) {
    const StepRows rows = {work.block, std::max<int64_t>(0, end - chunk_), end};
    for (int64_t step = rows.end - 1; step >= rows.begin; --step) run_step(work, rows, step);
    if (wants(kInputGradient)) write_input_gradient(work, rows);
    add_kernel_gradients(work, rows);
    end = rows.begin;
  }
  end_block(work);
}

void RecurrentGradientKernel::start_block(const Work& work) const {
  const int64_t first = work.block.first * sizes_.units, count = work.block.rows * sizes_.units;
  const auto rows_of = [&](const float* state) { return state ? state + first : nullptr; };
  const Tensors& tensors = work.tensors;
  copy_or_zero(rows_of(tensors.last_hidden_gradient), count, work.own + hidden_gradient_);
  if (form_.is_lstm())
    copy_or_zero(rows_of(tensors.last_cell_gradient), count, work.own + cell_gradient_);
  const float* const last = form_.return_sequences ? nullptr : rows_of(tensors.sequence_gradient);
  if (form_.mask)
    copy_or_zero(last, count, work.own + output_gradient_);
  else if (last)
    add_to(last, count, work.own + hidden_gradient_);
}

void RecurrentGradientKernel::end_block(const Work& work) const {
  const int64_t first = work.block.first * sizes_.units, count = work.block.rows * sizes_.units;
  const auto write = [&](int output, const float* from) {
    float* const to = work.tensors.gradients[output];
    if (to) copy_or_zero(from, count, to + first);
  };
  write(kInitialHiddenGradient, work.own + hidden_gradient_);
  write(kInitialCellGradient, work.own + cell_gradient_);
  write(kPreviousOutputGradient, form_.mask ? work.own + output_gradient_ : nullptr);
}

void RecurrentGradientKernel::run_step(const Work& work, const StepRows& rows, int64_t step) const {
  const int64_t row = (step - rows.begin) * work.block.rows, units = sizes_.units;
  float* const gate_gradients = work.own + gate_gradients_ + row * gate_row_;
  float* const hidden_before = work.own + hidden_before_ + row * units;
  add_output_gradient(work, step);
  find_hidden_before(work, step, hidden_before);
  run_cell(work, step, cell_rows(work, step, hidden_before, gate_gradients),
           work.own + reset_ + row * units);
  if (wants_state(step)) multiply_state(work, step, gate_gradients);
}

// The output of a masked step is that of the step before (or zero), so its gradient goes to that
// step (or nowhere).
void RecurrentGradientKernel::add_output_gradient(const Work& work, int64_t step) const {
  const Tensors& tensors = work.tensors;
  const int64_t units = sizes_.units;
  for (int64_t row = 0; row < work.block.rows; ++row) {
    const int64_t sample = work.block.first + row;
    float* const hidden = work.own + hidden_gradient_ + row * units;
    float* const output = form_.mask ? work.own + output_gradient_ + row * units : hidden;
    if (form_.return_sequences && tensors.sequence_gradient)
      add_to(tensors.sequence_gradient + (sample * sizes_.steps + step) * units, units, output);
    if (!form_.mask) continue;
    const bool valid = tensors.mask[sample * sizes_.steps + time_of(form_, sizes_, step)] != 0;
    if (valid) add_to(output, units, hidden);
    if (valid || form_.zero_output_for_mask) std::fill_n(output, units, 0.0f);
  }
}

// The state that went into the step.
void RecurrentGradientKernel::find_hidden_before(const Work& work, int64_t step,
                                                 float* hidden) const {
  const Tensors& tensors = work.tensors;
  const int64_t units = sizes_.units, rows = work.block.rows, first = work.block.first;
  if (step == 0) {
    copy_or_zero(tensors.hidden ? tensors.hidden + first * units : nullptr, rows * units, hidden);
  } else if (form_.wants_hiddens()) {
    for (int64_t row = 0; row < rows; ++row)
      std::copy_n(tensors.hiddens + ((first + row) * sizes_.steps + step - 1) * units, units,
                  hidden + row * units);
  } else if (form_.is_lstm()) {
    const float* const cells = tensors.cells + ((step - 1) * sizes_.batch + first) * units;
    lstm_hidden(rows, units, form_.activation, gates_at(work, step - 1), columns(), cells, hidden);
  } else {
    std::copy_n(gates_at(work, step - 1), rows * units, hidden);
  }
}

CellGradientRows RecurrentGradientKernel::cell_rows(const Work& work, int64_t step,
                                                    const float* hidden_before,
                                                    float* gate_gradients) const {
  const int64_t first = work.block.first * sizes_.units, state = sizes_.batch * sizes_.units;
  const Tensors& tensors = work.tensors;
  CellGradientRows rows = {.rows = work.block.rows,
                           .units = sizes_.units,
                           .activations = {form_.activation, form_.recurrent_activation},
                           .gates = gates_at(work, step),
                           .gates_row = columns(),
                           .hidden_before = hidden_before,
                           .hidden_gradient = work.own + hidden_gradient_,
                           .cell_gradient = work.own + cell_gradient_,
                           .gate_gradients = gate_gradients,
                           .gate_gradients_row = gate_row_};
  if (form_.is_lstm()) {
    rows.cells = tensors.cells + step * state + first;
    if (step > 0) rows.cells_before = rows.cells - state;
    if (step == 0 && tensors.cell) rows.cells_before = tensors.cell + first;
  }
  if (form_.mask) {
    rows.valid = tensors.mask + work.block.first * sizes_.steps + time_of(form_, sizes_, step);
    rows.valid_row = sizes_.steps;
  }
  return rows;
}

// `reset` gets r * h, of a GRU that resets before its product.
void RecurrentGradientKernel::run_cell(const Work& work, int64_t step, const CellGradientRows& rows,
                                       float* reset) const {
  if (form_.is_lstm()) return lstm_cell_gradient(rows);
  if (!form_.is_gru()) return simple_rnn_cell_gradient(rows);
  if (form_.reset_after) return gru_cell_gradient(rows);
  gru_cell_after_gates_gradient(rows);
  multiply_reset(work, rows, step, reset);
}

void RecurrentGradientKernel::multiply_reset(const Work& work, const CellGradientRows& rows,
                                             int64_t step, float* reset) const {
  const int64_t units = sizes_.units;
  const Link& link = recurrent_.back();
  for (int64_t row = 0; row < rows.rows; ++row) {
    const float* const r = rows.gates + row * rows.gates_row + units;
    const float* const hidden = rows.hidden_before + row * units;
    for (int64_t u = 0; u < units; ++u) reset[row * units + u] = r[u] * hidden[u];
  }
  float* const product = work.own + product_;
  if (step == 0 && !form_.initial_state)
    std::fill_n(product, rows.rows * units, 0.0f);  // a state of zeros: nothing reads it
  else
    multiply(work, link, work.tensors.recurrent_kernel, rows.rows, rows.gate_gradients, product);
  const float* factors = nullptr;
  if (link.dropout >= 0)
    factors = work.tensors.recurrent_dropout + work.block.first * state_factors_row() +
              link.dropout * units;
  gru_gates_gradient(rows, factors, state_factors_row(), product);
}

// The gradient of the state before, through the products.
void RecurrentGradientKernel::multiply_state(const Work& work, int64_t step,
                                             const float* gate_gradients) const {
  const int64_t units = sizes_.units, rows = work.block.rows;
  float* const hidden_gradient = work.own + hidden_gradient_;
  for (const Link& link : recurrent_) {
    if (link.reset) continue;  // run_cell's
    const bool dropped = link.dropout >= 0;
    float* const product = dropped ? work.own + product_ : hidden_gradient;
    multiply(work, link, work.tensors.recurrent_kernel, rows, gate_gradients, product);
    if (!dropped) continue;
    multiply_rows({work.block, step, step + 1}, units, product,
                  work.tensors.recurrent_dropout + link.dropout * units, state_factors_row(),
                  product);
    add_to(product, rows * units, hidden_gradient);
  }
}

void RecurrentGradientKernel::multiply(const Work& work, const Link& link, const float* kernel,
                                       int64_t rows, const float* gate_gradients, float* to) const {
  link.product.run(rows, gate_gradients + link.gate_column, kernel + link.column,
                   work.packed + link.packed, to, nullptr, gemm_scratch(work));
}

KernelPtr make_recurrent_gradient(const KernelRequest& request, const RecurrentForm& form,
                                  const RecurrentFlow& flow) {
  return std::make_unique<RecurrentGradientKernel>(request, form, flow);
}

}  // namespace plimsoll::kernels
