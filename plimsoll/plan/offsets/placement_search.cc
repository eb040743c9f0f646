#include "plimsoll/plan/offsets/placement_search.h"

#include <algorithm>
#include <numeric>

#include "plimsoll/plan/mix_bits.h"
#include "plimsoll/plan/offsets/block_ranks.h"
#include "plimsoll/plan/offsets/skyline.h"
#include "plimsoll/plan/offsets/valleys.h"

namespace plimsoll::plan {
namespace {

constexpr int64_t kWorkPerVisit = 4;  // a visit here costs that many of a greedy placement
constexpr size_t kDepthLimit = 1500;  // of the recursion, so that any stack is large enough
constexpr size_t kRememberedFailures = 1 << 17;
constexpr double kFirstRoundChoices = 200;
constexpr double kFirstRoundDeadEnds = 60;
constexpr double kRoundGrowth = 1.03;

class PlacementSearch {
 public:
  PlacementSearch(std::vector<Block> blocks, int64_t capacity, int64_t work)
      : skyline_(std::move(blocks), capacity),
        valleys_(skyline_),
        work_limit_(work),
        frames_(kDepthLimit),
        failures_(kRememberedFailures, 0),
        hardness_(skyline_.section_count(), 1.0),
        no_weights_(skyline_.section_count(), 1.0) {
    frames_[0].waiting.resize(skyline_.blocks().size());
    std::iota(frames_[0].waiting.begin(), frames_[0].waiting.end(), 0);
  }

  PlacementResult::Verdict run() {
    for (int32_t i = 0; i < skyline_.section_count(); ++i) {
      if (skyline_.slack(i) < 0) return PlacementResult::Verdict::impossible;
    }
    double growth = 1;
    for (int32_t round = 0; work_ < work_limit_; ++round, growth *= kRoundGrowth) {
      begin_round(round, growth);
      if (fill_parts(0, {0, skyline_.section_count() - 1}))
        return PlacementResult::Verdict::possible;
      if (!gave_up_) return PlacementResult::Verdict::impossible;
      skyline_.undo_to(0);
    }
    return PlacementResult::Verdict::gave_up;
  }

  const std::vector<int64_t>& offsets() const { return skyline_.offsets(); }
  int64_t work() const { return work_; }

 private:
  struct Frame {
    std::vector<int32_t> waiting;  // blocks of the part that this level of the recursion fills
    std::vector<int32_t> options;  // blocks that the level tries, in this order
  };

  // Of two rounds one lets sections that were hard to fill go first. Of six rounds four are given
  // up after a number of choices, which suits tight problems, and two after a number of dead ends,
  // which suits loose ones.
  void begin_round(int32_t round, double growth) {
    use_hardness_ = round % 2 == 1;
    count_choices_ = round / 2 % 3 != 1;
    patience_ =
        static_cast<int64_t>(growth * (count_choices_ ? kFirstRoundChoices : kFirstRoundDeadEnds));
    gave_up_ = false;
    if (!use_hardness_) {
      for (double& weight : hardness_) weight = (1 + weight) / 2;
    }
    ranks_ = rank_blocks(skyline_.blocks(), round);
  }

  // Fills every part of `region` that waiting blocks connect. The caller undoes what failed.
  bool fill_parts(size_t depth, Part region) {
    if (depth + 1 >= frames_.size()) return give_up();
    for (int32_t left = region.left; left <= region.right; ++left) {
      if (!skyline_.is_open(left)) continue;
      Part part{left, left};
      while (part.right < region.right && skyline_.is_open_to_next(part.right)) ++part.right;
      std::vector<int32_t>& waiting = frames_[depth + 1].waiting;
      waiting.clear();
      for (const int32_t block : frames_[depth].waiting) {
        if (!skyline_.is_placed(block) && part.contains(skyline_.blocks()[block])) {
          waiting.push_back(block);
        }
      }
      if (!fill(depth + 1, part)) return false;
      left = part.right;
    }
    return true;
  }

  // If it fails, it leaves the skyline as it was.
  bool fill(size_t depth, Part part) {
    uint64_t fingerprint = mix_bits(static_cast<uint64_t>(part.left));
    for (int32_t i = part.left; i <= part.right; ++i) fingerprint += skyline_.fingerprint(i);
    uint64_t& remembered = failures_[fingerprint % failures_.size()];
    if (remembered == fingerprint) {
      --patience_;
      return false;
    }
    const size_t change_count = skyline_.change_count();
    if (decide(depth, part)) return true;
    skyline_.undo_to(change_count);
    if (!gave_up_) remembered = fingerprint;
    return false;
  }

