import { afterAll, describe, expect, it } from "vitest";
import { type Hook, isObject, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { validate } from "../../../packs/validate/validate.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("agentformat");
const sentMessages: JsonObject[] = [];

it("has uniquely named scenarios, which refer only to rules of the catalogue", () => {
  const rules = new Set(protocol.rules.map(({ id }) => id));
  expect(scenarios.flatMap((scenario) => scenario.rules).filter((rule) => !rules.has(rule))).toEqual([]);
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
});

it("covers exactly the rules that the catalogue lists as covered by scenarios", () => {
  const coveredByScenarios = new Set(scenarios.flatMap(({ rules }) => rules));
  const coveredInCatalogue = protocol.rules.filter(
    ({ status }) => "covered" in status && status.covered === "scenarios",
  );
  expect(coveredInCatalogue.map(({ id }) => id).sort()).toEqual(
    [...coveredByScenarios].filter((id) => coveredInCatalogue.some((rule) => rule.id === id)).sort(),
  );
  const unmarked = protocol.rules.filter(({ id, status }) => coveredByScenarios.has(id) && !("covered" in status));
  expect(unmarked.map(({ id }) => id)).toEqual([]);
});

/** A document's JSON without words and numbers, which is the same for all documents with one structure. */
const shapeOf = (document: JsonObject): string => JSON.stringify(document).replace(/[a-z]{3,}|[0-9.]+/gi, "");

/** Set `TOUCHSTONE_RUNS=20`, for example, to play more seeds and find flaky scenarios. */
const seeds = Array.from({ length: Number(process.env.TOUCHSTONE_RUNS ?? 3) }, (_, index) => index + 1);

describe("the reference", () => {
  afterAll(() => sentMessages.splice(0));

  it.each(seeds)("conforms in all scenarios, seed %i", async (seed) => {
    const { setting, close } = await live.open();
    const tell = setting.hooks?.tell as Hook;
    const hooks = {
      ...setting.hooks,
      tell(message: JsonObject) {
        if (isObject(message.message)) sentMessages.push(message.message);
        return tell(message);
      },
    };
    try {
      const results = await playScenarios({ protocol, scenarios, setting: { ...setting, hooks }, seed });
      expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
      expect(results.length).toBe(scenarios.flatMap(({ rules }) => rules).length);
    } finally {
      await close();
    }
  });

  it("receives only valid documents, except in scenarios about invalid ones", async () => {
    const documents = sentMessages.flatMap(({ run: order }) =>
      isObject(order) && isObject(order.document) ? [order.document] : [],
    );
    // One document of each structure, since generated words and numbers do not affect validity.
    const distinct = [...new Map(documents.map((document) => [shapeOf(document), document])).values()];
    expect(distinct.length).toBeGreaterThan(30);
    const invalidDocuments = new Set<string>();
    for (const document of distinct) {
      for (const { rule = "", level } of await validate(protocol, "agent", document))
        if (level === "MUST") invalidDocuments.add(rule);
    }
    // Scenarios send unknown policies and repeated aliases on purpose.
    expect([...invalidDocuments].sort()).toEqual(["AGF-ACT-002", "AGF-POL-003"]);
  });
});
