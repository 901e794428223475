import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileAjv, walksOf } from "../../../../../generators/index.ts";
import { type Json, type JsonObject, protocolNamed } from "../../../../../schemas/index.ts";
import { drawsOf } from "../../../../../schemas/part.fixture.ts";
import { ruled } from "../../../../packs/pack/load.ts";
import { brokenRules, sessionCheckers as checkers } from "./broken-rules.fixture.ts";
import { createSessionModel } from "./model.ts";
import { mutations } from "./mutations.fixture.ts";
import { numberEvents } from "./session.ts";

const walks = walksOf(createSessionModel(), 60);
const protocol = await ruled(protocolNamed("aaep"));
const documents = protocol.profile.documents;
const schemaOf = (type: Json | undefined): string | undefined =>
  documents.find(({ when }) => when?.["/type"]?.includes(type as Json))?.schema;
const validators = new Map<string, (instance: Json) => boolean>();

/** Whether a message is valid under the schema of its own document. */
function isValid(message: JsonObject): boolean {
  const id = schemaOf(message.type);
  if (id === undefined) return true;
  const validate = validators.get(id) ?? compileAjv(protocol.schemas, id);
  validators.set(id, validate);
  return validate(message);
}

describe("a walk along the model", () => {
  it("breaks no rule, with or without numbers, and contains valid messages", () => {
    const isValidSession = compileAjv(protocol.schemas, documents.find(({ name }) => name === "session")?.schema ?? "");
    fc.assert(
      fc.property(walks, (walk) => {
        expect(brokenRules(walk)).toEqual([]);
        expect(brokenRules(numberEvents(walk))).toEqual([]);
        expect(isValidSession(walk)).toBe(true);
        expect(walk.filter(({ message }) => !isValid(message as JsonObject))).toEqual([]);
      }),
      { numRuns: drawsOf(40), seed: 42 },
    );
  });

  it("uses every step of the model", () => {
    const entries = fc.sample(walks, { numRuns: 300, seed: 42 }).flat();
    const stepMessages = new Set(
      entries.map(({ message }) =>
        JSON.stringify([
          (message as JsonObject).type,
          (message as JsonObject).to_state,
          (message as JsonObject).decision,
          (message as JsonObject).irreversible,
        ]),
      ),
    );
    expect(stepMessages.size).toBe(21);
  });

  it("shrinks to a shorter walk that is still valid", () => {
    const isAccepted = (walk: readonly JsonObject[]): boolean =>
      walk.some(({ message }) => (message as JsonObject).decision === "accept");
    const { counterexample } = fc.check(
      fc.property(walks, (walk) => !isAccepted(walk)),
      { seed: 42, numRuns: drawsOf(500) },
    );
    const [shortest = []] = counterexample ?? [];
    expect(shortest.map(({ message }) => String((message as JsonObject).type).replace("aaep:agent.", ""))).toEqual([
      "session.started",
      "state.changed",
      "state.changed",
      "awaiting.confirmation",
      "confirmation.reply",
      "state.changed",
      "tool.invoked",
      "tool.completed",
      "state.changed",
      "session.completed",
    ]);
    expect(brokenRules(shortest)).toEqual([]);
  });
});

describe("a walk with one mistake", () => {
  it("exists for every rule", () => {
    expect(
      Object.keys(mutations)
        .map((rule) => `AAEP-${rule}`)
        .sort(),
    ).toEqual(checkers.map(({ rule }) => rule).sort());
  });

  it.each(Object.entries(mutations))("breaks %s", (rule, mutate) => {
    const check = checkers.find((checker) => checker.rule === `AAEP-${rule}`)?.check;
    let mutants = 0;
    fc.assert(
      fc.property(walks, (walk) => {
        const mutant = mutate(walk);
        if (mutant === undefined) return;
        mutants += 1;
        expect([...(check?.(mutant, "session") ?? [])]).not.toEqual([]);
      }),
      { numRuns: 150, seed: 42 },
    );
    expect(mutants).toBeGreaterThan(2);
  });
});
