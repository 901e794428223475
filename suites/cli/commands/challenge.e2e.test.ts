import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Report } from "../../../schemas/index.ts";
import { touchstone } from "../process.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("runs vectors that are made for the run, and prints a command that repeats one of them", async () => {
  const module = join(folder, "accepts.mjs");
  writeFileSync(module, "export default () => true;");
  const args = ["challenge", "ahcp", "--module", module, "--no-config", "--runs", "20"];
  const { code, out, err } = await touchstone(...args);
  const [, seed] = /^seed (\d+)$/m.exec(err) ?? [];
  expect(code).toBe(1);
  const [, replayLine = ""] = /replay\s+npm run -s touchstone -- (.*)/.exec(out) ?? [];
  expect(replayLine).toMatch(`--seed ${seed} --runs 20 --only ahcp/0.3/`);
  const repeatedRun = await touchstone(...replayLine.split(" "), "--report", "json");
  const report = JSON.parse(repeatedRun.out) as Report;
  expect([repeatedRun.code, report.counts.violates, report.runs[0]?.results.length]).toEqual([1, 1, 1]);
});
