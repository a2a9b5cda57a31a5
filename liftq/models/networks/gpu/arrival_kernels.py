"""Triton kernels. A warp reduces all rows that arrive at one node of one model, without intermediate results in memory.
Only gradients of rows that several nodes receive are added by atomic operations."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def row_of(sent, source, edge, lane, width, is_lane):
    return tl.load(sent + tl.load(source + edge) * width + lane, mask=is_lane, other=0.0)


@triton.jit
def sum_of_maxima(sent, source, first, total, nodes, kinds, width, LANES: tl.constexpr):
    """The largest arriving row of each kind, summed over kinds. Edges are ordered by target and kind."""
    node, model = tl.program_id(0).to(tl.int64), tl.program_id(1).to(tl.int64)
    lane = tl.arange(0, LANES)
    is_lane = lane < width
    sent += model * nodes * kinds * width
    result = tl.zeros((LANES,), tl.float32)
    begin = tl.load(first + node * kinds)
    for kind in range(kinds):
        end = tl.load(first + node * kinds + kind + 1)
        if end > begin:
            largest = row_of(sent, source, begin, lane, width, is_lane)
            for edge in range(begin + 1, end):
                row = row_of(sent, source, edge, lane, width, is_lane)
                largest = tl.maximum(largest, row, propagate_nan=tl.PropagateNan.ALL)
            result += largest
        begin = end
    tl.store(total + (model * nodes + node) * width + lane, result, mask=is_lane)


@triton.jit
def spread_to_maxima(of_total, sent, source, first, of_sent, nodes, kinds, width, LANES: tl.constexpr):
    """The gradient of `sum_of_maxima`, in two passes over the edges of a kind: find the largest, then distribute."""
    node, model = tl.program_id(0).to(tl.int64), tl.program_id(1).to(tl.int64)
    lane = tl.arange(0, LANES)
    is_lane = lane < width
    sent += model * nodes * kinds * width
    of_sent += model * nodes * kinds * width
    gradient = tl.load(of_total + (model * nodes + node) * width + lane, mask=is_lane, other=0.0)
    begin = tl.load(first + node * kinds)
    for kind in range(kinds):
        end = tl.load(first + node * kinds + kind + 1)
        if end > begin:
            largest = row_of(sent, source, begin, lane, width, is_lane)
            count = tl.full((LANES,), 1.0, tl.float32)
            for edge in range(begin + 1, end):
                row = row_of(sent, source, edge, lane, width, is_lane)
                count = tl.where(row > largest, 1.0, tl.where(row == largest, count + 1.0, count))
                largest = tl.maximum(largest, row)
            for edge in range(begin, end):
                row = row_of(sent, source, edge, lane, width, is_lane)
                place = tl.load(source + edge) * width + lane
                tl.atomic_add(of_sent + place, gradient / count, mask=is_lane & (row == largest), sem="relaxed")
        begin = end


@triton.jit
def smooth_maximum(
    messages, order, first, log_count, smooth, largest, total, nodes, slots, alpha, width, LANES: tl.constexpr
):
    """In one pass: a larger message rescales the sum of exp(alpha (m - largest))."""
    node, model = tl.program_id(0).to(tl.int64), tl.program_id(1).to(tl.int64)
    lane = tl.arange(0, LANES)
    is_lane = lane < width
    messages += model * slots * width
    highest = tl.full((LANES,), float("-inf"), tl.float32)
    sum_below = tl.zeros((LANES,), tl.float32)
    begin, end = tl.load(first + node), tl.load(first + node + 1)
    for place in range(begin, end):
        slot = tl.load(order + place)
        message = tl.load(messages + slot * width + lane, mask=is_lane, other=0.0)
        higher = tl.maximum(highest, message, propagate_nan=tl.PropagateNan.ALL)
        term = tl.exp(alpha * (message - higher) + tl.load(log_count + slot))
        sum_below = sum_below * tl.exp(alpha * (highest - higher)) + term
        highest = higher
    here = (model * nodes + node) * width + lane
    highest, sum_below = tl.where(begin < end, highest, 0.0), tl.where(begin < end, sum_below, 1.0)
    tl.store(largest + here, highest, mask=is_lane)
    tl.store(total + here, sum_below, mask=is_lane)
    tl.store(smooth + here, highest + tl.log(sum_below) / alpha, mask=is_lane)


@triton.jit
def shares(
    of_smooth, messages, order, first, log_count, of_messages, largest, total, nodes, slots, alpha, width,
    LANES: tl.constexpr,
):  # fmt: skip
    """A message's share of the gradient is its share of the sum."""
    node, model = tl.program_id(0).to(tl.int64), tl.program_id(1).to(tl.int64)
    lane = tl.arange(0, LANES)
    is_lane = lane < width
    here = (model * nodes + node) * width + lane
    highest = tl.load(largest + here, mask=is_lane, other=0.0)
    gradient = tl.load(of_smooth + here, mask=is_lane, other=0.0) / tl.load(total + here, mask=is_lane, other=1.0)
    for place in range(tl.load(first + node), tl.load(first + node + 1)):
        slot = tl.load(order + place)
        at = (model * slots + slot) * width + lane
        message = tl.load(messages + at, mask=is_lane, other=0.0)
        share = tl.exp(alpha * (message - highest) + tl.load(log_count + slot))
        tl.store(of_messages + at, gradient * share, mask=is_lane)


@triton.jit
def sums(rows, order, first, result, nodes, slots, width, LANES: tl.constexpr):
    """The sum of the rows that arrive at each node."""
    node, model = tl.program_id(0).to(tl.int64), tl.program_id(1).to(tl.int64)
    lane = tl.arange(0, LANES)
    is_lane = lane < width
    rows += model * slots * width
    total = tl.zeros((LANES,), tl.float32)
    for place in range(tl.load(first + node), tl.load(first + node + 1)):
        total += tl.load(rows + tl.load(order + place) * width + lane, mask=is_lane, other=0.0)
    tl.store(result + (model * nodes + node) * width + lane, total, mask=is_lane)
