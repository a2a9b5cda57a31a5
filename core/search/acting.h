// How a policy turns the values of one pass into actions.
#pragma once

#include <cstddef>

namespace liftq {

struct Acting {
  double gap = 0;           // actions this much worse than the best are taken too,
  double relative_gap = 0;  // or this share of the best value, if that is more
  size_t most = 1;          // actions from one pass
  double share = 1;         // the most actions, as a share of the expected rest of the plan
  double price = 0;         // of repeating an action without progress
  bool searching = false;   // best-first from the start, with h_FF and landmarks beside the values
  bool search = true;       // whether search helps a policy that is lost
  bool again = false;       // whether it also plays one by one where passes are cheap: the cheaper plan counts
  bool give_up = false;     // without search: end as soon as the run is known to fail
};

}  // namespace liftq
