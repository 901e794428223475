import { expect, it } from "vitest";
import { formatNotChecked } from "./not-checked.ts";

it("writes one line for each reason, and names a protocol once within a line", () => {
  const notChecked = (protocol: string, profile: string, why = "not asked for") => {
    return { protocol, version: "1.0", profile, results: 2, why };
  };
  const entries = [
    notChecked("a", "text@1"),
    notChecked("a", "core@1", "skipped"),
    notChecked("a", "live@1"),
    notChecked("b", "text@1"),
  ];
  expect(formatNotChecked(entries)).toEqual([
    "not checked: a 1.0 text@1, 2 results; live@1, 2 results; b 1.0 text@1, 2 results (not asked for)",
    "not checked: a 1.0 core@1, 2 results (skipped)",
  ]);
  expect(formatNotChecked([])).toEqual([]);
});
