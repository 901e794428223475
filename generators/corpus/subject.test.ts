import { expect, it } from "vitest";
import type { Document, Protocol } from "../../schemas/index.ts";
import { elsewhereOf } from "./subject.ts";

const bundleId = "https://shop.example/all.json";
const schemas = ["order", "batch"].map((name) => ({
  $id: `${bundleId}/$defs/${name}`,
  $ref: `${bundleId}#/$defs/${name}`,
}));

function isOrderElsewhere(
  order: Partial<Document>,
  batch: Partial<Document>,
  overrides: Partial<Protocol> = {},
): boolean {
  const documents = [order, batch].map((each, index) => ({
    name: index === 0 ? "order" : "batch",
    schema: schemas[index]?.$id,
    standalone: true,
    role: "entry",
    ...each,
  }));
  const protocol = { foreign: true, schemas, profile: { documents }, ...overrides } as unknown as Protocol;
  return elsewhereOf(protocol, documents[1] as Document).has(`${bundleId}#/$defs/order/properties/id/pattern`);
}

const endpoint = { path: "/rpc" } as NonNullable<Document["endpoint"]>;

it("tests a definition with its own document there, and not again in a batch", () => {
  expect(isOrderElsewhere({}, {})).toBe(true);
  expect(isOrderElsewhere({ endpoint }, { endpoint })).toBe(true);
});

it("tests a definition in a batch too if only the batch is sent", () => {
  expect(isOrderElsewhere({ role: "emitted" }, {})).toBe(false);
  expect(isOrderElsewhere({}, { endpoint })).toBe(false);
});

it("tests definitions in each document of a published set", () => {
  expect(isOrderElsewhere({}, {}, { foreign: undefined } as unknown as Partial<Protocol>)).toBe(false);
});
