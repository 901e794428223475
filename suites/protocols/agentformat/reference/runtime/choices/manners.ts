import type { RuntimeChoice } from "./choice.ts";

export const tempoChoices: readonly RuntimeChoice[] = (
  [
    ["late-0-1s", 1, "0.1 s"],
    ["late-1s", 4, "1 s"],
    ["late-3s", 10, "3 s"],
  ] as const
).map(([name, emptyReads, time]) => ({
  name,
  kind: "tempo",
  factor: "late",
  freedoms: [],
  says: `needs ${time} for each of its first calls, on its own clock that runs faster`,
  manners: { emptyReads },
}));

export const runtimeManners: readonly RuntimeChoice[] = [
  {
    name: "text-ids",
    kind: "transport",
    freedoms: [],
    says: "uses strings without an order as ids of call-backs",
    manners: { hasTextIds: true },
  },
  {
    name: "more-members",
    kind: "transport",
    freedoms: [],
    says: "adds members to its messages that the binding does not define",
    manners: { hasMore: true },
  },
  {
    name: "one-at-a-time",
    kind: "transport",
    freedoms: [],
    says: "returns one message per read",
    manners: { isSingle: true },
  },
  {
    name: "own-time",
    kind: "tempo",
    freedoms: [],
    says: "has a time limit that its clock hook does not affect",
    manners: { hasOwnTime: true },
  },
];
