import { describe, expect, it } from "vitest";
import { type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";
import { agent, batch, conditional, locals, loop, parallel, react, sequential } from "./documents.fixture.ts";
import { unknownMembers } from "./members.ts";

const fullDocument = react({
  memory: {},
  constraints: { budget: {}, limits: {}, governance_policies: [{ policy_ref: "a.b.c" }] },
  action_space: {
    local_tools: [{ alias: "a", approval: { condition: [{ args_match: { x: { gt: 1 } } }] } }],
    mcp_servers: [
      { alias: "b", approval: {}, allowed_tools: [{ name: "t", approval: { condition: { args_match: {} } } }] },
    ],
    ...locals("c"),
    remote_agents: [{ alias: "d", allowed_skills: ["s", { id: "u" }] }],
  },
});

/** JSON Pointers to all objects in a value. */
function objectsIn(value: Json, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const nestedObjects = Object.entries(value).flatMap(([name, member]) => objectsIn(member, pointer.append(at, name)));
  return Array.isArray(value) ? nestedObjects : [at, ...nestedObjects];
}

function withMember(document: JsonObject, at: string): JsonObject {
  const copy = structuredClone(document);
  (pointer.at(at, copy) as JsonObject).strange = 1;
  return copy;
}

describe("unknownMembers", () => {
  const openObjects = /args_match|input_mapping|\/interface\/(input|output)/;
  const documents = [
    fullDocument,
    sequential({ output_from: { strategy: "last" } }),
    parallel(),
    loop(),
    batch(),
    conditional(),
  ];
  const places = documents.flatMap((document) => objectsIn(document).map((at) => ({ document, at })));

  it("finds an unknown member in every object with defined members, and nowhere else", () => {
    expect(places.length).toBeGreaterThan(60);
    for (const { document, at } of places) {
      const unknownPlaces = unknownMembers(withMember(document, at)).map((part) => part.at);
      expect(unknownPlaces, at).toEqual(openObjects.test(at) ? [] : [`${at}/strange`]);
    }
  });

  it("ignores the settings of a vendor's policy, but not other unknown members", () => {
    const vendor = agent("x-acme.plan", { any: { thing: 1 } });
    expect(unknownMembers(vendor)).toEqual([]);
    expect(unknownMembers(withMember(vendor, "/execution_policy")).map(({ at }) => at)).toEqual([
      "/execution_policy/strange",
    ]);
  });

  it.each([[null], ["x"], [[]], [{ metadata: [], interface: 5, action_space: { local_tools: {} } }]])(
    "finds no unknown member in %j",
    (value) => expect(unknownMembers(value as Json)).toEqual([]),
  );
});
