// SPDX-License-Identifier: Apache-2.0
// Call stacks and slices of a trace as the nested frames that the graph draws. Over time, frames stand in the order in
// which they were, and one without a name fills the time in which a caller ran itself.
"use strict";
const frames_of = (data) => {
  const numbers = new Map(data.functions.map((f) => [f.name, f.number]).reverse());
  const frame_of = (name) => ({ name, children: [], value: 0, ...(numbers.has(name) && { number: numbers.get(name) }) });
  const last_of = (list) => list[list.length - 1];
  // Over time a call joins the one before it only, else all of its name.
  const inner_frame = (node, name, over_time) => {
    const last = last_of(node.children);
    const known = over_time ? last && last.name === name && last : node.children.find((inner) => inner.name === name);
    if (!known) node.children.push(frame_of(name));
    return known || last_of(node.children);
  };
  const hart_frame = (root, hart) => inner_frame(root, `hart ${hart}`, false);
  const value_of_children = (node) => node.children.reduce((all, inner) => all + inner.value, 0);

  const add_stack = (root, stack, weight, over_time) => {
    let node = root;
    node.value += weight;
    for (const index of stack) {
      node = inner_frame(node, data.calls.names[index], over_time);
      node.value += weight;
    }
    if (over_time) inner_frame(node, "", true).value += weight;
  };
  // Where only the function is known, and it was in the stack before, it still is.
  const joined = (stack, before) => {
    const depth = stack.length === 1 && before ? before.stack.lastIndexOf(stack[0]) : -1;
    return depth < 0 ? stack : before.stack.slice(0, depth + 1);
  };

  // `stacks`: weight by the number of a stack.
  const of_stacks = (stacks) => {
    const root = frame_of("all");
    for (const [stack, weight] of stacks) add_stack(root, data.calls.stacks[stack], weight, false);
    return root;
  };
  // `each_sample` tells the place of each sample in data.samples.
  const of_samples_over_time = (each_sample) => {
    const root = frame_of("all");
    const under = new Map(); // by hart: a handler runs on top of what it interrupted in a lower mode
    each_sample((at) => {
      const [mode, hart] = [data.samples[at + 3], data.samples[at + 4]];
      const before = under.get(hart) || [];
      const stack = joined(data.calls.stacks[data.calls.of_samples[at / 5]], before.find((one) => one.mode === mode));
      under.set(hart, [...before.filter((one) => one.mode < mode), { mode, stack }]);
      add_stack(hart_frame(root, hart), under.get(hart).flatMap((one) => one.stack), 1, true);
    });
    root.value = value_of_children(root);
    return root;
  };
  // `span`: null, or first cycle and cycle behind the last.
  const of_trace = (span, over_time) => {
    const root = frame_of("all");
    const { names, slices } = data.traced;
    const [from, to] = span || [0, Infinity];
    let path = []; // open frames, and until when each is filled
    let hart = -1;
    for (let i = 0; i < slices.length; i += 5) {
      const name = names[slices[i + 2]];
      const begin = Math.max(slices[i + 3], from);
      const end = Math.min(slices[i + 4], to);
      if (begin >= end) continue;
      if (slices[i] !== hart) {
        hart = slices[i];
        path = [{ node: hart_frame(root, hart), filled: begin }];
      }
      path.length = Math.min(slices[i + 1] + 1, path.length);
      const outer = last_of(path);
      if (over_time && begin > outer.filled) outer.node.children.push({ ...frame_of(""), value: begin - outer.filled });
      if (over_time) outer.node.children.push(frame_of(name));
      const node = over_time ? last_of(outer.node.children) : inner_frame(outer.node, name, false);
      node.value += end - begin;
      outer.filled = end;
      path.push({ node, filled: begin });
    }
    for (const of_hart of root.children) of_hart.value = value_of_children(of_hart);
    root.value = value_of_children(root);
    return root;
  };
  return { of_stacks, of_samples_over_time, of_trace };
};
