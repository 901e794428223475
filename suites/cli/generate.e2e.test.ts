import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { home, type Json, type Manifest, type VectorFile } from "../../schemas/index.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));

async function generate(
  name: string,
  schema: Json,
  ...more: string[]
): Promise<{ code: number; out: string; err: string }> {
  writeFileSync(join(folder, `${name}.schema.json`), JSON.stringify(schema));
  const main = join(home, "suites/cli/main.ts");
  const args = [
    "--import",
    "tsx",
    main,
    "generate",
    "--schema",
    join(folder, `${name}.schema.json`),
    "--out",
    join(folder, name),
  ];
  const child = spawn(process.execPath, [...args, ...more], { cwd: home });
  let out = "";
  let err = "";
  child.stdout.on("data", (text) => (out += text));
  child.stderr.on("data", (text) => (err += text));
  const [code] = await once(child, "close");
  return { code: code as number, out, err };
}

const order = {
  type: "object",
  required: ["id"],
  properties: {
    id: { type: "string", pattern: "ORD-[0-9]{3}" },
    state: { enum: ["open", "paid"] },
    count: { type: "integer", minimum: 1, maximum: 99 },
    note: { const: "x", minLength: 3 },
  },
  if: { properties: { state: { const: "paid" } } },
  then: { required: ["count"] },
  additionalProperties: false,
};

describe("generate", () => {
  it("makes for a foreign schema what is made for ours, and says what is odd in it", async () => {
    const { code, out } = await generate("order", order);
    expect(code).toBe(0);
    const manifest = JSON.parse(readFileSync(join(folder, "order/MANIFEST.json"), "utf8")) as Manifest;
    const [document] = manifest.documents;
    expect(document?.forcing.mutants).toBeGreaterThan(40);
    const { twice = 0, once: single = 0, equivalent = 0, mutants } = document?.forcing ?? {};
    expect(twice + single + equivalent).toBe(mutants);
    const { tests } = JSON.parse(readFileSync(join(folder, "order/order/1/order/invalid.json"), "utf8")) as VectorFile;
    const faults = tests.map(({ fault, at }) => `${at} ${fault}`);
    expect(faults).toEqual(
      expect.arrayContaining([
        "/id missing",
        "/count above-maximum",
        "/count missing",
        "/unexpected_member unknown-member",
      ]),
    );
    expect(out).toMatch(/dead: .*#\/properties\/note no value fulfils it/);
    expect(out).toMatch(/careless-condition: .*#\/if is also met without state/);
    expect(out).toMatch(/loose-pattern: .*#\/properties\/id\/pattern/);
  });

  it("says so when nothing is valid, and writes nothing", async () => {
    const { code, err } = await generate("never", { type: "object", required: ["a"], properties: { a: false } });
    expect(code).toBe(2);
    expect(err).toMatch(/no valid instance of the schema was found/);
    expect(existsSync(join(folder, "never"))).toBe(false);
  });

  it("ends a pattern that never does", async () => {
    const pattern = "^(([a-z])+.)+[A-Z]([a-z])+$";
    const schema = { properties: { a: { pattern: "^(a+)+$", maxLength: 300 }, b: { pattern, minLength: 60 } } };
    const { code, err } = await generate("endless", schema, "--deadline", "4");
    expect(code).toBe(2);
    expect(err).toMatch(/no end after 4 seconds/);
  });

  it("refuses a folder that holds something else, and a name that is none", async () => {
    writeFileSync(join(folder, "kept.txt"), "mine");
    const { code, err } = await generate("order", order, "--out", folder);
    expect([code, err]).toEqual([2, expect.stringMatching(/holds something else than vectors/)]);
    expect(await generate("order", order, "--name", "../up")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/cannot name/),
    });
  });
});
