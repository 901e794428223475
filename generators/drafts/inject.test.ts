import { expect, it } from "vitest";
import { compileModel } from "../compile/compile.ts";
import { planVectors } from "../corpus/plan.ts";
import { document, id } from "../testing/schemas.fixture.ts";

it("locates the fault at the forbidden member, even if adding it requires other changes", async () => {
  const request = {
    required: ["method"],
    properties: { method: { enum: ["POST", "GET"] }, body: {} },
    if: { properties: { method: { const: "GET" } } },
    then: { properties: { body: false } },
  };
  const conditions = { if: { properties: { kind: { const: "http" } } }, else: { properties: { request: false } } };
  const schema = {
    type: "object",
    required: ["id", "kind"],
    properties: { id: { type: "string", pattern: "^[a-z]{3}$" }, kind: { enum: ["http", "shell"] }, request },
    ...conditions,
  };
  const schemas = [document(schema)];
  const samples = [
    { id: "abc", kind: "shell" },
    { id: "def", kind: "http", request: { method: "POST", body: 1 } },
  ];
  const { invalid } = planVectors({ model: await compileModel(schemas, id), samples, elsewhere: new Set() }, schemas);
  const forbidden = invalid.filter(({ fault }) => fault === "forbidden-member");
  const summaries = new Set(forbidden.map(({ site, at, name }) => `${site?.slice(id.length)} ${at} ${name[0]}`));
  expect([...summaries].sort()).toEqual([
    "#/else/properties/request /request /request",
    "#/properties/request/then/properties/body /request/body /request/body",
  ]);
});
