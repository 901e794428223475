import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { touchstone } from "./process.fixture.ts";

it("a run says which schema of the user's has changed since the vectors were made, and how to make them anew", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  const [schema, part, pack, accepting] = ["a.json", "refs/b.json", "pack", "all.mjs"].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  mkdirSync(join(folder, "refs"));
  const text = (more: object) => JSON.stringify({ type: "object", ...more });
  writeFileSync(schema, text({ $id: "https://x.example/a", properties: { b: { $ref: "b" } } }));
  writeFileSync(part, text({ $id: "https://x.example/b" }));
  writeFileSync(accepting, "export default () => true;");
  const ran = (...more: string[]) => touchstone("run", pack, "--module", accepting, ...more);
  await touchstone("generate", "--schema", schema, "--ref", part, "--out", pack);
  const before = await ran();
  expect(before.out + before.err).not.toContain("changed since");
  expect(before.out).toMatch(new RegExp(`^${schema}:1:\\d+ #/type `, "m"));
  writeFileSync(part, text({ $id: "https://x.example/b", required: ["c"] }));
  const kinds = ["markdown", "json", "jsonl", "html"];
  const file = (kind: string) => join(folder, `report.${kind}`);
  const reports = kinds.flatMap((kind) => ["--report", `${kind}=${file(kind)}`]);
  const said = (await ran("--quiet", "--report", "terminal", "--report", "github", ...reports)).out;
  expect(said).toContain(`\n${part} has changed since the vectors were made`);
  expect(said).toContain(`generate --schema ${schema} --ref ${part} --out ${pack}\n`);
  expect(said).toMatch(/^::warning .*title=\S+ 1::\S+b\.json has changed since the vectors were made/m);
  for (const kind of kinds) expect(readFileSync(file(kind), "utf8")).toMatch(/"changed"|has changed since the vectors/);
  expect((await touchstone("report", "render", file("json"))).out).toContain(`${part} has changed`);
  expect(await ran("--quiet", "--report", "json")).toMatchObject({
    err: expect.stringContaining(`${part} has changed`),
  });
  rmSync(part);
  expect((await ran()).out).not.toContain("changed since");
  rmSync(folder, { recursive: true });
}, 120_000);
