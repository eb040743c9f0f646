// What differs between oneDNN 2 and 3: version 3 makes a primitive descriptor in one call instead
// of two.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>

namespace plimsoll::kernels {

// The descriptor of a forward primitive; `words` describe the operation, in the order that both
// versions take.
template <class Forward, class... Words>
typename Forward::primitive_desc onednn_desc(const dnnl::engine& engine,
                                             const dnnl::primitive_attr& attributes,
                                             const Words&... words) {
#if DNNL_VERSION_MAJOR < 3
  return {typename Forward::desc(words...), attributes, engine};
#else
  return {engine, words..., attributes};
#endif
}

// The descriptor of a gradient; `forward` is the descriptor of the forward primitive.
template <class Gradient, class ForwardDesc, class... Words>
typename Gradient::primitive_desc onednn_gradient_desc(const dnnl::engine& engine,
                                                       const dnnl::primitive_attr& attributes,
                                                       const ForwardDesc& forward,
                                                       const Words&... words) {
#if DNNL_VERSION_MAJOR < 3
  return {typename Gradient::desc(words...), attributes, engine, forward};
#else
  return {engine, words..., forward, attributes};
#endif
}

}  // namespace plimsoll::kernels
