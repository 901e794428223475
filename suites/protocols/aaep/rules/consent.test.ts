import { describe, expect, it } from "vitest";
import { compileAjv, findings } from "../../../../generators/index.ts";
import { protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { consentCheckers } from "./consent.ts";
import { makeEvent } from "./messages.ts";

const document = "agent.awaiting.confirmation";
const protocol = await ruled(protocolNamed("aaep"));
const { schema } = protocol.profile.documents.find(({ name }) => name === document) as { schema: string };
const accepts = compileAjv(protocol.schemas, schema);

/** The faults of the default decision "accept", by the reversibility and the risk of the action. */
const expectedFaults: readonly [
  irreversible: boolean | undefined,
  reversibility: string | undefined,
  withoutRisk: string,
  lowRisk: string,
  mediumRisk: string,
  highRisk: string,
][] = [
  [true, undefined, "CONF-009", "CONF-009", "schema", "schema"],
  [true, "irreversible", "CONF-009", "CONF-009", "schema", "schema"],
  [true, "reversible_with_effort", "CONF-009", "CONF-009", "schema", "schema"],
  [true, "reversible", "CONF-009", "CONF-009", "schema", "schema"],
  [false, "irreversible", "CONF-009", "CONF-009", "CONF-008", "CONF-008"],
  [undefined, "irreversible", "CONF-009", "CONF-009", "CONF-008", "CONF-008"],
  [false, undefined, "", "", "", "CONF-010"],
  [false, "reversible_with_effort", "", "", "", "CONF-010"],
  [false, "reversible", "", "", "", "CONF-010"],
  [undefined, undefined, "", "", "", "CONF-010"],
  [undefined, "reversible_with_effort", "", "", "", "CONF-010"],
  [undefined, "reversible", "", "", "", "CONF-010"],
];
const cells = expectedFaults.flatMap(([irreversible, reversibility, ...row]) =>
  [undefined, "low", "medium", "high"].map((risk, index) => ({
    irreversible,
    reversibility,
    risk,
    expectedFault: row[index],
  })),
);

describe.each(["accept", "reject"])("the default decision %s", (defaultDecision) => {
  it.each(cells)(
    "is judged for an action with irreversible $irreversible, reversibility $reversibility and risk $risk",
    ({ irreversible, reversibility, risk, expectedFault }) => {
      const question = makeEvent(document, {
        irreversible,
        reversibility,
        risk_level: risk,
        default_decision: defaultDecision,
      });
      const brokenRules = findings(protocol, document, question, consentCheckers).map(({ rule }) => rule.slice(5));
      const riskRules = brokenRules.filter((rule) => rule !== "CONF-011");
      expect([accepts(question) ? undefined : "schema", ...riskRules].filter(Boolean)).toEqual(
        defaultDecision === "accept" && expectedFault !== "" ? [expectedFault] : [],
      );
      const isContradicted =
        (irreversible === true && reversibility === "reversible") ||
        (irreversible === false && reversibility === "irreversible" && !riskRules.includes("CONF-008"));
      expect(brokenRules.includes("CONF-011")).toBe(isContradicted);
    },
  );
});
