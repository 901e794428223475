import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { touchstone } from "../process.fixture.ts";

it("a run reports schemas that have changed since the vectors were made, and the command to regenerate them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  const [schema, referencedSchema, pack, target] = ["a.json", "refs/b.json", "pack", "all.mjs"].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  mkdirSync(join(folder, "refs"));
  const schemaText = (keywords: object) => JSON.stringify({ type: "object", ...keywords });
  writeFileSync(schema, schemaText({ $id: "https://x.example/a", properties: { b: { $ref: "b" } } }));
  writeFileSync(referencedSchema, schemaText({ $id: "https://x.example/b" }));
  writeFileSync(target, "export default () => true;");
  const runPack = (...args: string[]) => touchstone("run", pack, "--module", target, ...args);
  await touchstone("generate", "--schema", schema, "--ref", referencedSchema, "--out", pack);
  const firstRun = await runPack();
  expect(firstRun.out + firstRun.err).not.toContain("changed since");
  expect(firstRun.out).toMatch(new RegExp(`^${schema}:1:\\d+ #/type `, "m"));
  writeFileSync(referencedSchema, schemaText({ $id: "https://x.example/b", required: ["c"] }));
  const formats = ["markdown", "json", "jsonl", "html"];
  const reportFile = (format: string) => join(folder, `report.${format}`);
  const reports = formats.flatMap((kind) => ["--report", `${kind}=${reportFile(kind)}`]);
  const output = (await runPack("--quiet", "--report", "terminal", "--report", "github", ...reports)).out;
  expect(output).toContain(`\n${referencedSchema} has changed since the vectors were made`);
  expect(output).toContain(`generate --schema ${schema} --ref ${referencedSchema} --out ${pack}\n`);
  expect(output).toMatch(/^::warning .*title=\S+ 1::\S+b\.json has changed since the vectors were made/m);
  for (const kind of formats)
    expect(readFileSync(reportFile(kind), "utf8")).toMatch(/"changed"|has changed since the vectors/);
  expect((await touchstone("report", "render", reportFile("json"))).out).toContain(`${referencedSchema} has changed`);
  expect(await runPack("--quiet", "--report", "json")).toMatchObject({
    err: expect.stringContaining(`${referencedSchema} has changed`),
  });
  rmSync(referencedSchema);
  expect((await runPack()).out).not.toContain("changed since");
  rmSync(folder, { recursive: true });
}, 120_000);

it("a run reports an API description that has changed since the vectors were made", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  const [description, pack, target] = ["api.yaml", "pack", "all.mjs"].map((name) => join(folder, name)) as [
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
  writeFileSync(target, "export default () => true;");
  const runPack = () => touchstone("run", pack, "--module", target, "--quiet");
  await touchstone("generate", description, "--out", pack);
  expect((await runPack()).out).not.toContain("changed since");
  writeFileSync(description, descriptionWith("integer"));
  const { out } = await runPack();
  expect(out).toContain(`\n${description} has changed since the vectors were made`);
  expect(out).toContain(`generate ${description} --out ${pack}\n`);
  rmSync(folder, { recursive: true });
}, 120_000);
