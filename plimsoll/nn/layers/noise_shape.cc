#include "plimsoll/nn/layers/noise_shape.h"

namespace plimsoll {

Shape noise_shape_for(const Shape& noise_shape, const Shape& input) {
  if (noise_shape.rank() == 0) return input;
  Shape shape = noise_shape;
  for (int i = 0; i < shape.rank(); ++i)
    if (shape[i] == -1) shape[i] = input[i];
  return shape;
}

bool noise_shape_fits(const Shape& noise_shape, const Shape& input) {
  if (noise_shape.rank() == 0) return true;
  if (noise_shape.rank() != input.rank()) return false;
  const Shape noise = noise_shape_for(noise_shape, input);
  for (int i = 0; i < input.rank(); ++i)
    if (noise[i] != 1 && noise[i] != input[i]) return false;
  return true;
}

void describe_noise_shape(Fields& fields, Shape& noise_shape) {
  if (!fields.reading() && noise_shape.rank() == 0)
    fields.only_null("noise_shape");
  else
    fields.with("noise_shape", noise_shape);
}

}  // namespace plimsoll
