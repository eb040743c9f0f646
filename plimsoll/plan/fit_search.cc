#include "plimsoll/plan/fit_search.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "plimsoll/plan/mix_bits.h"
#include "plimsoll/plan/skyline.h"

namespace plimsoll::plan {
namespace {

constexpr int64_t kInfinity = std::numeric_limits<int64_t>::max();
constexpr int64_t kWorkPerVisit = 4;  // a visit here costs that many of a greedy placement
constexpr size_t kDepthLimit = 6000;  // of the recursion; far more than a fit needs
constexpr size_t kRememberedFailures = 1 << 17;
constexpr double kFirstRoundChoices = 200;
constexpr double kFirstRoundDeadEnds = 60;
constexpr double kRoundGrowth = 1.03;

// Sections [left, right].
struct Part {
  int32_t left = 0;
  int32_t right = 0;

  bool contains(const Block& block) const { return left <= block.left && block.right <= right; }
};

bool covers(const Block& block, int32_t section) {
  return block.left <= section && section <= block.right;
}

// What to decide next: what lies on the floor of `section`.
struct Choice {
  int32_t section = -1;
  Part valley;
  int32_t options = std::numeric_limits<int32_t>::max();
};

class FitSearch {
 public:
  FitSearch(std::vector<Block> blocks, int64_t capacity, int64_t work)
      : skyline_(std::move(blocks), capacity),
        work_limit_(work),
        frames_(kDepthLimit),
        failures_(kRememberedFailures, 0),
        weights_(skyline_.section_count(), 1.0),
        loads_(skyline_.section_count()),
        valley_of_(skyline_.section_count()),
        candidates_(skyline_.section_count() + 1),
        heights_(skyline_.section_count()) {
    for (int32_t i = 0; i < skyline_.section_count(); ++i) loads_[i] = capacity - skyline_.slack(i);
  }

  FitResult::Verdict run() {
    for (int32_t i = 0; i < skyline_.section_count(); ++i) {
      if (skyline_.slack(i) < 0) return FitResult::Verdict::impossible;
    }
    double growth = 1;
    for (int32_t round = 0; work_ < work_limit_; ++round, growth *= kRoundGrowth) {
      begin_round(round, growth);
      if (fill_parts(0, {0, skyline_.section_count() - 1})) return FitResult::Verdict::fits;
      if (!gave_up_) return FitResult::Verdict::impossible;
      skyline_.undo_to(0);
    }
    return FitResult::Verdict::gave_up;
  }

  const std::vector<int64_t>& offsets() const { return skyline_.offsets(); }
  int64_t work() const { return work_; }

 private:
  struct Frame {
    std::vector<int32_t> waiting;  // blocks of the part that this level of the recursion fills
    std::vector<int32_t> options;  // blocks that the level tries, in this order
  };

  // Of two rounds one lets sections that were hard to fill go first. Of four rounds two are given
  // up after a number of choices, which suits tight problems, and two after a number of dead ends,
  // which suits loose ones.
  void begin_round(int32_t round, double growth) {
    use_weights_ = round % 2 == 1;
    count_choices_ = round / 2 % 2 == 0;
    patience_ =
        static_cast<int64_t>(growth * (count_choices_ ? kFirstRoundChoices : kFirstRoundDeadEnds));
    gave_up_ = false;
    if (!use_weights_) {
      for (double& weight : weights_) weight = (1 + weight) / 2;
    }
    rank_blocks(round);
  }

  // Four rounds each prefer wide, busy, large blocks and those of large area; then each round a
  // mixture of its own that looks random.
  void rank_blocks(int32_t round) {
    const size_t count = skyline_.blocks().size();
    std::vector<double> scores(count);
    for (size_t i = 0; i < count; ++i) scores[i] = score(static_cast<int32_t>(i), round);
    std::vector<int32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return scores[a] != scores[b] ? scores[a] > scores[b] : area(a) > area(b);
    });
    ranks_.resize(count);
    for (size_t i = 0; i < count; ++i) ranks_[order[i]] = static_cast<int32_t>(i);
    frames_[0].waiting = std::move(order);
    std::sort(frames_[0].waiting.begin(), frames_[0].waiting.end());
  }

  double width(int32_t index) const {
    const Block& block = skyline_.blocks()[index];
    return block.right - block.left + 1;
  }
  double area(int32_t index) const {
    return width(index) * static_cast<double>(skyline_.blocks()[index].bytes);
  }
  double load(int32_t index) const {
    const Block& block = skyline_.blocks()[index];
    return static_cast<double>(
        *std::max_element(loads_.begin() + block.left, loads_.begin() + block.right + 1));
  }

