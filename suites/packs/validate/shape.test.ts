import { describe, expect, it } from "vitest";
import { builtInPacks, documentNamed, type JsonObject, protocolNamed } from "../../../schemas/index.ts";
import { loadVectors } from "../corpus/index.ts";
import { judgeFor } from "../reference/validator.ts";
import { shapeFor } from "./shape.ts";
import { validate } from "./validate.ts";

function sampleOf(protocol: string, document: string): JsonObject {
  return structuredClone(documentNamed(protocolNamed(protocol), document).samples?.[0] as JsonObject);
}

async function findingsIn(protocol: string, document: string, instance: JsonObject): Promise<string[]> {
  return (await validate(protocol, document, instance)).map(({ at, rule, level }) => `${level} ${rule} ${at}`);
}

const $schema = "https://json-schema.org/draft/2020-12/schema";

/** Returns a function that judges an instance by a user's schema and returns the places of the faults. */
async function placesOfFaults(schemas: readonly JsonObject[], schema: string) {
  const ahcp = protocolNamed("ahcp");
  const document = { ...documentNamed(ahcp, "message"), schema };
  const profile = { ...ahcp.profile, documents: [document] };
  const shape = await shapeFor({ ...ahcp, schemas: [...schemas], rules: [], profile, foreign: true });
  return (instance: JsonObject): string[] => shape(document, instance).map(({ at = "" }) => at);
}

describe("a dynamic reference", () => {
  it("applies in place of the default in another schema", async () => {
    const items = { type: "array", items: { $dynamicRef: "#T" } };
    const $defs = { any: { $dynamicAnchor: "T", not: true } };
    const page = { $schema, $id: "https://example.com/page", properties: { items }, $defs };
    const fare = { $dynamicAnchor: "T", required: ["price"] };
    const fares = { $schema, $id: "https://example.com/fares", $ref: "page", $defs: { fare } };
    const places = await placesOfFaults([page, fares], "https://example.com/fares");
    expect(places({ items: [{ price: 1 }] })).toEqual([]);
    expect(places({ items: [{}] })).toEqual(["/items/0"]);
  });
});

describe("a choice between schemas", () => {
  it("gets one finding if the distinguishing member is misspelt", async () => {
    expect(await findingsIn("ahcp", "message", { ...sampleOf("ahcp", "message"), type: "tusk" })).toEqual([
      "MUST AHCP-ENV-002 /type",
    ]);
    const { execution_policy: policy, ...agent } = sampleOf("agentformat", "agent");
    const misspelt = { ...agent, execution_policy: { ...(policy as JsonObject), id: "agf.reactt" } };
    expect(await findingsIn("agentformat", "agent", misspelt)).toEqual(["MUST AGF-POL-003 /execution_policy/id"]);
  });

  it("reports only the errors of the intended branch", async () => {
    const { request, action, idempotency_key, ...message } = sampleOf("ahcp", "message");
    expect(await findingsIn("ahcp", "message", { ...message, type: "task" })).toEqual([
      "MUST AHCP-ENV-020 ",
      "MUST AHCP-ENV-015 ",
    ]);
    const agent = sampleOf("agentformat", "agent");
    const policy = { id: "agf.loop", config: { steps: [{ agent: "a" }], exit_condition: { args_match: 7 } } };
    const places = await findingsIn("agentformat", "agent", { ...agent, execution_policy: policy });
    expect(places.filter((place) => place.includes("exit_condition"))).toHaveLength(1);
  });

  it("reports only the faults of members of the intended branch", async () => {
    const train = { properties: { kind: { const: "train" }, seats: { minimum: 1 }, price: { multipleOf: 0.05 } } };
    const bus = { properties: { kind: { const: "bus" }, doors: true } };
    const ride = { oneOf: [train, bus], unevaluatedProperties: false };
    const places = await placesOfFaults(
      [{ $schema, $id: "https://example.com/ride", ...ride }],
      "https://example.com/ride",
    );
    expect(places({ kind: "train", seats: 3, price: 0.01 })).toEqual(["/price"]);
    expect(places({ kind: "train", seats: 3, doors: 1 })).toEqual([""]);
  });

  it("reports the errors of the branch that accepts the kind, even in a schema with an $id", async () => {
    const kind = { enum: ["call", "note"] };
    const call = { $id: "call", required: ["kind", "id"], properties: { kind, id: true, name: { minLength: 2 } } };
    const note = { $id: "note", required: ["kind"], properties: { kind: { ...kind, pattern: "^n" }, name: true } };
    const both = { oneOf: [{ $ref: "call" }, { $ref: "note" }], unevaluatedProperties: false, $defs: { call, note } };
    const places = await placesOfFaults(
      [{ $schema, $id: "https://example.com/both", ...both }],
      "https://example.com/both",
    );
    expect(places({ kind: "call", id: 1, name: "x" })).toEqual(["/name"]);
    expect(places({ kind: "call", id: 1, name: "xy", more: 1 })).toEqual([""]);
  });

  it("does not report members as undeclared if the part that declares them fails", async () => {
    const event = { ...sampleOf("aaep", "agent.state.changed"), event_id: "evt 1!!", invented: 1 };
    expect(await findingsIn("aaep", "agent.state.changed", event)).toEqual([
      "MUST AAEP-ENV-011 /event_id",
      "MUST AAEP-ENV-033 /invented",
    ]);
  });
});

describe.each(builtInPacks.map(({ name }) => name))("the vectors of %s", (name) => {
  it("get findings if and only if validation refuses them, and rarely more than one per fault", async () => {
    const protocol = protocolNamed(name);
    const [judge, shape] = [await judgeFor(protocol), await shapeFor(protocol)];
    let [count, findings] = [0, 0];
    for (const { document, tests } of loadVectors(protocol).files) {
      for (const { id, data, site } of tests) {
        if (data === undefined) continue;
        const findingCount = shape(documentNamed(protocol, document), data).length;
        expect(findingCount > 0, id).toBe(judge(documentNamed(protocol, document), data).length > 0);
        // Without a site a vector violates several assertions.
        if (findingCount === 0 || site === undefined) continue;
        count += 1;
        findings += findingCount;
      }
    }
    expect(findings / count).toBeLessThan(1.05);
  });
});
