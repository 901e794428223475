import { expect, it } from "vitest";
import { asPublished } from "./families.ts";

const made = ["A/1", "A/2", "B/1", "C/1", "D/1"];
const nameOf = (each: string) => ({ rule: each.slice(0, 1), name: each.slice(2) });

it("puts cases in their published order, those separate from their rule in place, and unlisted ones at the end", () => {
  const published = { order: ["D", "C", "A", "B", "A/2"] };
  expect(asPublished({ published }, "order", made, nameOf)).toEqual(["D/1", "C/1", "A/1", "B/1", "A/2"]);
  expect(asPublished({ published: { order: ["C"] } }, "order", made, nameOf)).toEqual([
    "C/1",
    "A/1",
    "A/2",
    "B/1",
    "D/1",
  ]);
});

it("leaves the order of the files to documents without a published one", () => {
  expect(asPublished({ published: { order: ["D"] } }, "receipt", made, nameOf)).toEqual(made);
  expect(asPublished({ published: { order: ["D"], "*": ["B"] } }, "receipt", made, nameOf)[0]).toBe("B/1");
  expect(asPublished({}, "order", made, nameOf)).toEqual(made);
});
