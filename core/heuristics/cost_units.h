// Action costs as whole numbers of a common unit.
#pragma once

#include <span>
#include <vector>

namespace liftq {

struct CostUnits {
  std::vector<int> costs;     // in units
  double units_per_cost = 1;  // a power of ten, above 1 if costs are fractions
};

// Costs finer than a millionth are rounded down, which keeps lower bounds lower bounds; so are fractions of costs whose
// sum over a path of this length would not fit. Throws std::domain_error if a cost is negative or too large.
CostUnits count_units(std::span<const double> costs, size_t longest_path);

}  // namespace liftq
