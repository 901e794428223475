import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
  const ran = () => touchstone("run", pack, "--module", accepting);
  const run = async () => (await ran()).err;
  await touchstone("generate", "--schema", schema, "--ref", part, "--out", pack);
  const before = await ran();
  expect(before.err).not.toContain("changed");
  expect(before.out).toMatch(new RegExp(`^${schema}:1:\\d+ #/type `, "m"));
  writeFileSync(part, text({ $id: "https://x.example/b", required: ["c"] }));
  const said = await run();
  expect(said).toContain(`${part} has changed since the vectors were made`);
  expect(said).toContain(`generate --schema ${schema} --ref ${part} --out ${pack}\n`);
  rmSync(part);
  expect(await run()).not.toContain("changed");
  rmSync(folder, { recursive: true });
}, 120_000);
