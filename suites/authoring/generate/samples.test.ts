import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../schemas/index.ts";
import { readSamples } from "./samples.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));
const $schema = "https://json-schema.org/draft/2020-12/schema";
const [order, note] = ["schemas/order.schema.json", "schemas/note.schema.json"];
const schemas = new Map([
  [order, { $schema, $id: "https://example.org/order", type: "object", required: ["sum"] }],
  [note, { $schema, $id: "https://example.org/note", type: "object", required: ["text"] }],
]);
const readFrom = (...sampleArguments: string[]) => readSamples(sampleArguments, schemas, [order, note]);
const writeSample = (name: string, value: Json | string): string => {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
};

describe("the samples of a pack", () => {
  it("are the messages of a folder that exactly one document allows", async () => {
    writeSample("traffic/1.json", { sum: 1 });
    writeSample("traffic/2.json", { sum: 1 });
    writeSample("traffic/3.json", { sum: 1, text: "both" });
    writeSample("traffic/4.json", { neither: true });
    writeSample("traffic/5.json", "not JSON");
    writeSample("traffic/in/6.yaml", "text: hello");
    const { samplesByFile, notes } = await readFrom(join(folder, "traffic"));
    expect([...samplesByFile].map(([name, samples]) => [name, samples.map(({ value }) => value)])).toEqual([
      [order, [{ sum: 1 }]],
      [note, [{ text: "hello" }]],
    ]);
    expect(notes[0]).toMatch(
      /of 5 JSON messages these are samples: 1 of order, 1 of note; 1 fit no document, 1 fit more than one document \(name it: --sample DOCUMENT=FILE\); .*secret/,
    );
  });

  it("belong to every document that allows them, if one refers to the other", async () => {
    const [unionFile, ...files] = ["any", "sold", "base"].map((name) => `schemas/${name}.schema.json`);
    const ref = (name: string) => ({ $ref: `https://example.org/${name}` });
    const relatedSchemas = new Map<string, JsonObject>([
      [String(unionFile), { $schema, $id: "https://example.org/any", oneOf: [ref("sold")] }],
      [String(files[0]), { $schema, $id: "https://example.org/sold", allOf: [ref("base")], required: ["sum"] }],
      [String(files[1]), { $schema, $id: "https://example.org/base", type: "object", required: ["id"] }],
    ]);
    writeSample("related/1.json", { id: "a", sum: 1 });
    const { samplesByFile } = await readSamples([join(folder, "related")], relatedSchemas, [...relatedSchemas.keys()]);
    expect([...samplesByFile.keys()]).toEqual([...relatedSchemas.keys()]);
  });

  it("are the bodies of an HTTP archive, at most five for each document", async () => {
    const entry = (request: Json, answer: Json): Json => ({
      request: { postData: { mimeType: "application/json", text: JSON.stringify(request) } },
      response: { content: { encoding: "base64", text: Buffer.from(JSON.stringify(answer)).toString("base64") } },
    });
    const entries = Array.from({ length: 7 }, (_, index) => entry({ sum: index }, { text: "taken" }));
    const archive = { log: { entries: [...entries, { request: {}, response: { content: { text: "<html>" } } }] } };
    const { samplesByFile } = await readFrom(writeSample("server.har", archive));
    expect(samplesByFile.get(order)?.map(({ value }) => value)).toEqual([0, 1, 2, 3, 4].map((sum) => ({ sum })));
    expect(samplesByFile.get(note)).toHaveLength(1);
    await expect(readFrom(writeSample("empty.har", { log: {} }))).rejects.toThrow("log.entries");
  });

  it("are messages with a named document, valid or not", async () => {
    const { samplesByFile, notes } = await readFrom(`note=${writeSample("odd.json", { neither: true })}`);
    expect([samplesByFile.get(note)?.[0]?.value, notes]).toEqual([{ neither: true }, []]);
    await expect(readFrom(join(folder, "odd.json"))).rejects.toThrow("does not name its document");
    await expect(readFrom(join(folder, "nowhere"))).rejects.toThrow("does not exist");
  });

  it("must include at least one message of the traffic", async () => {
    writeSample("strange/1.json", { neither: true });
    await expect(readFrom(join(folder, "strange"))).rejects.toThrow("of 1 JSON messages; 1 fit no document");
  });
});
