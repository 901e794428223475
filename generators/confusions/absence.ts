import { type Confusion, valueConfusion } from "./confusion.ts";

/** Rust's `Option`, Java's `Optional` and Go's pointers do not distinguish null from absent. */
export const nullForAbsent: Confusion = valueConfusion({
  name: "null-for-absent",
  says: "null is accepted as an absent member",
  shown: "is null, which some readers treat as absent",
  appliesTo: () => true,
  value: (value) => (value === null ? "absent" : undefined),
  near: () => [null],
});

/** Go's `omitempty` and repeated fields of Protocol Buffers treat an empty list as absent. */
export const emptyList: Confusion = valueConfusion({
  name: "empty-list-for-absent",
  says: "an empty list is accepted as an absent member",
  shown: "is an empty list, which some readers treat as absent",
  appliesTo: ({ types }) => types.size === 0 || types.has("array"),
  value: (value) => (Array.isArray(value) && value.length === 0 ? "absent" : undefined),
  near: () => [[]],
});
