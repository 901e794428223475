import {
  builtInPacks,
  type Document,
  type JsonObject,
  type Protocol,
  protocolNamed,
  type Vector,
} from "../../schemas/index.ts";

// For tests: a small protocol with two documents, and valid vectors of the first.

const schema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://example.org/note.schema.json",
  type: "object",
  properties: {
    kind: { enum: ["note", "memo"] },
    title: { type: "string" },
    count: { type: "integer" },
    key: { type: "string" },
    extra: true,
  },
  required: ["kind", "title"],
  additionalProperties: false,
};

export const note = {
  name: "note",
  title: "Note",
  schema: schema.$id,
  file: "note.schema.json",
  standalone: true,
  role: "entry",
  when: { "/kind": ["note"] },
  fresh: [{ at: "/key", make: "uuid" }],
} as Document;

const memo = { ...note, name: "memo", when: { "/kind": ["memo"] } } as Document;

/** Makes a protocol of notes. With the name of a built-in protocol, it has the text rulings of that protocol. */
export function notes(name: string = "notes"): Protocol {
  const text = builtInPacks.some((builtInPack) => builtInPack.name === name)
    ? protocolNamed(name).profile.text
    : undefined;
  return {
    name,
    version: "1.0",
    folder: "",
    profile: {
      $schema: "",
      protocol: name,
      version: "1.0",
      title: "Notes",
      summary: "",
      formats: "assert",
      discriminator: "/kind",
      ...(text === undefined ? {} : { text }),
      documents: [note, memo],
      http: { accepted: [], rejected: [] },
    },
    rules: [],
    schemas: [schema],
  };
}

function valid(name: string, data: JsonObject): Vector {
  return { id: `notes/1.0/note/valid/${name}`, description: name, valid: true, data, needs: [], tags: [] };
}

export const vectors: readonly Vector[] = [
  valid("with-key", { kind: "note", title: "a", key: "k" }),
  valid("memo", { kind: "memo", title: "a" }),
  valid("count", { kind: "note", title: "one", count: 1 }),
  valid("extra", { kind: "note", title: "a/b", extra: { "": 0 } }),
  valid("prototype", JSON.parse('{"kind":"note","title":"a","extra":{"__proto__":1}}') as JsonObject),
  valid("minimal", { kind: "note", title: "a rather long title, all the same" }),
];
