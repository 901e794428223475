import { expect, it } from "vitest";
import { notCheckedLines } from "./not-checked.ts";

it("names the protocol once, and has a line for each reason", () => {
  const notCheckedOf = (protocol: string, profile: string, why = "not asked for") => {
    return { protocol, version: "1.0", profile, results: 2, why };
  };
  const all = [
    notCheckedOf("a", "text@1"),
    notCheckedOf("a", "core@1", "skipped"),
    notCheckedOf("a", "live@1"),
    notCheckedOf("b", "text@1"),
  ];
  expect(notCheckedLines(all)).toEqual([
    "not checked: a 1.0 text@1, 2 results; live@1, 2 results; b 1.0 text@1, 2 results (not asked for)",
    "not checked: a 1.0 core@1, 2 results (skipped)",
  ]);
  expect(notCheckedLines([])).toEqual([]);
});
