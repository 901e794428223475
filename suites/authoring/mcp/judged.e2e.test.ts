import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Report, Result } from "../../../schemas/index.ts";
import { runSuite } from "../../running/run/suite.ts";
import { type McpFixture, mcpFixture } from "../../targets/mcp.fixture.ts";
import { makeVectors, writeTexts } from "../generate/make.ts";
import { documentsOf, listTools } from "./index.ts";

const timeout = 300_000;
let fixture: McpFixture;
let folder: string;
let pack: string;

/** All servers here list the same tools, so they have the same vectors. */
beforeAll(async () => {
  fixture = mcpFixture();
  folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  pack = join(folder, "tools");
  const { texts } = await documentsOf(await listTools({ server: fixture.command() }), folder, pack);
  writeTexts(pack, texts);
  await makeVectors(pack, { effort: 0.1 });
}, timeout);
afterAll(() => {
  fixture.remove();
  rmSync(folder, { recursive: true });
});

async function runTools(code: string, ...tools: string[]): Promise<{ report: Report; results: Result[] }> {
  const allowed = tools.length === 0 ? ["*"] : tools;
  const report = await runSuite({
    protocols: pack,
    target: { kind: "mcp", server: fixture.command(code), tools: allowed },
    skip: ["**/raw/**"],
  });
  const results = report.runs.flatMap((targetRun) => targetRun.results);
  return {
    report,
    results: results.filter(({ why = "" }) => !/object by the protocol|not allowed|__proto__/.test(why)),
  };
}

it("reports no violation by correct tools", { timeout }, async () => {
  const { report, results } = await runTools("");
  expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(["conforms"]));
  expect(new Set(results.map(({ document }) => document))).toEqual(new Set(["draw-line", "set-title", "count"]));
  expect(report.counts.conforms).toBeGreaterThan(60);
});

it("names the ignored minItems and the ignored additionalProperties", { timeout }, async () => {
  const { results } = await runTools(`
    const { draw_line, set_title } = wrong;
    wrong.draw_line = (input) => Array.isArray(input.points) && input.points.length < 2 ? undefined : draw_line(input);
    wrong.set_title = ({ title }) => set_title({ title });`);
  const sites = results.flatMap(({ outcome, site = "" }) => (outcome === "violates" ? [site] : []));
  expect(new Set(sites)).toEqual(
    new Set([
      "schema:/draw-line.schema.json#/properties/points/minItems",
      "schema:/set-title.schema.json#/additionalProperties",
    ]),
  );
});

it("does not report a tool that refuses valid input for reasons outside of its schema", { timeout }, async () => {
  const { report, results } = await runTools(`
    result.draw_line = () => ({ ...text("no such file"), isError: true });
    const call = on["tools/call"];
    on["tools/call"] = (message) => message.params.name === "count" && wrong.count(message.params.arguments) === undefined
      ? fail(message, -32602, "Unknown language") : call(message);`);
  const outcomes = (document: string): Set<string> =>
    new Set(
      results.flatMap((result) => (result.verdict === "valid" && result.document === document ? [result.outcome] : [])),
    );
  expect(outcomes("draw-line")).toEqual(new Set(["skipped"]));
  expect(outcomes("count")).toEqual(new Set(["warns"]));
  expect(outcomes("set-title")).toEqual(new Set(["conforms"]));
  expect(report.counts.violates).toBe(0);
});

it("reports valid input that is refused as invalid, and results that violate the outputSchema", {
  timeout,
}, async () => {
  const { results } = await runTools(
    `const { draw_line } = wrong;
    wrong.draw_line = (input) => input.points?.length === 4 ? "points must NOT have more than 3 items" : draw_line(input);
    result.count = () => ({ ...text("-1"), structuredContent: { count: -1 } });`,
    "draw_line",
    "count",
  );
  const violations = results.filter(({ outcome }) => outcome === "violates");
  expect(new Set(violations.map(({ document, verdict }) => `${document} ${verdict}`))).toEqual(
    new Set(["draw-line valid", "count valid"]),
  );
  expect(violations.find(({ document }) => document === "draw-line")?.why).toMatch(/refused, although it is valid/);
  const countViolations = violations.filter(({ document }) => document === "count");
  expect(countViolations[0]?.why).toMatch(/not as its outputSchema says: \/count must be >= 0/);
  expect(new Set(countViolations.map(({ site }) => site?.replace(/^.*\//, "")))).toEqual(new Set(["minimum"]));
});

it("keeps the results so far if a server is lost during the run", { timeout }, async () => {
  const { report, results } = await runTools(
    `import { existsSync, writeFileSync } from "node:fs";
    const state = ${JSON.stringify(join(folder, "dead"))};
    if (existsSync(state)) process.exit(9);
    let calls = 0; const call = on["tools/call"];
    on["tools/call"] = (message) => {
      if (++calls === 10) { writeFileSync(state, ""); process.exit(9); }
      call(message);
    };`,
    "draw_line",
  );
  expect(report.complete).toBe(false);
  expect(report.runs[0]?.failure?.message).toMatch(/exited with code 9/);
  expect(results.filter(({ outcome }) => outcome === "conforms")).toHaveLength(9);
});
