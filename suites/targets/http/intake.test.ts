import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Document, documentNamed, type Json, readPack } from "../../../schemas/index.ts";
import { skipFinderFor } from "./intake.ts";
import { routesOf } from "./route.ts";
import { sendableOf } from "./sendable.ts";

const call = (method: string, params: Json) => ({
  type: "object",
  required: ["method", "id"],
  properties: { method: { const: method }, id: { type: "string", minLength: 1, format: "uuid" }, params },
});
const size = { type: "object", properties: { size: { type: "integer" } }, additionalProperties: false };
const name = { type: "object", properties: { name: { type: "string" } }, additionalProperties: false };

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));
const files = {
  "pack/profile.json": {
    documents: [
      { file: "schemas/grow.schema.json", endpoint: "/rpc" },
      { file: "schemas/call.schema.json", endpoint: "/rpc" },
      { file: "schemas/alone.schema.json", endpoint: "/alone" },
      { file: "schemas/chosen.schema.json", endpoint: "/bus", when: { "/type": ["chosen"] } },
      { file: "schemas/other.schema.json", endpoint: "/bus", when: { "/type": ["other"] } },
      { file: "schemas/batched.schema.json", endpoint: "/batches" },
      { file: "schemas/batch.schema.json", endpoint: "/batches" },
    ],
  },
  "pack/schemas/grow.schema.json": call("grow", size),
  "pack/schemas/call.schema.json": call("call", name),
  "pack/schemas/alone.schema.json": call("alone", size),
  "pack/schemas/chosen.schema.json": { type: "object", required: ["type"], properties: { unit: { type: "string" } } },
  "pack/schemas/other.schema.json": { type: "object", required: ["type", "rate"] },
  "pack/schemas/batched.schema.json": call("batched", size),
  "pack/schemas/batch.schema.json": {
    type: "array",
    minItems: 2,
    maxItems: 3,
    items: { $ref: "batched.schema.json" },
  },
  "pack/rules/sizes.yaml": {
    rules: {
      "GROW-ID-001": { statement: "An id is not x.", document: "grow", check: { noneOf: { "/id": ["x"] } } },
    },
  },
};
for (const [path, content] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), JSON.stringify(content));
}
const protocol = readPack(`${folder}/pack`);
const routes = routesOf(protocol, {});
const withClosed = (...closedTypes: string[]) => ({
  ...protocol,
  profile: { ...protocol.profile, http: { ...protocol.profile.http, closed: closedTypes } },
});
const id = "6f9619ff-8b86-4011-b42d-00c04fc964ff";

describe("a message to an intake of several documents", async () => {
  const findSkip = await skipFinderFor(protocol, routes.values());
  const causeOf = (document: Document["name"], data: Json) => {
    const question = { document: documentNamed(protocol, document), data, keep: [], seed: 1 };
    return findSkip(question, routes.get(document) as never)?.cause;
  };

  it.each<[what: string, document: string, data: Json]>([
    ["is valid", "grow", { method: "grow", id }],
    ["is valid, of the second document", "call", { method: "call", id, params: { name: "Ann" } }],
    ["has a member of a different document", "grow", { method: "grow", id, params: { name: "Ann" } }],
    [
      "has the constant of a different document, but is not valid as that document",
      "grow",
      { method: "call", id, params: { size: 1 } },
    ],
    ["has no distinguishing constant", "grow", { id }],
    ["has a constant of the wrong type", "grow", { method: 3, id }],
    ["is not an object", "grow", "grow"],
    ["is an empty list", "grow", []],
    ["is a list of invalid messages", "grow", [{ method: "grow" }]],
    ["breaks a rule", "grow", { method: "grow", id: "x" }],
    ["has a wrong constant, and its intake has only one document", "alone", { method: "grown", id }],
    ["is invalid as the chosen document", "chosen", { type: "chosen", unit: 7 }],
    ["is too long a batch, and the pack has a document of batches", "batch", Array(4).fill({ method: "batched", id })],
    ["is too short a batch, and the pack has a document of batches", "batched", [{ method: "batched", id }]],
  ])("is sent if it %s", (_, document, data) => {
    expect(causeOf(document, data)).toBeUndefined();
  });

  it.each<[what: string, document: string, data: Json, cause: unknown]>([
    ["is valid as a different document", "grow", { method: "call", id }, { kind: "taken-for", document: "call" }],
    [
      "is valid as a different document if formats are not asserted",
      "grow",
      { method: "call", id: "seven" },
      { kind: "taken-for", document: "call" },
    ],
    ["is of a kind that the pack may lack", "call", { method: "list", id }, { kind: "unknown-kind", at: "/method" }],
    ["is a batch of valid messages", "call", [{ method: "grow", id }], { kind: "unknown-kind", at: "" }],
    [
      "is assigned by `when` to a different document",
      "chosen",
      { type: "other" },
      { kind: "taken-for", document: "other" },
    ],
  ])("is left out if it %s", (_, document, data, cause) => {
    expect(causeOf(document, data)).toEqual(cause);
  });
});

describe("a closed intake", async () => {
  const findSkip = await skipFinderFor(withClosed("/rpc"), routes.values());
  const findOpenSkip = await skipFinderFor(withClosed("/bus"), routes.values());
  const question = (data: Json) => ({ document: documentNamed(protocol, "call"), data, keep: [], seed: 1 });
  const callRoute = routes.get("call") as never;

  it("receives a message of an unknown kind, unlike an open intake", () => {
    expect(findSkip(question({ method: "list", id }), callRoute)).toBeUndefined();
    expect(findOpenSkip(question({ method: "list", id }), callRoute)?.cause).toEqual({
      kind: "unknown-kind",
      at: "/method",
    });
  });

  it("does not receive a batch or a message that is valid as a different document", () => {
    expect(findSkip(question({ method: "grow", id }), callRoute)?.cause).toEqual({
      kind: "taken-for",
      document: "grow",
    });
    expect(findSkip(question([{ method: "grow", id }]), callRoute)?.cause).toEqual({ kind: "unknown-kind", at: "" });
  });
});

describe("messages that a pack allows to send", async () => {
  const isSendable = await sendableOf(protocol);
  const isSent = (document: string, data: Json): boolean =>
    isSendable({ document: documentNamed(protocol, document), data, keep: [], seed: 1 });

  it("include all but ambiguous messages, and exclude documents without a path", async () => {
    expect(isSent("grow", { method: "grow", id })).toBe(true);
    expect(isSent("grow", { id })).toBe(true);
    expect(isSent("grow", { method: "list", id })).toBe(false);
    expect(isSent("grow", { method: "call", id })).toBe(false);
    const { endpoint: _, ...documentWithoutPath } = documentNamed(protocol, "alone");
    const protocolWithoutPath = { ...protocol, profile: { ...protocol.profile, documents: [documentWithoutPath] } };
    expect(
      (await sendableOf(protocolWithoutPath))({ document: documentWithoutPath, data: {}, keep: [], seed: 1 }),
    ).toBe(false);
  });
});
