import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { touchstone } from "../process.fixture.ts";

it("a run reports schemas that have changed since the vectors were made, and the command to regenerate them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  const [schema, part, pack, accepting] = ["a.json", "refs/b.json", "pack", "all.mjs"].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  mkdirSync(join(folder, "refs"));
  const text = (keywords: object) => JSON.stringify({ type: "object", ...keywords });
  writeFileSync(schema, text({ $id: "https://x.example/a", properties: { b: { $ref: "b" } } }));
  writeFileSync(part, text({ $id: "https://x.example/b" }));
  writeFileSync(accepting, "export default () => true;");
  const runPack = (...args: string[]) => touchstone("run", pack, "--module", accepting, ...args);
  await touchstone("generate", "--schema", schema, "--ref", part, "--out", pack);
  const before = await runPack();
  expect(before.out + before.err).not.toContain("changed since");
  expect(before.out).toMatch(new RegExp(`^${schema}:1:\\d+ #/type `, "m"));
  writeFileSync(part, text({ $id: "https://x.example/b", required: ["c"] }));
  const kinds = ["markdown", "json", "jsonl", "html"];
  const file = (kind: string) => join(folder, `report.${kind}`);
  const reports = kinds.flatMap((kind) => ["--report", `${kind}=${file(kind)}`]);
  const output = (await runPack("--quiet", "--report", "terminal", "--report", "github", ...reports)).out;
  expect(output).toContain(`\n${part} has changed since the vectors were made`);
  expect(output).toContain(`generate --schema ${schema} --ref ${part} --out ${pack}\n`);
  expect(output).toMatch(/^::warning .*title=\S+ 1::\S+b\.json has changed since the vectors were made/m);
  for (const kind of kinds) expect(readFileSync(file(kind), "utf8")).toMatch(/"changed"|has changed since the vectors/);
  expect((await touchstone("report", "render", file("json"))).out).toContain(`${part} has changed`);
  expect(await runPack("--quiet", "--report", "json")).toMatchObject({
    err: expect.stringContaining(`${part} has changed`),
  });
  rmSync(part);
  expect((await runPack()).out).not.toContain("changed since");
  rmSync(folder, { recursive: true });
}, 120_000);

it("a run reports an API description that has changed since the vectors were made", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  const [description, pack, accepting] = ["api.yaml", "pack", "all.mjs"].map((name) => join(folder, name)) as [
    ...[string, string, string],
  ];
  const descriptionWith = (type: string): string =>
    [
      "openapi: 3.1.0",
      "info: { title: Notes, version: '1' }",
      "paths:",
      "  /notes:",
      `    post: { operationId: add, requestBody: { required: true, content: { application/json: { schema: { type: ${type} } } } }, responses: { '201': { description: made } } }`,
      "",
    ].join("\n");
  writeFileSync(description, descriptionWith("string"));
  writeFileSync(accepting, "export default () => true;");
  const runPack = () => touchstone("run", pack, "--module", accepting, "--quiet");
  await touchstone("generate", description, "--out", pack);
  expect((await runPack()).out).not.toContain("changed since");
  writeFileSync(description, descriptionWith("integer"));
  const { out } = await runPack();
  expect(out).toContain(`\n${description} has changed since the vectors were made`);
  expect(out).toContain(`generate ${description} --out ${pack}\n`);
  rmSync(folder, { recursive: true });
}, 120_000);
