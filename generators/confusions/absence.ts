import { type Confusion, ofValue } from "./confusion.ts";

/** `Option` of Rust, `Optional` of Java, and pointers of Go: both are nothing there. */
export const nullForAbsent: Confusion = ofValue({
  name: "null-for-absent",
  says: "null is taken for a member that is absent",
  shown: "is null, which is taken for absent by some",
  isAt: () => true,
  value: (value) => (value === null ? "absent" : undefined),
  near: () => [null],
});

/** `omitempty` of Go, and lists of protocol buffers. */
export const emptyList: Confusion = ofValue({
  name: "empty-list-for-absent",
  says: "an empty list is taken for a member that is absent",
  shown: "is an empty list, which is taken for absent by some",
  isAt: ({ types }) => types.size === 0 || types.has("array"),
  value: (value) => (Array.isArray(value) && value.length === 0 ? "absent" : undefined),
  near: () => [[]],
});
