import { expect, it } from "vitest";
import { reportOf, result } from "../results/sample.fixture.ts";
import { neverAsked } from "../text/skips.ts";
import { skippedLines } from "./skipped.ts";

it("says what a server is never asked, and what tests it, where nothing else was to be run", () => {
  const why = neverAsked("the implementation sends this document, it does not receive it");
  const { runs } = reportOf([result({ id: "v", outcome: "skipped", why })]);
  expect(skippedLines(runs, new Map())).toEqual([
    "Skipped",
    `  1 vector: ${why}`,
    "  What a server sends is tested by --module or --command, and in parts by --scenarios without --only: they may report it under another rule.",
    "",
  ]);
});
