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
import { withOneCause } from "./single-causes.ts";

const $id = "https://shop.example/order.json";
const schema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id,
  type: "object",
  properties: { kind: { enum: ["dine", "take"] }, note: { type: "string" }, table: { type: "integer" } },
};

/** An order to dine has a table. */
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

const valid = (name: string, data: JsonObject): Vector => ({
  id: `shop/1/order/valid/${name}`,
  description: name,
  valid: true,
  data,
  needs: [],
  tags: [],
});
/** A vector with one member replaced by another value. */
function invalid(member: string, value: JsonObject[string], parent: Vector): Vector {
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

async function moved(refused: Vector, parents: Vector[]): Promise<Vector | undefined> {
  const [model, oracle] = await Promise.all([compileModel(protocol.schemas, $id), oracleFor(protocol.schemas, $id)]);
  const all = { valid: parents, invalid: [refused], semantic: [], disputed: [], raw: [] };
  return withOneCause(protocol, document, { model, oracle, placesIn: () => [], vectors: all }).invalid[0];
}

const bare = valid("bare", { kind: "dine", note: "soon" });
const laid = valid("laid", { kind: "dine", note: "soon", table: 4 });

it("a vector that breaks a further rule gets a parent with which the same change breaks no other rule", async () => {
  const refused = invalid("note", 5, bare);
  const found = await moved(refused, [bare, laid]);
  expect(found).toMatchObject({
    id: refused.id,
    change: refused.change,
    parent: laid.id,
    data: { kind: "dine", note: 5, table: 4 },
  });
});

it("is unchanged if no parent has the value that the fault is made from", async () => {
  const refused = invalid("note", 5, bare);
  const later = valid("later", { kind: "dine", note: "later", table: 4 });
  expect(await moved(refused, [bare, later])).toBe(refused);
});

it("is unchanged if its message would equal another one, or would break more than its assertion", async () => {
  const refused = invalid("note", 5, bare);
  const taken = { ...valid("taken", { kind: "dine", note: 5, table: 4 }), valid: false };
  const twice = valid("twice", { kind: "dine", note: "soon", table: "four" });
  expect(await moved(refused, [bare, laid, taken])).toBe(refused);
  expect(await moved(refused, [bare, twice])).toBe(refused);
});

it("stays if every parent has the second cause, or its one cause is all that it breaks", async () => {
  const away = valid("away", { kind: "take", note: "soon" });
  const changed = invalid("kind", "DINE", away);
  expect(await moved(changed, [away, bare, laid])).toBe(changed);
  const single = invalid("note", 5, laid);
  expect(await moved(single, [bare, laid])).toBe(single);
});
