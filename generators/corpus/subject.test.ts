import { expect, it } from "vitest";
import type { Document, Protocol } from "../../schemas/index.ts";
import { elsewhereOf } from "./subject.ts";

const all = "https://shop.example/all.json";
const schemas = ["order", "batch"].map((name) => ({ $id: `${all}/$defs/${name}`, $ref: `${all}#/$defs/${name}` }));

function isOrderElsewhere(order: Partial<Document>, batch: Partial<Document>, more: Partial<Protocol> = {}): boolean {
  const documents = [order, batch].map((each, index) => ({
    name: index === 0 ? "order" : "batch",
    schema: schemas[index]?.$id,
    standalone: true,
    role: "entry",
    ...each,
  }));
  const protocol = { foreign: true, schemas, profile: { documents }, ...more } as unknown as Protocol;
  return elsewhereOf(protocol, documents[1] as Document).has(`${all}#/$defs/order/properties/id/pattern`);
}

const endpoint = { path: "/rpc" } as NonNullable<Document["endpoint"]>;

it("a definition that is a document is tested there, and not again in a batch of it", () => {
  expect(isOrderElsewhere({}, {})).toBe(true);
  expect(isOrderElsewhere({ endpoint }, { endpoint })).toBe(true);
});

it("a definition that is a document is tested in a batch too if only the batch is sent", () => {
  expect(isOrderElsewhere({ role: "emitted" }, {})).toBe(false);
  expect(isOrderElsewhere({}, { endpoint })).toBe(false);
});

it("the published sets test definitions in each document", () => {
  expect(isOrderElsewhere({}, {}, { foreign: undefined } as unknown as Partial<Protocol>)).toBe(false);
});
