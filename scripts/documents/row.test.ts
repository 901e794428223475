import { expect, it } from "vitest";
import { figuresOf, rowOf, tableOf, versionIn } from "./row.ts";

const figures = { file: "shop/openapi.yaml", size: 12_288, vectors: 40 };

it("a row counts unread operations by reason, without quotations", () => {
  const unread = [
    'nothing is sent to /a?x, which cannot be read: shop.yaml:3:1 (#/paths/~1a?x): "/a?x" is not a path',
    'nothing is sent to /b#y, which cannot be read: shop.yaml:9:1 (#/paths/~1b#y): "/b#y" is not a path',
    "nothing is sent to c, which cannot be read: shop.yaml:20:1 (#/paths/~1c/get): expected an object",
  ];
  const row = rowOf({ ...figures, seconds: 1.26, mebibytes: 170, unread, all: 9, chosen: 7 }, "3.1.0");
  const why = "2: … is not a path; 1: expected an object";
  expect(row).toEqual(["shop/openapi", "3.1.0", "12", "9", "7", why, "40", "1.3", "170"]);
});

it("a row shows the failure in place of the figures", () => {
  const row = rowOf({ ...figures, vectors: 0, failure: "not within 300 s" }, "3.1.0");
  expect(row).toEqual(["shop/openapi", "3.1.0", "12", "", "", "not within 300 s", "0", "", ""]);
});

it("a table escapes vertical bars", () => {
  expect(
    tableOf([["a|b"]])
      .split("\n")
      .at(-1),
  ).toBe("| a\\|b |");
});

it("reads the figures of a document, or the failure, from the output of the program", () => {
  const output =
    'nothing is sent to /a?x, which cannot be read: a.yaml:1:1: "/a?x" is not a path\nplan: 12 of 1,204 operations, 3 documents\n{"seconds":2,"mebibytes":90}\n';
  const { unread, ...others } = figuresOf(output);
  expect(unread).toHaveLength(1);
  expect(others).toEqual({ all: 1204, chosen: 12, seconds: 2, mebibytes: 90 });
  expect(figuresOf('plan: 1 message, 1 document\n{"seconds":2}\n')).toMatchObject({ all: 1, chosen: 1 });
  expect(figuresOf("touchstone: a.json:1:1 found a tab\n{}")).toEqual({ failure: "found a tab" });
});

it.each([
  ['{"info": {}, "openapi": "3.0.3"}', "3.0.3"],
  ["asyncapi: 3.0.0\n", "asyncapi 3.0.0"],
  ["swagger: '2.0'\n", "swagger 2.0"],
  ["commentId:\n  description: an openapi: 3.0 thing\n", ""],
])("the version of %j is %s", (text, version) => expect(versionIn(text)).toBe(version));
