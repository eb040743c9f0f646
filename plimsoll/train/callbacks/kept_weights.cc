#include "plimsoll/train/callbacks/kept_weights.h"

#include <fmt/format.h>

#include <cstring>

#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

int64_t KeptWeights::planned_bytes(const Model& model) const {
  int64_t bytes = 0;
  if (storages_.empty())
    for (const Variable& weight : model.weights())
      bytes += Storage::footprint(weight.spec().bytes());
  return bytes;
}

void KeptWeights::reserve(const Model& model) {
  forget();
  for (const Variable& weight : model.weights()) {
    specs_.push_back(weight.spec());
    storages_.push_back(std::make_shared<Storage>(weight.spec().bytes()));
    storages_.back()->touch();
  }
}

void KeptWeights::keep(const Model& model) {
  const Variables weights = model.weights();
  if (storages_.size() != weights.size()) reserve(model);
  for (size_t i = 0; i < weights.size(); ++i)
    std::memcpy(storages_[i]->data(), weights[i].data(),
                static_cast<size_t>(weights[i].spec().bytes()));
  has_weights_ = true;
}

void KeptWeights::restore(const Model& model) const {
  Variables weights = model.weights();
  for (size_t i = 0; i < weights.size(); ++i)
    weights[i].set_bytes({storages_[i]->data(), static_cast<size_t>(specs_[i].bytes())});
}

void KeptWeights::forget() {
  storages_.clear();
  specs_.clear();
  has_weights_ = false;
}

Tensors KeptWeights::tensors() const {
  Tensors copies;
  if (!has_weights_) return copies;
  for (size_t i = 0; i < storages_.size(); ++i) {
    const auto copy = std::make_shared<Storage>(specs_[i].bytes());
    std::memcpy(copy->data(), storages_[i]->data(), static_cast<size_t>(specs_[i].bytes()));
    copies.push_back(wrap(copy, specs_[i]));
  }
  return copies;
}

void KeptWeights::save_state(StateWriter& to) const {
  to.number("has_weights", has_weights_);
  if (!has_weights_) return;
  for (size_t i = 0; i < storages_.size(); ++i)
    to.bytes_once(fmt::format("weight-{}", i), specs_[i],
                  [storage = storages_[i]](int64_t at, std::span<std::byte> piece) {
                    std::memcpy(piece.data(), storage->data() + at, piece.size());
                  });
}

void KeptWeights::load_state(const StateReader& from) {
  has_weights_ = from.number("has_weights") != 0;
  if (!has_weights_) return;
  for (size_t i = 0; i < storages_.size(); ++i)
    from.bytes(fmt::format("weight-{}", i),
               {storages_[i]->data(), static_cast<size_t>(specs_[i].bytes())});
}

}  // namespace plimsoll
