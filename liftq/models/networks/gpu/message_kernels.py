"""Triton kernels for the messages of the R-GNN. A job is a tile of rows of one relation and a block of columns, so that
one launch serves relations of all lengths and arities. Tiles of padding alone are skipped."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def mish(x):
    """x tanh(log(1 + exp(x)))."""
    e = tl.exp(tl.minimum(x, 20.0))
    s = e * (e + 2.0)
    return x * s / (s + 2.0)


@triton.jit
def slope_of_mish(x):
    e = tl.exp(tl.minimum(x, 20.0))
    s = e * (e + 2.0)
    return s / (s + 2.0) + 4.0 * x * e * (1.0 + e) / ((s + 2.0) * (s + 2.0))


@triton.jit
def read(jobs):
    """The columns of this program's job, see `Jobs`."""
    job = jobs + tl.program_id(0) * 11
    slot, place, count = tl.load(job), tl.load(job + 1), tl.load(job + 2)
    size, units, block, unit_block = tl.load(job + 3), tl.load(job + 4), tl.load(job + 5), tl.load(job + 6)
    inner, inner_bias, outer, outer_bias = tl.load(job + 7), tl.load(job + 8), tl.load(job + 9), tl.load(job + 10)
    return slot, place, count, size, units, block, unit_block, inner, inner_bias, outer, outer_bias


@triton.jit
def products(
    jobs, rows, node, weights, hidden, result, nodes, row_numbers, result_numbers, weight_numbers, hidden_numbers,
    TO_HIDDEN: tl.constexpr, BACKWARD: tl.constexpr, WIDTH: tl.constexpr, LANES: tl.constexpr, ROWS: tl.constexpr,
    PRECISION: tl.constexpr,
):  # fmt: skip
    """From slots to the hidden layer or from there to slots; backward, the gradients of the other way.

    Forward, rows to the hidden layer are those of the slots' nodes. All of a model's numbers come one after the other.
    """
    model = tl.program_id(1).to(tl.int64)
    slot, place, count, size, units, block, unit_block, inner, inner_bias, outer, outer_bias = read(jobs)
    weights += model * weight_numbers
    if tl.load(node + slot) < nodes:
        if TO_HIDDEN:
            inputs, outputs, begin, end, block = size, units, slot * WIDTH, place, unit_block
        else:
            inputs, outputs, begin, end = units, size, place, slot * WIDTH
        if TO_HIDDEN != BACKWARD:
            weight, bias = inner, inner_bias
        else:
            weight, bias = outer, outer_bias
        row, lane = tl.arange(0, ROWS), tl.arange(0, LANES)
        is_row = row < count
        output = block * WIDTH + lane
        is_output = (lane < WIDTH) & (output < outputs)
        total = tl.zeros((ROWS, LANES), tl.float32)
        for first in range(0, inputs, WIDTH):
            unit = first + lane
            is_unit = (lane < WIDTH) & (unit < inputs)
            is_given = is_row[:, None] & is_unit[None, :]
            if TO_HIDDEN and not BACKWARD:
                whose = tl.load(node + slot + row * (size // WIDTH) + first // WIDTH, mask=is_row, other=0)
                at = model * row_numbers + whose[:, None] * WIDTH + lane[None, :]
            else:
                at = model * row_numbers + begin + row[:, None] * inputs + unit[None, :]
            given = tl.load(rows + at, mask=is_given, other=0.0)
            if BACKWARD:
                at_weight = unit[:, None] * outputs + output[None, :]
            else:
                at_weight = output[None, :] * inputs + unit[:, None]
                if not TO_HIDDEN:
                    given = mish(given)
            factor = tl.load(weights + weight + at_weight, mask=is_unit[:, None] & is_output[None, :], other=0.0)
            total += tl.dot(given, factor, input_precision=PRECISION)
        at = row[:, None] * outputs + output[None, :]
        is_result = is_row[:, None] & is_output[None, :]
        if not BACKWARD:
            total += tl.load(weights + bias + output, mask=is_output, other=0.0)[None, :]
        elif TO_HIDDEN:
            total *= slope_of_mish(tl.load(hidden + model * hidden_numbers + place + at, mask=is_result, other=0.0))
        tl.store(result + model * result_numbers + end + at, total, mask=is_result)


@triton.jit
def gradients_of_weights(
    jobs, embeddings, node, hidden, of_messages, of_hidden, of_weights, nodes, embedding_numbers, slot_numbers,
    hidden_numbers, weight_numbers, WIDTH: tl.constexpr, LANES: tl.constexpr, ROWS: tl.constexpr,
    PRECISION: tl.constexpr,
):  # fmt: skip
    """A block of those to the hidden layer and of those from there, added up over the rows of a job."""
    model = tl.program_id(1).to(tl.int64)
    slot, place, count, size, units, block, unit_block, inner, inner_bias, outer, outer_bias = read(jobs)
    arity = size // WIDTH
    lane = tl.arange(0, LANES)
    of_slot, of_unit = block * WIDTH + lane, unit_block * WIDTH + lane
    is_slot, is_unit = lane < WIDTH, (lane < WIDTH) & (of_unit < units)
    of_inner, of_outer = tl.zeros((LANES, LANES), tl.float32), tl.zeros((LANES, LANES), tl.float32)
    of_inner_bias, of_outer_bias = tl.zeros((LANES,), tl.float32), tl.zeros((LANES,), tl.float32)
    embeddings += model * embedding_numbers
    of_messages += model * slot_numbers + slot * WIDTH
    hidden += model * hidden_numbers + place
    of_hidden += model * hidden_numbers + place
    for first in range(0, count, ROWS):
        if tl.load(node + slot + first * arity) < nodes:
            row = first + tl.arange(0, ROWS)
            is_row = row < count
            whose = tl.load(node + slot + row * arity + block, mask=is_row, other=nodes)
            is_row &= whose < nodes
            by_slot, by_unit = is_row[:, None] & is_slot[None, :], is_row[:, None] & is_unit[None, :]
            given = tl.load(embeddings + whose[:, None] * WIDTH + lane[None, :], mask=by_slot, other=0.0)
            message = tl.load(of_messages + row[:, None] * size + of_slot[None, :], mask=by_slot, other=0.0)
            at = row[:, None] * units + of_unit[None, :]
            before = tl.load(hidden + at, mask=by_unit, other=0.0)
            change = tl.load(of_hidden + at, mask=by_unit, other=0.0)
            of_inner += tl.dot(tl.trans(change), given, input_precision=PRECISION)
            of_outer += tl.dot(tl.trans(message), mish(before), input_precision=PRECISION)
            of_inner_bias += tl.sum(change, 0)
            of_outer_bias += tl.sum(message, 0)
    of_weights += model * weight_numbers
    at_inner = inner + of_unit[:, None] * size + of_slot[None, :]
    tl.atomic_add(of_weights + at_inner, of_inner, mask=is_unit[:, None] & is_slot[None, :], sem="relaxed")
    at_outer = outer + of_slot[:, None] * units + of_unit[None, :]
    tl.atomic_add(of_weights + at_outer, of_outer, mask=is_slot[:, None] & is_unit[None, :], sem="relaxed")
    if block == 0:
        tl.atomic_add(of_weights + inner_bias + of_unit, of_inner_bias, mask=is_unit, sem="relaxed")
    if unit_block == 0:
        tl.atomic_add(of_weights + outer_bias + of_slot, of_outer_bias, mask=is_slot, sem="relaxed")
