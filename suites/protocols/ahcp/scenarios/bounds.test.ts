import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { home } from "../../../../schemas/index.ts";
import { sharedBounds } from "../../../scenarios/bounds.ts";
import { bounds } from "./bounds.ts";

it("bounds on time are in the guide as scenarios have them", () => {
  const page = readFileSync(join(home, "suites", "protocols", "ahcp", "README.md"), "utf8");
  const rows = page.split("\n").filter((line) => /^\| `[a-z-]+` \|/.test(line));
  const wanted = [...bounds, ...sharedBounds].map(
    ({ name, says, seconds }) => `| \`${name}\` | ${says} | ${seconds} s |`,
  );
  expect(rows.filter((row) => / s \|$/.test(row))).toEqual(wanted);
});
