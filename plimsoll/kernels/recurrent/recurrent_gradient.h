// The kernel of a recurrent sequence's gradient: steps from the last to the first, and the kernels'
// gradients added up over several of them at a time.
#pragma once

#include <span>
#include <vector>

#include "plimsoll/kernels/recurrent/recurrent.h"
#include "plimsoll/kernels/recurrent/recurrent_cells.h"
#include "plimsoll/kernels/recurrent/recurrent_product.h"
#include "plimsoll/kernels/recurrent/recurrent_rows.h"

namespace plimsoll::kernels {

class RecurrentGradientKernel final : public Kernel {
 public:
  RecurrentGradientKernel(const KernelRequest& request, const RecurrentForm& form,
                          const RecurrentFlow& flow);

  int64_t scratch_bytes() const override;
  void run(const KernelArguments& arguments) const override;

 private:
  // The tensors of one run; null if the form does not have the tensor or nothing reads it.
  struct Tensors {
    const float *x, *kernel, *recurrent_kernel;
    const float *hidden = nullptr, *cell = nullptr;
    const float *input_dropout = nullptr, *recurrent_dropout = nullptr;
    const float *gates = nullptr, *cells = nullptr, *hiddens = nullptr;
    const float *sequence_gradient = nullptr, *last_hidden_gradient = nullptr;
    const float* last_cell_gradient = nullptr;
    const uint8_t* mask = nullptr;
    float* gradients[kRecurrentGradients] = {};

    Tensors(const RecurrentForm& form, const RecurrentFlow& flow, const KernelArguments& arguments);
  };

  // The product of gate gradients with a kernel, transposed, and those for the kernel's gradient.
  struct Link : RecurrentLink {
    RecurrentProduct product;
    int64_t packed;  // offset in scratch
    struct Gradient {
      int64_t rows;  // that are added up
      Gemm gemm;
    };
    std::vector<Gradient> gradients;
  };

  // The tensors and scratch of one block of rows.
  struct Work {
    const Tensors& tensors;
    const float* packed;  // the weights
    float* own;           // scratch of this part
    // Sums over this part's rows; null where they are not wanted.
    float *kernel, *recurrent_kernel, *bias;
    RecurrentSplit::Block block;
  };

  // The planning, in recurrent_gradient_plan.cc.
  void make_links(const std::vector<RecurrentLink>& links, int64_t depth, bool wants_kernel,
                  std::vector<Link>& out) const;
  Link make_link(const RecurrentLink& link, const GemmProblem& problem,
                 std::span<const int64_t> rows) const;
  std::vector<int64_t> chunk_row_counts() const;
  void lay_out_scratch();
  void lay_out_part(int64_t gemm_bytes);

  // The steps.
  void pack(const Tensors& tensors, float* scratch) const;
  void run_part(const Tensors& tensors, float* scratch, int64_t part) const;
  void run_block(const Work& work) const;
  void start_block(const Work& work) const;
  void end_block(const Work& work) const;
  void run_step(const Work& work, const StepRows& rows, int64_t step) const;
  void add_output_gradient(const Work& work, int64_t step) const;
  void find_hidden_before(const Work& work, int64_t step, float* hidden) const;
  CellGradientRows cell_rows(const Work& work, int64_t step, const float* hidden_before,
                             float* gate_gradients) const;
  void run_cell(const Work& work, int64_t step, const CellGradientRows& rows, float* reset) const;
  void multiply_reset(const Work& work, const CellGradientRows& rows, int64_t step,
                      float* reset) const;
  void multiply_state(const Work& work, int64_t step, const float* gate_gradients) const;
  void multiply(const Work& work, const Link& link, const float* kernel, int64_t rows,
                const float* gate_gradients, float* to) const;

  // The work for all steps of a chunk, in recurrent_gradient_sums.cc.
  void write_input_gradient(const Work& work, const StepRows& rows) const;
  void add_kernel_gradients(const Work& work, const StepRows& rows) const;
  void add_kernel_gradient(const Work& work, const Link& link, int64_t rows, const float* a,
                           float* sum) const;
  const float* dropped_rows(const Work& work, const StepRows& rows, const float* from,
                            int64_t width, const float* factors, int64_t factors_row) const;
  void add_bias_gradient(const Work& work, int64_t rows) const;
  void add_parts(const Tensors& tensors, float* scratch) const;
  void write_bias_gradient(const float* sums, float* gradient) const;

  bool wants(int output) const { return form_.uses(output); }
  // True if the gradient of the state before this step is needed.
  bool wants_state(int64_t step) const { return step > 0 || wants(kInitialHiddenGradient); }
  int64_t columns() const { return form_.columns() * sizes_.units; }
  int64_t kernel_columns() const { return form_.gates() * sizes_.units; }
  int64_t state_factors_row() const { return form_.recurrent_dropouts * sizes_.units; }
  const float* gates_at(const Work& work, int64_t step) const {
    return work.tensors.gates + (step * sizes_.batch + work.block.first) * columns();
  }
  std::byte* gemm_scratch(const Work& work) const {
    return reinterpret_cast<std::byte*>(work.own + gemm_);
  }

  RecurrentForm form_;
  RecurrentFlow flow_;
  RecurrentSizes sizes_;
  RecurrentSplit split_;
  std::vector<std::vector<RecurrentSplit::Block>> blocks_;  // of each part
  int64_t chunk_ = 1;                                       // steps whose kernel gradients are one
  int64_t gate_row_ = 0;                                    // of gate gradients, in floats
  std::vector<Link> input_, recurrent_;

  // Offsets in scratch, in floats: first the packed weights, from own_ on what each part has, from
  // sums_ on the kernels' gradients of every part but the first, which adds straight to the
  // outputs.
  int64_t own_ = 0, part_floats_ = 0, sums_ = 0, part_sums_ = 0;
  // For all steps of a chunk.
  int64_t gate_gradients_ = 0, x_ = 0, hidden_before_ = 0, reset_ = 0, dropped_ = 0, dx_ = 0;
  // For one step. The gradient of the output is apart from the state's where steps are masked.
  int64_t hidden_gradient_ = 0, cell_gradient_ = 0, output_gradient_ = 0, product_ = 0;
  // For the whole run.
  int64_t gemm_ = 0, bias_ = 0;
  // In a part's sums.
  int64_t kernel_ = 0, recurrent_kernel_ = 0;
};

}  // namespace plimsoll::kernels
