import { expect, it } from "vitest";
import { rowOf, tableOf, wholeOf } from "./row.ts";

const file = "/tmp/shop.openapi.yaml";
const outline = { version: "3.1.0", kib: 12, names: ["a", "b"] };

it("a row says what is not read, by reasons that quote nothing", () => {
  const unread = [
    'nothing is sent to /a?x, which cannot be read: shop.yaml:3:1 (#/paths/~1a?x): "/a?x" is no path',
    'nothing is sent to /b#y, which cannot be read: shop.yaml:9:1 (#/paths/~1b#y): "/b#y" is no path',
    "nothing is sent to c, which cannot be read: shop.yaml:20:1 (#/paths/~1c/get): an object is expected here",
  ];
  const whole = { seconds: 1.26, mebibytes: 170, unread, operations: 7 };
  const row = rowOf({ file, outline, whole, few: { vectors: 40, seconds: 2, mebibytes: 150 } });
  const why = "2: … is no path; 1: an object is expected here";
  expect(row).toEqual(["shop.openapi", "3.1.0", "12", "7", why, "1.3", "170", "40", "2.0", "150"]);
});

it("a row says where a part failed", () => {
  const failure = "not within 300 s";
  expect(rowOf({ file, outline, whole: { failure }, few: { failure } })).toEqual([
    "shop.openapi",
    "3.1.0",
    "12",
    "",
    failure,
    "",
    "",
    failure,
    "",
    "",
  ]);
  expect(rowOf({ file, outline, few: { failure } }).slice(3, 5)).toEqual(["2", "not measured"]);
  expect(rowOf({ file, outline: { failure: "no JSON" }, whole: { failure }, few: { failure } })[1]).toBe("no JSON");
});

it("a table has a line for each row, and escapes bars", () => {
  expect(
    tableOf([["a|b"]])
      .split("\n")
      .at(-1),
  ).toBe("| a\\|b |");
});

it("the figures of a whole document are what the program says", () => {
  const said =
    'nothing is sent to /a?x, which cannot be read: a.yaml:1:1: "/a?x" is no path\nplan: 1,204 operations, 3 documents\n{"seconds":2,"mebibytes":90}\n';
  const { unread, ...others } = wholeOf(said) as { unread: string[] };
  expect(unread).toHaveLength(1);
  expect(others).toEqual({ operations: 1204, seconds: 2, mebibytes: 90 });
  expect(wholeOf("touchstone: a.json:1:1 found a tab\n{}")).toEqual({ failure: "found a tab" });
});
