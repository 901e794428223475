import type { RuntimeChoice } from "./choice.ts";

export const tempo: readonly RuntimeChoice[] = (
  [
    ["late-0-1s", 1, "0.1 s"],
    ["late-1s", 4, "1 s"],
    ["late-3s", 10, "3 s"],
  ] as const
).map(([name, late, time]) => ({
  name,
  kind: "tempo",
  factor: "late",
  freedoms: [],
  says: `needs some ${time} for each of its first calls, on a clock of its own that runs faster`,
  manners: { late },
}));

export const runtimeManners: readonly RuntimeChoice[] = [
  {
    name: "text-ids",
    kind: "transport",
    freedoms: [],
    says: "has call-backs with texts as ids, in no order",
    manners: { hasTextIds: true },
  },
  {
    name: "more-members",
    kind: "transport",
    freedoms: [],
    says: "has members in its messages that the binding does not have",
    manners: { hasMore: true },
  },
  {
    name: "one-at-a-time",
    kind: "transport",
    freedoms: [],
    says: "gives one message each time that it is listened to",
    manners: { isSingle: true },
  },
  {
    name: "own-time",
    kind: "tempo",
    freedoms: [],
    says: "has a limit of time that its clock hook does not move",
    manners: { hasOwnTime: true },
  },
];
