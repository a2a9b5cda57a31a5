// Makes plans cheaper by letting one object do the work of another: one tray goes to all tables, one truck takes all
// parcels. The steps of one object become steps of the other; then all steps are taken as they become possible, with
// single actions between them where that helps. Those that stay impossible are left out.
#pragma once

#include <vector>

#include "planning/engine.h"
#include "search/plan.h"

namespace liftq {

// A cheaper plan in which one object does the work of another, without needless actions; the same plan if there is
// none.
std::vector<Step> hand_over(Engine& engine, const std::vector<Step>& plan);

}  // namespace liftq
