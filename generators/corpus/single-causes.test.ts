import { expect, it } from "vitest";
import {
  type Document,
  isObject,
  type JsonObject,
  type RuledProtocol,
  type RuleFamily,
  type Vector,
} from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { oracleFor } from "../oracle/oracle.ts";
import { withSingleCauses } from "./single-causes.ts";

const $id = "https://shop.example/order.json";
const schema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id,
  type: "object",
  properties: { kind: { enum: ["dine", "take"] }, note: { type: "string" }, table: { type: "integer" } },
};

/** The rule: an order to dine in has a table. */
const family: RuleFamily = {
  name: "table",
  checkers: [
    {
      rule: "SHOP-TBL-001",
      documents: ["order"],
      check: (each) =>
        isObject(each) && each.kind !== "take" && !("table" in each) ? [{ at: "/table", why: "has none" }] : [],
    },
  ],
  cases: [],
};
const document = { name: "order", schema: $id } as Document;
const protocol = {
  name: "shop",
  version: "1",
  schemas: [schema],
  families: [family],
  profile: { documents: [document] },
  rules: [{ id: "SHOP-TBL-001", level: "MUST" }],
} as unknown as RuledProtocol;

const validVector = (name: string, data: JsonObject): Vector => ({
  id: `shop/1/order/valid/${name}`,
  description: name,
  valid: true,
  data,
  needs: [],
  tags: [],
});
/** Makes an invalid vector that replaces one member of its parent. */
function invalidVector(member: string, value: JsonObject[string], parent: Vector): Vector {
  return {
    id: `shop/1/order/invalid/${member}`,
    description: member,
    valid: false,
    data: { ...(parent.data as JsonObject), [member]: value },
    alsoBreaks: ["SHOP-TBL-001"],
    site: `${$id}#/properties/${member}/${member === "kind" ? "enum" : "type"}`,
    at: `/${member}`,
    parent: parent.id,
    change: [{ op: "replace", path: `/${member}`, value }],
    needs: [],
    tags: [],
  };
}

async function moveToSingleCause(refused: Vector, parents: Vector[]): Promise<Vector | undefined> {
  const [model, oracle] = await Promise.all([compileModel(protocol.schemas, $id), oracleFor(protocol.schemas, $id)]);
  const vectors = { valid: parents, invalid: [refused], semantic: [], disputed: [], raw: [] };
  return withSingleCauses(protocol, document, { model, oracle, placesIn: () => [], vectors }).invalid[0];
}

const withoutTable = validVector("bare", { kind: "dine", note: "soon" });
const withTable = validVector("laid", { kind: "dine", note: "soon", table: 4 });

it("moves a vector that breaks a further rule to a parent that keeps this rule", async () => {
  const refused = invalidVector("note", 5, withoutTable);
  const moved = await moveToSingleCause(refused, [withoutTable, withTable]);
  expect(moved).toMatchObject({
    id: refused.id,
    change: refused.change,
    parent: withTable.id,
    data: { kind: "dine", note: 5, table: 4 },
  });
});

it("leaves a vector unchanged if no other parent has the value that the fault replaces", async () => {
  const refused = invalidVector("note", 5, withoutTable);
  const otherNote = validVector("later", { kind: "dine", note: "later", table: 4 });
  expect(await moveToSingleCause(refused, [withoutTable, otherNote])).toBe(refused);
});

it("leaves a vector unchanged if its message would equal another one, or would break more than its assertion", async () => {
  const refused = invalidVector("note", 5, withoutTable);
  const equalVector = { ...validVector("taken", { kind: "dine", note: 5, table: 4 }), valid: false };
  const invalidTable = validVector("twice", { kind: "dine", note: "soon", table: "four" });
  expect(await moveToSingleCause(refused, [withoutTable, withTable, equalVector])).toBe(refused);
  expect(await moveToSingleCause(refused, [withoutTable, invalidTable])).toBe(refused);
});

it("leaves a vector unchanged if every parent breaks the further rule, or if it breaks only its assertion", async () => {
  const takeAway = validVector("away", { kind: "take", note: "soon" });
  const invalidKind = invalidVector("kind", "DINE", takeAway);
  expect(await moveToSingleCause(invalidKind, [takeAway, withoutTable, withTable])).toBe(invalidKind);
  const singleCause = invalidVector("note", 5, withTable);
  expect(await moveToSingleCause(singleCause, [withoutTable, withTable])).toBe(singleCause);
});
