import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { home, type Manifest } from "../../../schemas/index.ts";
import { touchstone } from "../process.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const schema = join(folder, "note.schema.json");
writeFileSync(
  schema,
  JSON.stringify({ type: "object", required: ["n"], properties: { n: { type: "integer", minimum: 1 } } }),
);
const tests = join(folder, "tests.json");
writeFileSync(
  tests,
  JSON.stringify([
    { data: { n: 1 }, valid: true },
    { data: {}, valid: false },
    { data: { n: 7 }, valid: false, description: "\u001b[31mmistaken" },
  ]),
);

const example = join(home, "suites", "packs", "pack", "example");

describe("coverage", () => {
  it("measures a user's tests, and shows messages that would kill more mutants", async () => {
    const { code, out } = await touchstone("coverage", tests, "--schema", schema);
    expect(code).toBe(0);
    expect(out).toMatch(/minimum +1 +0 /);
    expect(out).toMatch(/survived: .*this would kill it: \{"n":0\}/);
    expect(out).toMatch(/survived: .*\(\S*note\.schema\.json:1:\d+ #\/properties\/n\/minimum\)/);
    expect(out).not.toContain("schema:/");
    expect(out).toMatch(/operator +mutants +killed by two +by one +survived/);
    // The rows of all operators add up to all mutants, including operators without survivors.
    const [keywords, operators] = [...out.matchAll(/^all +(\d.*)$/gm)].map(([, row = ""]) => row.trim().split(/ +/));
    expect(operators).toEqual(keywords?.slice(2));
    expect(out).toMatch(/is not counted: \\u001b\[31mmistaken/);
    expect(out).toMatch(/\d+ of \d+ mutants that are not equivalent are killed/);
  });

  it("fails below the required score, and prints JSON", async () => {
    const { code, out } = await touchstone("coverage", tests, "--schema", schema, "--json", "--at-least", "90");
    expect(code).toBe(1);
    const [measuredSet] = JSON.parse(out);
    expect(measuredSet).toMatchObject({ tests: 3, sites: 4, broken: 1 });
    expect(measuredSet.operators["bound-off-by-one"]).toMatchObject({ mutants: 2, notKilled: 1 });
    expect(measuredSet.twice + measuredSet.once + measuredSet.equivalent + measuredSet.notKilled).toBe(
      measuredSet.mutants,
    );
  });

  it("stops at the deadline, and shows the results until then", async () => {
    const largeSchema = join(folder, "large.schema.json");
    const memberNames = Array.from({ length: 300 }, (_, index) => `m${index}`);
    const stringSchema = { type: "string", minLength: 2, maxLength: 9, pattern: "^[a-z][a-z0-9_-]*$" };
    const properties = Object.fromEntries(memberNames.map((name) => [name, stringSchema]));
    writeFileSync(largeSchema, JSON.stringify({ type: "object", properties, required: memberNames }));
    const [pageFile, shortDeadline] = [join(folder, "large.html"), ["--deadline", "1"]];
    const { code, out, err } = await touchstone(
      "coverage",
      tests,
      "--schema",
      largeSchema,
      ...shortDeadline,
      "--html",
      pageFile,
    );
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /Incomplete: stopped after \d+ s \(--deadline\) before all mutants were worked on\. .*--deadline/,
      ),
    ]);
    expect(out).toMatch(/^\S*tests\.json: 3 tests\n/);
    expect(out).toMatch(/required +300 /);
    expect(out).toMatch(/There are more mutants than were looked at: .*it was stopped/);
    expect(readFileSync(pageFile, "utf8")).toContain("large.schema.json");
    // An incomplete measurement must not pass.
    expect(
      await touchstone("coverage", tests, "--schema", largeSchema, ...shortDeadline, "--at-least", "0"),
    ).toMatchObject({
      code: 1,
    });
  });

  it("kills all mutants with the vectors of generate", async () => {
    const out = join(folder, "made");
    await touchstone("generate", "--schema", schema, "--out", out);
    const result = await touchstone("coverage", out, "--at-least", "100");
    expect([result.code, result.out]).toEqual([0, expect.stringMatching(/4 of 4 assertions are isolated/)]);
  });

  it("measures the part of a set for the given schema, and ignores proofs about another schema", async () => {
    const { code, out } = await touchstone(
      "coverage",
      join(example, "vectors"),
      "--schema",
      join(example, "schemas", "receipt.schema.json"),
      "--json",
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject([{ name: "order receipt", equivalent: 0, notKilled: expect.any(Number) }]);
  });

  it("measures vectors of a built-in protocol with the schemas of that protocol", async () => {
    const builtInVectors = join(home, "vectors");
    const { documents, files } = JSON.parse(readFileSync(join(builtInVectors, "MANIFEST.json"), "utf8")) as Manifest;
    const isSubmitAck = ({ document }: { document: string }): boolean => document === "submit-ack";
    const vectors = join(folder, "vectors");
    for (const { path } of files.filter(isSubmitAck)) cpSync(join(builtInVectors, path), join(vectors, path));
    const partialManifest = { documents: documents.filter(isSubmitAck), files: files.filter(isSubmitAck) };
    writeFileSync(join(vectors, "MANIFEST.json"), JSON.stringify(partialManifest));
    const { code, out } = await touchstone("coverage", vectors, "--at-least", "99");
    expect([code, out]).toEqual([0, expect.stringMatching(/ahcp submit-ack: \d+ tests/)]);
    writeFileSync(join(vectors, files.find(isSubmitAck)?.path ?? ""), "{");
    expect(await touchstone("coverage", vectors)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/cannot be read/),
    });
  });

  it("never passes if there is nothing to measure", async () => {
    const schemaFile = join(folder, "empty.schema.json");
    writeFileSync(schemaFile, JSON.stringify({ title: "anything" }));
    expect(await touchstone("coverage", tests, "--schema", schemaFile)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/asserts nothing/),
    });
    writeFileSync(schemaFile, JSON.stringify({ allOf: [true] }));
    const { code, out } = await touchstone("coverage", tests, "--schema", schemaFile);
    expect([code, out]).toEqual([0, expect.stringMatching(/nothing to measure\n$/)]);
    expect(out).not.toContain("%");
    expect(await touchstone("coverage", tests, "--schema", schemaFile, "--at-least", "100")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/empty\.schema\.json: .*--at-least has nothing to measure\n.*leave --at-least out/),
    });
  });

  it("requires the schema of tests that do not name one", async () => {
    expect(await touchstone("coverage", tests)).toMatchObject({ code: 2, err: expect.stringMatching(/--schema FILE/) });
    const schema = join(folder, "given.schema.json");
    writeFileSync(schema, JSON.stringify({ type: "string" }));
    expect(await touchstone("coverage", "no-such", "--schema", schema)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/the file or folder "no-such" does not exist/),
    });
    const invalidFile = join(folder, "wrong.json");
    writeFileSync(invalidFile, JSON.stringify([{ data: 1, valid: true }]));
    const { out } = await touchstone("coverage", invalidFile, "--schema", schema);
    expect(out).toMatch(/the schema says otherwise[\s\S]*\nkeyword/);
    expect(await touchstone("coverage", "no-such")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/unknown protocol/i),
    });
  });
});
