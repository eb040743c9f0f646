#include "plimsoll/plan/offsets/skyline.h"

#include <algorithm>

#include "plimsoll/plan/mix_bits.h"

namespace plimsoll::plan {

Skyline::Skyline(std::vector<Block> blocks, int64_t capacity)
    : blocks_(std::move(blocks)), offsets_(blocks_.size(), -1) {
  int32_t sections = 0;
  for (const Block& block : blocks_) sections = std::max(sections, block.right + 1);
  sections_.resize(sections);
  for (int32_t i = 0; i < sections; ++i) {
    sections_[i].slack = capacity;
    sections_[i].fingerprint = floor_fingerprint(i, 0);
  }
  for (const Block& block : blocks_) {
    for (int32_t i = block.left; i <= block.right; ++i) {
      sections_[i].slack -= block.bytes;
      ++sections_[i].waiting;
      if (i < block.right) ++sections_[i].waiting_to_next;
    }
  }
}

uint64_t Skyline::floor_fingerprint(int32_t section, int64_t floor) {
  return mix_bits(static_cast<uint64_t>(floor) * 0x10001 + static_cast<uint64_t>(section));
}

void Skyline::set_floor(int32_t section, int64_t floor) {
  Section& s = sections_[section];
  s.fingerprint += floor_fingerprint(section, floor) - floor_fingerprint(section, s.floor);
  s.floor = floor;
}

void Skyline::lift(int32_t block, int32_t direction) {
  const auto [bytes, left, right] = blocks_[block];
  for (int32_t i = left; i <= right; ++i) {
    set_floor(i, sections_[i].floor + direction * bytes);
    sections_[i].waiting -= direction;
    if (i < right) sections_[i].waiting_to_next -= direction;
  }
  const uint64_t block_fingerprint = mix_bits(~static_cast<uint64_t>(block));
  sections_[left].fingerprint += direction > 0 ? block_fingerprint : -block_fingerprint;
}

void Skyline::place(int32_t block) {
  offsets_[block] = sections_[blocks_[block].left].floor;
  lift(block, 1);
  changes_.push_back({block, -1, 0});
}

void Skyline::waste(int32_t section, int64_t bytes) {
  set_floor(section, sections_[section].floor + bytes);
  sections_[section].slack -= bytes;
  changes_.push_back({-1, section, bytes});
}

void Skyline::undo_to(size_t change_count) {
  while (changes_.size() > change_count) {
    const Change change = changes_.back();
    changes_.pop_back();
    if (change.block >= 0) {
      lift(change.block, -1);
      offsets_[change.block] = -1;
    } else {
      set_floor(change.section, sections_[change.section].floor - change.bytes);
      sections_[change.section].slack += change.bytes;
    }
  }
}

}  // namespace plimsoll::plan