  // Takes the forced choices, then tries the options of one choice.
  bool decide(size_t depth, Part part) {
    Frame& frame = frames_[depth];
    while (true) {
      work_ += kWorkPerVisit * (std::ssize(frame.waiting) + part.right - part.left);
      if (patience_ <= 0 || work_ >= work_limit_) return give_up();
      const Choice choice =
          valleys_.most_constrained(frame.waiting, part, use_hardness_ ? hardness_ : no_weights_);
      if (choice.options == 0) {
        --patience_;
        if (use_hardness_) hardness_[choice.section] += 1;
        return false;
      }
      find_options(frame, choice);
      if (choice.options > 1) {
        if (count_choices_) --patience_;
        if (place_one(depth, part)) return true;
        return !gave_up_ && waste_floor(frame, part, choice) && fill_parts(depth, part);
      }
      if (frame.options.empty()) {
        if (!waste_floor(frame, part, choice)) return false;
      } else {
        skyline_.place(frame.options[0]);
        std::erase(frame.waiting, frame.options[0]);
        if (!is_connected(part)) return fill_parts(depth, part);
      }
    }
  }

  bool is_connected(Part part) const {
    for (int32_t i = part.left; i < part.right; ++i) {
      if (!skyline_.is_open_to_next(i)) return false;
    }
    return skyline_.is_open(part.right);
  }

  bool give_up() {
    gave_up_ = true;
    return false;
  }

  // The blocks that may lie on the floor of the chosen section, in the order of their ranks.
  void find_options(Frame& frame, const Choice& choice) const {
    frame.options.clear();
    for (const int32_t index : frame.waiting) {
      const Block& block = skyline_.blocks()[index];
      if (covers(block, choice.section) && choice.valley.contains(block)) {
        frame.options.push_back(index);
      }
    }
    std::sort(frame.options.begin(), frame.options.end(),
              [&](int32_t a, int32_t b) { return ranks_[a] < ranks_[b]; });
  }

  bool place_one(size_t depth, Part part) {
    const std::vector<int32_t>& options = frames_[depth].options;
    for (size_t i = 0; i < options.size(); ++i) {
      if (has_twin(options, i)) continue;
      const size_t change_count = skyline_.change_count();
      skyline_.place(options[i]);
      if (fill_parts(depth, part)) return true;
      skyline_.undo_to(change_count);
      if (gave_up_) return false;
    }
    return false;
  }

  // True if an equal block was tried before.
  bool has_twin(const std::vector<int32_t>& options, size_t position) const {
    const Block& block = skyline_.blocks()[options[position]];
    return std::any_of(options.begin(), options.begin() + position, [&](int32_t other) {
      const Block& tried = skyline_.blocks()[other];
      return tried.left == block.left && tried.right == block.right && tried.bytes == block.bytes;
    });
  }

  // Lifts the floor of the chosen section to where the next block may lie, if its slack allows.
  bool waste_floor(const Frame& frame, Part part, const Choice& choice) {
    const int64_t floor = valleys_.lowest_floor_above(frame.waiting, part, choice);
    const int64_t bytes = floor - skyline_.floor(choice.section);
    if (bytes > skyline_.slack(choice.section)) return false;
    skyline_.waste(choice.section, bytes);
    return true;
  }

  Skyline skyline_;
  ValleyView valleys_;
  int64_t work_limit_;
  int64_t work_ = 0;
  int64_t patience_ = 0;  // choices or dead ends until this round is given up
  bool count_choices_ = false;
  bool use_hardness_ = false;
  bool gave_up_ = false;            // this round
  std::vector<Frame> frames_;       // by depth of the recursion
  std::vector<uint64_t> failures_;  // fingerprints of parts that cannot be filled, by hash
  std::vector<double> hardness_;    // per section, the more often it could not be filled
  std::vector<double> no_weights_;  // per section, one
  std::vector<int32_t> ranks_;      // per block, the lower the earlier it is tried
};

}  // namespace

PlacementResult place_within(const OffsetProblem& problem, int64_t capacity, int64_t work) {
  std::vector<int32_t> indices;
  std::vector<Buffer> buffers;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    if (problem.buffers[i].bytes == 0) continue;
    indices.push_back(static_cast<int32_t>(i));
    buffers.push_back(problem.buffers[i]);
  }
  PlacementSearch search(to_blocks(buffers), capacity, work);
  PlacementResult result;
  result.verdict = search.run();
  result.work = search.work();
  if (result.verdict != PlacementResult::Verdict::possible) return result;
  result.solution.offsets.assign(problem.buffers.size(), 0);
  for (size_t i = 0; i < buffers.size(); ++i) {
    const int64_t offset = search.offsets()[i];
    result.solution.offsets[indices[i]] = offset;
    result.solution.arena_bytes = std::max(result.solution.arena_bytes, offset + buffers[i].bytes);
  }
  return result;
}

}  // namespace plimsoll::plan
