#include "heuristics/dominance.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "basics/hash.h"
#include "basics/index_set.h"
#include "basics/watch.h"

namespace liftq {

namespace {

// A number for each pair of numbers.
class PairTable {
 public:
  uint32_t find(uint32_t first, int second) const {
    const uint64_t key = key_of(first, second);
    return set_.find(mix(key), [&](uint32_t index) { return keys_[index] == key; });
  }

  uint32_t intern(uint32_t first, int second) {
    const uint32_t known = find(first, second);
    if (known != IndexSet::kNone) return known;
    const auto index = static_cast<uint32_t>(keys_.size());
    keys_.push_back(key_of(first, second));
    set_.insert(mix(keys_.back()), index, [this](uint32_t other) { return mix(keys_[other]); });
    return index;
  }

  size_t size() const { return keys_.size(); }

 private:
  static uint64_t key_of(uint32_t first, int second) { return uint64_t{first} << 32 | static_cast<uint32_t>(second); }
  std::vector<uint64_t> keys_;
  IndexSet set_;
};

// The sets of preconditions in a prefix tree, where the subsets of any set are found together.
class Dominance {
 public:
  explicit Dominance(const Relaxation& relaxation) : relaxation_(relaxation) {
    for (size_t op = 0; op < relaxation.num_operators(); ++op) add(static_cast<int>(op));
  }

  // The effects that no other operator achieves as well.
  std::span<const int> own_effects(int op) {
    op_ = op;
    const auto effects = relaxation_.effects[op];
    effects_.assign(effects.begin(), effects.end());
    visit(kRoot, needs(op));
    return effects_;
  }

 private:
  static constexpr uint32_t kRoot = 0;

  std::span<const int> needs(int op) const {
    const auto preconditions = relaxation_.preconditions[op];
    return preconditions.front() == relaxation_.truth() ? preconditions.subspan(1) : preconditions;
  }

  void add(int op) {
    uint32_t node = kRoot;
    for (int need : needs(op)) node = children_.intern(node, need) + 1;
    const auto effects = relaxation_.effects[op];
    poll(1 + effects.size());
    for (int effect : effects) {
      const uint32_t place = achievers_.intern(node, effect);
      if (place == best_.size()) best_.push_back(op);
      if (relaxation_.costs[op] < relaxation_.costs[best_[place]]) best_[place] = op;
    }
  }

  // The sets that consist of those on the way to this node and some of the others.
  void visit(uint32_t node, std::span<const int> others) {
    poll(1 + effects_.size());
    std::erase_if(effects_, [&](int effect) { return is_dominated_at(node, effect); });
    for (size_t i = 0; i < others.size() && !effects_.empty(); ++i) {
      const uint32_t child = children_.find(node, others[i]);
      if (child != IndexSet::kNone) visit(child + 1, others.subspan(i + 1));
    }
  }

  bool is_dominated_at(uint32_t node, int effect) const {
    const uint32_t place = achievers_.find(node, effect);
    if (place == IndexSet::kNone || best_[place] == op_) return false;
    return relaxation_.costs[best_[place]] <= relaxation_.costs[op_];
  }

  const Relaxation& relaxation_;
  PairTable children_;     // by node and the next precondition; the number of a node is one more
  PairTable achievers_;    // by node and effect
  std::vector<int> best_;  // by achiever: the first of the cheapest operators
  int op_ = 0;
  std::vector<int> effects_;
};

Undominated reduce(const Relaxation& relaxation) {
  Undominated result;
  Relaxation& reduced = result.relaxation;
  Dominance dominance(relaxation);
  for (int op = 0; op < static_cast<int>(relaxation.num_operators()); ++op) {
    const auto effects = dominance.own_effects(op);
    if (effects.empty()) continue;
    reduced.preconditions.append(relaxation.preconditions[op]);
    reduced.effects.append(effects);
    reduced.costs.push_back(relaxation.costs[op]);
    reduced.action_of.push_back(relaxation.action_of[op]);
    result.origin.push_back(op);
  }
  reduced.precondition_of = inverse(reduced.preconditions, relaxation.num_propositions());
  reduced.effect_of = inverse(reduced.effects, relaxation.num_propositions());
  return result;
}

}  // namespace

const Undominated& without_dominated(const Relaxation& relaxation) {
  if (!relaxation.undominated) relaxation.undominated = std::make_shared<Undominated>(reduce(relaxation));
  return *relaxation.undominated;
}

}  // namespace liftq
