import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { home } from "../../../schemas/index.ts";
import { moduleSkeleton } from "./module.ts";

const folder = mkdtempSync(join(tmpdir(), "module-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeModule(name: string, text: string): string {
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

const expectedSchema = { type: "object", properties: { id: { type: "string", minLength: 2 } }, required: ["id"] };

describe("the schemas of a module", () => {
  it.each([
    ["zod.mjs", 'import { z } from "zod"; export default z.object({ id: z.string().min(2) });'],
    ["arktype.mjs", 'import { type } from "arktype"; export default type({ id: "string >= 2" });'],
    [
      "standard.mjs",
      `export default { "~standard": { vendor: "own", jsonSchema: { input: () => (${JSON.stringify(expectedSchema)}) } } };`,
    ],
  ])("are those of its default export: %s", async (name, text) => {
    const schemas = await schemasOf(writeModule(name, text));
    expect(Object.values(schemas)).toEqual([expect.objectContaining(expectedSchema)]);
  });

  it("have a line for each keyword, so that errors can name the line", async () => {
    const file = writeModule(
      "lines.mjs",
      'import { z } from "zod"; export default z.object({ id: z.string().min(2) });',
    );
    const { texts } = await moduleSkeleton(file, { name: "made", out: join(folder, "made") });
    const [text = ""] = [...texts].filter(([path]) => path.startsWith("schemas/")).map(([, schemaText]) => schemaText);
    const line = text.split("\n").find((textLine) => textLine.includes('"minLength"')) ?? "";
    expect(line.trim()).toMatch(/^"minLength": 2,?$/);
  });

  it("are those of its named exports, each a document", async () => {
    const file = writeModule(
      "two.mjs",
      'import { z } from "zod"; export const orderLine = z.string(); export const note = z.number(); export const other = 7;',
    );
    expect(Object.keys(await schemasOf(file)).sort()).toEqual([
      "schemas/note.schema.json",
      "schemas/order-line.schema.json",
    ]);
  });

  it("have a note that names the place of each Zod refinement, which JSON Schema cannot express", async () => {
    const file = writeModule(
      "refined.mjs",
      'import { z } from "zod"; const text = z.string().refine((s) => s !== ""); export const a = z.object({ b: text, c: z.string().min(1) }).superRefine(() => {}); export const d = z.string();',
    );
    const { notes } = await moduleSkeleton(file, { name: "made", out: join(folder, "made") });
    const [note = ""] = notes.filter((candidate) => candidate.includes("refinement"));
    expect(note).toMatch(/: a( \/properties\/b)?, a( \/properties\/b)?\. Vectors do not cover it/);
    const plain = writeModule("plain.mjs", 'import { z } from "zod"; export const a = z.email().min(2);');
    expect((await moduleSkeleton(plain, { name: "made", out: join(folder, "made") })).notes).toEqual([]);
  });

  it("describe their input, not their output", async () => {
    const file = writeModule(
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
  ])("are refused with a hint: %s", async (name, text, message) => {
    await expect(schemasOf(writeModule(name, text))).rejects.toThrow(message);
  });

  it("are refused if the module does not exist", async () => {
    await expect(schemasOf(join(home, "nowhere.ts"))).rejects.toThrow(/does not exist/);
  });
});
