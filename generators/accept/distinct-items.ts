import type { Json } from "../../schemas/index.ts";
import type { Acceptance } from "./acceptance.ts";

/** Lists of different items that a loose comparison treats as equal: as strings, after type conversion, by member names, or in any order. */
const looselyEqualItems: [detail: string, items: Json[]][] = [
  ["zero-and-false", [0, false]],
  ["one-and-true", [1, true]],
  ["number-and-text", [1, "1"]],
  ["null-and-text", [null, "null"]],
  ["objects-of-the-same-names", [{ a: 1 }, { a: 2 }]],
  [
    "lists-in-another-order",
    [
      [1, 2],
      [2, 1],
    ],
  ],
];

/** Lists of unique items that are almost equal. */
export const distinctItemsAcceptance: Acceptance = {
  name: "unlike",
  keywords: ["uniqueItems"],
  *demand() {
    for (const [detail, items] of looselyEqualItems)
      yield {
        name: "different-items",
        detail,
        constraint: { op: "in", values: [items] },
        says: `has items that are different, ${JSON.stringify(items)}`,
      };
  },
};
