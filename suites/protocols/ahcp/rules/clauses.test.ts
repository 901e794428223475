import { describe, expect, it } from "vitest";
import { findings, type RuleViolation, semanticVectors } from "../../../../generators/index.ts";
import { type Json, protocolNamed, type Vector } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";

const protocol = await ruled(protocolNamed("ahcp"));
const vectors = protocol.profile.documents.flatMap((document) =>
  semanticVectors(protocol, document).map((vector) => ({ vector, document: document.name })),
);
const judgedVectors = vectors.map(({ vector, document }) => ({
  vector,
  found: findings(protocol, document, vector.data as Json),
}));
const invalidVectors = judgedVectors.filter(({ vector }) => vector.valid === false || allowsEitherAnswer(vector));

/** Whether the vector's rule lets a hub accept or refuse the message. Such vectors are published as disputed. */
function allowsEitherAnswer({ rule, readings }: Vector): boolean {
  return (
    readings?.some(({ by }) => by.includes("rule")) === true && ["AHCP-ASK-005", "AHCP-ASK-018"].includes(rule ?? "")
  );
}

/** The clause of a finding: its reason with all values replaced, so that equal reasons have equal texts. */
function clauseOf({ why, level }: RuleViolation): string {
  return `${level} ${why.replaceAll(/"[^"]*"|\[.*\]|\{.*\}|\d+|\b(ask|task|notify|open|delivered|answered|declined|cancelled|expired|completed|dismissed)\b/g, "…")}`;
}

describe("each clause of a rule", () => {
  // If the schema checks a rule, the code reports only cases in which readings of the specification differ.
  const schemaRules = new Set(protocol.rules.filter(({ check }) => check === "schema").map(({ id }) => id));
  const rules = [...new Set(protocol.families.flatMap(({ checkers }) => checkers.map(({ rule }) => rule)))].filter(
    (rule) => !schemaRules.has(rule),
  );

  it.each(rules)("has a case of %s that breaks this clause alone", (rule) => {
    const ownClauses = invalidVectors
      .filter(({ vector }) => vector.rule === rule)
      .map(
        ({ found: violations }) =>
          new Set(
            violations
              .filter((ruleViolation) => ruleViolation.rule === rule && ruleViolation.level !== "NOTE")
              .map(clauseOf),
          ),
      );
    const clauses = new Set(ownClauses.flatMap((clauseText) => [...clauseText]));
    expect(clauses.size).toBeGreaterThan(0);
    for (const clauseText of clauses)
      expect([clauseText, ownClauses.some((set) => set.size === 1 && set.has(clauseText))]).toEqual([clauseText, true]);
  });
});

describe("the rules that allow either answer", () => {
  const openVectors = invalidVectors.filter(({ vector }) => allowsEitherAnswer(vector));

  it("are the only rules that their cases break", () => {
    expect(openVectors.length).toBeGreaterThan(20);
    for (const { vector, found } of openVectors)
      expect([vector.id, [...new Set(found.map(({ rule }) => rule))]]).toEqual([vector.id, [vector.rule]]);
  });

  it("are only recommendations if a form hides its structure", () => {
    const level = (name: string) =>
      openVectors
        .find(({ vector }) => vector.id.endsWith(`AHCP-ASK-005/${name}`))
        ?.found.map((ruleViolation) => ruleViolation.level);
    expect(new Set(level("object-among-types"))).toEqual(new Set(["SHOULD"]));
    expect(level("reference")).toEqual(["SHOULD"]);
    expect(level("required-stranger")).toEqual(["SHOULD"]);
  });
});

describe("the samples of the profile", () => {
  const samples = protocol.profile.documents.flatMap(({ name, samples: documentSamples = [] }) =>
    documentSamples.map((sample, index) => ({ name, index, sample })),
  );

  it.each(samples)("break no rule: $name $index", ({ name, sample }) => {
    expect(findings(protocol, name, sample)).toEqual([]);
  });
});
