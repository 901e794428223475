import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { home } from "../../../../schemas/index.ts";
import { tolerance } from "./deadline.ts";
import { pushBound } from "./due.ts";
import { longestPause, prompt, silence } from "./pushes.ts";

it("bounds on time are in the guide as scenarios have them", () => {
  const page = readFileSync(join(home, "suites", "protocols", "ahcp", "README.md"), "utf8");
  const row = (what: string): string => page.split("\n").find((line) => line.startsWith(`| ${what}`)) ?? "";
  expect(row("the first push of an outcome")).toContain(`| ${pushBound} s |`);
  expect(row("the same where the hook")).toContain(`| ${prompt / 1000} s |`);
  expect(row("the next attempt")).toContain(`| ${longestPause / 1000} s |`);
  expect(row("nothing, where no push may come")).toContain(`| ${silence / 1000} s, and`);
  expect(row("an expiry, after its deadline")).toContain(`| ${tolerance} s |`);
});
