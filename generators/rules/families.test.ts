import { expect, it } from "vitest";
import { asPublished } from "./families.ts";

const caseIds = ["A/1", "A/2", "B/1", "C/1", "D/1"];
const nameOf = (caseId: string) => ({ rule: caseId.slice(0, 1), name: caseId.slice(2) });

it("sorts cases in their published order, including cases listed separately from their rule, with unlisted cases last", () => {
  const published = { order: ["D", "C", "A", "B", "A/2"] };
  expect(asPublished({ published }, "order", caseIds, nameOf)).toEqual(["D/1", "C/1", "A/1", "B/1", "A/2"]);
  expect(asPublished({ published: { order: ["C"] } }, "order", caseIds, nameOf)).toEqual([
    "C/1",
    "A/1",
    "A/2",
    "B/1",
    "D/1",
  ]);
});

it("keeps the order of the files for a document without a published order", () => {
  expect(asPublished({ published: { order: ["D"] } }, "receipt", caseIds, nameOf)).toEqual(caseIds);
  expect(asPublished({ published: { order: ["D"], "*": ["B"] } }, "receipt", caseIds, nameOf)[0]).toBe("B/1");
  expect(asPublished({}, "order", caseIds, nameOf)).toEqual(caseIds);
});
