import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { home } from "../../../schemas/index.ts";
import { moduleSkeleton } from "./module.ts";

const folder = mkdtempSync(join(tmpdir(), "module-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(
    file,
    text.replace(/from "(\w+)"/g, (_, library) => `from "${import.meta.resolve(library)}"`),
  );
  return file;
}

async function schemasOf(file: string): Promise<Record<string, unknown>> {
  const { texts } = await moduleSkeleton(file, { name: "made", out: join(folder, "made") });
  const schemas = [...texts].filter(([path]) => path.startsWith("schemas/"));
  return Object.fromEntries(schemas.map(([path, text]) => [path, JSON.parse(text)]));
}

const shape = { type: "object", properties: { id: { type: "string", minLength: 2 } }, required: ["id"] };

describe("the schemas of a module", () => {
  it.each([
    ["zod.mjs", 'import { z } from "zod"; export default z.object({ id: z.string().min(2) });'],
    ["arktype.mjs", 'import { type } from "arktype"; export default type({ id: "string >= 2" });'],
    [
      "standard.mjs",
      `export default { "~standard": { vendor: "own", jsonSchema: { input: () => (${JSON.stringify(shape)}) } } };`,
    ],
  ])("are those of its default export: %s", async (name, text) => {
    const schemas = await schemasOf(written(name, text));
    expect(Object.values(schemas)).toEqual([expect.objectContaining(shape)]);
  });

  it("are written on several lines, so that a place in them can be found", async () => {
    const file = written("lines.mjs", 'import { z } from "zod"; export default z.object({ id: z.string().min(2) });');
    const { texts } = await moduleSkeleton(file, { name: "made", out: join(folder, "made") });
    const [text = ""] = [...texts].filter(([path]) => path.startsWith("schemas/")).map(([, each]) => each);
    const line = text.split("\n").find((each) => each.includes('"minLength"')) ?? "";
    expect(line.trim()).toMatch(/^"minLength": 2,?$/);
  });

  it("are those of its named exports, each a document", async () => {
    const file = written(
      "two.mjs",
      'import { z } from "zod"; export const orderLine = z.string(); export const note = z.number(); export const other = 7;',
    );
    expect(Object.keys(await schemasOf(file)).sort()).toEqual([
      "schemas/note.schema.json",
      "schemas/order-line.schema.json",
    ]);
  });

  it("are reported to lack Zod's refinements, each at its place", async () => {
    const file = written(
      "refined.mjs",
      'import { z } from "zod"; const text = z.string().refine((s) => s !== ""); export const a = z.object({ b: text, c: z.string().min(1) }).superRefine(() => {}); export const d = z.string();',
    );
    const { notes } = await moduleSkeleton(file, { name: "made", out: join(folder, "made") });
    const [note = ""] = notes.filter((each) => each.includes("refinement"));
    expect(note).toMatch(/: a( \/properties\/b)?, a( \/properties\/b)?\. Vectors do not cover it/);
    const plain = written("plain.mjs", 'import { z } from "zod"; export const a = z.email().min(2);');
    expect((await moduleSkeleton(plain, { name: "made", out: join(folder, "made") })).notes).toEqual([]);
  });

  it("describe their input, not their output", async () => {
    const file = written(
      "io.mjs",
      'import { z } from "zod"; export default z.object({ id: z.string().default("a") });',
    );
    expect(Object.values(await schemasOf(file))).toEqual([expect.not.objectContaining({ required: ["id"] })]);
  });

  it.each([
    ["none.mjs", "export const a = 1;", /does not export a schema/],
    ["broken.mjs", "export default (", /cannot be imported/],
    [
      "unsayable.mjs",
      'import { z } from "zod"; export const when = z.date();',
      /when cannot be written as JSON Schema/,
    ],
    ["valibot.mjs", 'import { string } from "valibot"; export default string();', /install @valibot\/to-json-schema/],
  ])("are missing, with a remedy: %s", async (name, text, message) => {
    await expect(schemasOf(written(name, text))).rejects.toThrow(message);
  });

  it("are missing if there is no such module", async () => {
    await expect(schemasOf(join(home, "nowhere.ts"))).rejects.toThrow(/does not exist/);
  });
});
