#include "planning/orbits.h"

#include <algorithm>

#include "basics/watch.h"

namespace liftq {

namespace {

int member(const Twins& twins, int name, int rank) {
  int object = name;
  while (rank-- > 0) object = twins.next[object];
  return object;
}

class MemberLister {
 public:
  MemberLister(const Twins& twins, const int* pattern, int arity)
      : twins_(twins), pattern_(pattern, pattern + arity), tuple_(arity) {}

  std::vector<int> list() {
    extend(0);
    return std::move(members_);
  }

 private:
  void extend(size_t position) {
    poll();
    if (position == tuple_.size()) {
      members_.insert(members_.end(), tuple_.begin(), tuple_.end());
      return;
    }
    const auto begin = pattern_.begin(), here = begin + static_cast<ptrdiff_t>(position);
    const auto earlier = std::find(begin, here, pattern_[position]);
    if (earlier != here) {  // the same object again
      tuple_[position] = tuple_[static_cast<size_t>(earlier - begin)];
      extend(position + 1);
      return;
    }
    for (int object = twins_.class_of[pattern_[position]]; object >= 0; object = twins_.next[object]) {
      const auto end = tuple_.begin() + static_cast<ptrdiff_t>(position);
      if (std::find(tuple_.begin(), end, object) != end) continue;  // different objects stay different
      tuple_[position] = object;
      extend(position + 1);
    }
  }

  const Twins& twins_;
  std::vector<int> pattern_, tuple_, members_;
};

}  // namespace

void Orbits::reserve(size_t orbits, size_t more_arguments) {
  schema_of.reserve(schema_of.size() + orbits);
  arguments.reserve(orbits, more_arguments);
  sizes.reserve(sizes.size() + orbits);
}

void Orbits::clear() {
  schema_of.clear();
  arguments.truncate(0);
  sizes.clear();
}

void Orbits::append(const Orbits& others, size_t first, size_t last) {
  schema_of.insert(schema_of.end(), others.schema_of.begin() + first, others.schema_of.begin() + last);
  arguments.append(others.arguments, first, last);
  sizes.insert(sizes.end(), others.sizes.begin() + first, others.sizes.begin() + last);
}

int64_t canonicalize(const Twins& twins, int* arguments, int arity) {
  int64_t size = 1;
  std::vector<int> original;  // only filled when some argument has twins
  for (int i = 0; i < arity; ++i) {
    const int object = original.empty() ? arguments[i] : original[i];
    const int name = twins.class_of[object];
    if (twins.size[name] == 1) continue;
    if (original.empty()) original.assign(arguments, arguments + arity);
    int used = 0;
    bool seen = false;
    for (int j = 0; j < i && !seen; ++j) {
      if (original[j] == object) {
        arguments[i] = arguments[j];
        seen = true;
      } else if (twins.class_of[original[j]] == name &&
                 std::find(&original[0], &original[j], original[j]) == &original[j]) {
        ++used;
      }
    }
    if (seen) continue;
    arguments[i] = member(twins, name, used);
    if (__builtin_mul_overflow(size, static_cast<int64_t>(twins.size[name] - used), &size)) size = INT64_MAX;
  }
  return size;
}

std::vector<int> orbit_members(const Twins& twins, const int* arguments, int arity) {
  return MemberLister(twins, arguments, arity).list();
}

}  // namespace liftq