  double score(int32_t index, int32_t round) const {
    switch (round / 4) {
      case 0:
        return width(index);
      case 1:
        return load(index);
      case 2:
        return static_cast<double>(skyline_.blocks()[index].bytes);
      case 3:
        return area(index);
      default:
        break;
    }
    const uint64_t seed = (static_cast<uint64_t>(round) << 32) + static_cast<uint64_t>(index);
    const double noise = 500.0 + static_cast<double>(mix_bits(seed) % 1000);
    return noise * (round / 4 % 2 == 0 ? area(index) : width(index));
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

  bool fill(size_t depth, Part part) {
    Frame& frame = frames_[depth];
    work_ += kWorkPerVisit * (static_cast<int64_t>(frame.waiting.size()) + part.right - part.left);
    if (patience_ <= 0 || work_ >= work_limit_) return give_up();
    uint64_t fingerprint = mix_bits(static_cast<uint64_t>(part.left));
    for (int32_t i = part.left; i <= part.right; ++i) fingerprint += skyline_.fingerprint(i);
    uint64_t& remembered = failures_[fingerprint % failures_.size()];
    if (remembered == fingerprint) {
      --patience_;
      return false;
    }
    const Choice choice = most_constrained(frame.waiting, part);
    // What is forced is never counted.
    if (choice.options == 0 || (count_choices_ && choice.options > 1)) --patience_;
    if (choice.options == 0) {
      if (use_weights_) weights_[choice.section] += 1;
      return false;
    }
    if (place_one(depth, part, choice) || waste(depth, part, choice)) return true;
    if (!gave_up_) remembered = fingerprint;
    return false;
  }

  bool give_up() {
    gave_up_ = true;
    return false;
  }

  Choice most_constrained(const std::vector<int32_t>& waiting, Part part) {
    count_candidates(waiting, part);
    int64_t smallest = kInfinity;
    for (const int32_t block : waiting) {
      smallest = std::min(smallest, skyline_.blocks()[block].bytes);
    }
    Choice best;
    double best_cost = std::numeric_limits<double>::max();
    int32_t candidates = 0;
    for (Part run{part.left, 0}; run.left <= part.right; run.left = run.right + 1) {
      run.right = run.left;
      while (run.right < part.right && valley_of_[run.right + 1] == run.left) ++run.right;
      const int64_t floor = skyline_.floor(run.left);
      const int64_t left = run.left > part.left ? skyline_.floor(run.left - 1) : kInfinity;
      const int64_t right = run.right < part.right ? skyline_.floor(run.right + 1) : kInfinity;
      const bool is_valley = floor < left && floor < right;
      const int64_t least_waste = std::min(std::min(left, right) - floor, smallest);
      for (int32_t i = run.left; i <= run.right; ++i) {
        candidates += candidates_[i];
        if (!is_valley) continue;
        const int32_t options = candidates + (skyline_.slack(i) >= least_waste ? 1 : 0);
        const double cost = options <= 1   ? options - 2
                            : use_weights_ ? options / weights_[i]
                                           : options;
        if (cost < best_cost ||
            (cost == best_cost && skyline_.slack(i) < skyline_.slack(best.section))) {
          best_cost = cost;
          best = {i, run, options};
        }
      }
    }
    return best;
  }

  // Sets valley_of_ to the first section of each run of equal floors; candidates_ to the changes,
  // from section to section, in the number of blocks that lie within one run.
  void count_candidates(const std::vector<int32_t>& waiting, Part part) {
    std::fill(candidates_.begin() + part.left, candidates_.begin() + part.right + 2, 0);
    for (int32_t i = part.left; i <= part.right; ++i) {
      const bool continues = i > part.left && skyline_.floor(i) == skyline_.floor(i - 1);
      valley_of_[i] = continues ? valley_of_[i - 1] : i;
    }
    for (const int32_t index : waiting) {
      const Block& block = skyline_.blocks()[index];
      if (valley_of_[block.left] != valley_of_[block.right]) continue;
      ++candidates_[block.left];
      --candidates_[block.right + 1];
    }
  }

  bool place_one(size_t depth, Part part, const Choice& choice) {
    Frame& frame = frames_[depth];
    frame.options.clear();
    for (const int32_t index : frame.waiting) {
      const Block& block = skyline_.blocks()[index];
      if (covers(block, choice.section) && choice.valley.contains(block)) {
        frame.options.push_back(index);
      }
    }
    std::sort(frame.options.begin(), frame.options.end(),
              [&](int32_t a, int32_t b) { return ranks_[a] < ranks_[b]; });
    for (size_t i = 0; i < frame.options.size(); ++i) {
      if (has_twin(frame.options, i)) continue;
      const size_t change_count = skyline_.change_count();
      skyline_.place(frame.options[i]);
      if (fill_parts(depth, part)) return true;
      skyline_.undo_to(change_count);
      if (gave_up_) return false;
    }
    return false;
  }

  // Whether an equal block was tried before.
  bool has_twin(const std::vector<int32_t>& options, size_t position) const {
    const Block& block = skyline_.blocks()[options[position]];
    return std::any_of(options.begin(), options.begin() + position, [&](int32_t other) {
      const Block& tried = skyline_.blocks()[other];
      return tried.left == block.left && tried.right == block.right && tried.bytes == block.bytes;
    });
  }

  bool waste(size_t depth, Part part, const Choice& choice) {
    if (gave_up_) return false;
    const int64_t floor = lowest_floor_above(frames_[depth].waiting, part, choice);
    const int64_t bytes = floor - skyline_.floor(choice.section);
    if (bytes > skyline_.slack(choice.section)) return false;
    const size_t change_count = skyline_.change_count();
    skyline_.waste(choice.section, bytes);
    if (fill_parts(depth, part)) return true;
    skyline_.undo_to(change_count);
    return false;
  }

  // Where the next block over the section may lie if none lies on its floor: on the floor of
  // sections outside the valley, or on a block within the valley that does not cover the section.
  int64_t lowest_floor_above(const std::vector<int32_t>& waiting, Part part, const Choice& choice) {
    find_heights_from(choice.section, part);
    int64_t smallest_support = kInfinity;
    int64_t lowest_outside = kInfinity;
    bool any_inside = false;
    for (const int32_t index : waiting) {
      const Block& block = skyline_.blocks()[index];
      if (!covers(block, choice.section)) {
        const bool reaches_valley =
            block.left <= choice.valley.right && block.right >= choice.valley.left;
        if (reaches_valley) smallest_support = std::min(smallest_support, block.bytes);
      } else if (choice.valley.contains(block)) {
        any_inside = true;
      } else {
        lowest_outside =
            std::min(lowest_outside, std::max(heights_[block.left], heights_[block.right]));
      }
    }
    if (!any_inside || smallest_support == kInfinity) return lowest_outside;
    return std::min(lowest_outside, skyline_.floor(choice.section) + smallest_support);
  }

  // Sets heights_ to the highest floor between each section of the part and the given one.
  void find_heights_from(int32_t section, Part part) {
    heights_[section] = skyline_.floor(section);
    for (int32_t i = section - 1; i >= part.left; --i) {
      heights_[i] = std::max(heights_[i + 1], skyline_.floor(i));
    }
    for (int32_t i = section + 1; i <= part.right; ++i) {
      heights_[i] = std::max(heights_[i - 1], skyline_.floor(i));
    }
  }

  Skyline skyline_;
  int64_t work_limit_;
  int64_t work_ = 0;
  int64_t patience_ = 0;  // choices or dead ends until this round is given up
  bool count_choices_ = false;
  bool gave_up_ = false;  // this round
  bool use_weights_ = false;
  std::vector<Frame> frames_;       // by depth of the recursion
  std::vector<uint64_t> failures_;  // fingerprints of parts that cannot be filled, by hash
  std::vector<double> weights_;     // per section, how often it could not be filled
  std::vector<int64_t> loads_;      // per section, the bytes of its blocks
  std::vector<int32_t> ranks_;      // per block, the lower the earlier it is tried
  std::vector<int32_t> valley_of_;
  std::vector<int32_t> candidates_;
  std::vector<int64_t> heights_;
};

}  // namespace

FitResult fit_within(const OffsetProblem& problem, int64_t capacity, int64_t work) {
  std::vector<int32_t> indices;
  std::vector<Buffer> buffers;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    if (problem.buffers[i].bytes == 0) continue;
    indices.push_back(static_cast<int32_t>(i));
    buffers.push_back(problem.buffers[i]);
  }
  FitSearch search(to_blocks(buffers), capacity, work);
  FitResult result;
  result.verdict = search.run();
  result.work = search.work();
  if (result.verdict != FitResult::Verdict::fits) return result;
  result.solution.offsets.assign(problem.buffers.size(), 0);
  for (size_t i = 0; i < buffers.size(); ++i) {
    const int64_t offset = search.offsets()[i];
    result.solution.offsets[indices[i]] = offset;
    result.solution.arena_bytes = std::max(result.solution.arena_bytes, offset + buffers[i].bytes);
  }
  return result;
}

}  // namespace plimsoll::plan
