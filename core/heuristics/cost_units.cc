#include "heuristics/cost_units.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace liftq {

namespace {

constexpr double kMostUnits = 1 << 30;  // on a path
constexpr double kFinest = 1e6;         // units per cost

bool is_whole(double units) { return std::abs(units - std::round(units)) < 1e-9 * std::max(1.0, units); }

}  // namespace

CostUnits count_units(std::span<const double> costs, size_t longest_path) {
  double most = 0;
  for (double cost : costs) {
    if (!(cost >= 0)) throw std::domain_error("an action costs less than 0\n  Heuristics need costs of at least 0.");
    most = std::max(most, cost);
  }
  const double longest = most * static_cast<double>(longest_path);
  if (!(longest <= kMostUnits))
    throw std::domain_error("action costs are too large for heuristics\n  Scale them down.");
  CostUnits result;
  double& scale = result.units_per_cost;
  const auto is_whole_now = [&](double cost) { return is_whole(cost * scale); };
  while (scale < kFinest && longest * scale * 10 <= kMostUnits && !std::ranges::all_of(costs, is_whole_now))
    scale *= 10;
  for (double cost : costs) {
    const double units = cost * scale;
    result.costs.push_back(static_cast<int>(is_whole(units) ? std::round(units) : std::floor(units)));
  }
  return result;
}

}  // namespace liftq
