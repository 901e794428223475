import { afterAll, describe, expect, it } from "vitest";
import { type Hook, isObject, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { validate } from "../../../packs/validate/validate.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("agentformat");
const told: JsonObject[] = [];

it("knows scenarios for rules of the catalogue only, each by a name of its own", () => {
  const rules = new Set(protocol.rules.map(({ id }) => id));
  expect(scenarios.flatMap((scenario) => scenario.rules).filter((rule) => !rules.has(rule))).toEqual([]);
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
});

it("covers what the catalogue says is covered by scenarios, and nothing that it does not", () => {
  const own = new Set(scenarios.flatMap(({ rules }) => rules));
  const said = protocol.rules.filter(({ status }) => "covered" in status && status.covered === "scenarios");
  expect(said.map(({ id }) => id).sort()).toEqual([...own].filter((id) => said.some((rule) => rule.id === id)).sort());
  const silent = protocol.rules.filter(({ id, status }) => own.has(id) && !("covered" in status));
  expect(silent.map(({ id }) => id)).toEqual([]);
});

/** The text of a document without its words and numbers. */
const shapeOf = (document: JsonObject): string => JSON.stringify(document).replace(/[a-z]{3,}|[0-9.]+/gi, "");

/** `TOUCHSTONE_RUNS=20` looks for flakes. */
const seeds = Array.from({ length: Number(process.env.TOUCHSTONE_RUNS ?? 3) }, (_, index) => index + 1);

describe("the reference", () => {
  afterAll(() => told.splice(0));

  it.each(seeds)("conforms in all of them, seed %i", async (seed) => {
    const { setting, close } = await live.open();
    const tell = setting.hooks?.tell as Hook;
    const hooks = {
      ...setting.hooks,
      tell(given: JsonObject) {
        if (isObject(given.message)) told.push(given.message);
        return tell(given);
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

  it("is handed documents that are right, save for those that are about what is not", async () => {
    const documents = told.flatMap(({ run }) => (isObject(run) && isObject(run.document) ? [run.document] : []));
    // One of each make: values and numbers that were drawn say nothing of it.
    const unlike = [...new Map(documents.map((each) => [shapeOf(each), each])).values()];
    expect(unlike.length).toBeGreaterThan(30);
    const wrong = new Set<string>();
    for (const document of unlike) {
      for (const { rule = "", level } of await validate(protocol, "agent", document))
        if (level === "MUST") wrong.add(rule);
    }
    // The unknown policies, and the aliases that are given twice.
    expect([...wrong].sort()).toEqual(["AGF-ACT-002", "AGF-POL-003"]);
  });
});
