import { describe, expect, it } from "vitest";
import { compileAjv, findings } from "../../../../generators/index.ts";
import { protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { consentCheckers } from "./consent.ts";
import { event } from "./messages.ts";

const document = "agent.awaiting.confirmation";
const protocol = await ruled(protocolNamed("aaep"));
const { schema } = protocol.profile.documents.find(({ name }) => name === document) as { schema: string };
const accepts = compileAjv(protocol.schemas, schema);

/** The judgements of a default of accept, by the reversibility and the risk of the action. */
const table: readonly [
  irreversible: boolean | undefined,
  reversibility: string | undefined,
  none: string,
  low: string,
  medium: string,
  high: string,
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
const cells = table.flatMap(([irreversible, reversibility, ...row]) =>
  [undefined, "low", "medium", "high"].map((risk, index) => ({
    irreversible,
    reversibility,
    risk,
    verdict: row[index],
  })),
);

describe.each(["accept", "reject"])("silence that means %s", (decision) => {
  it.each(cells)(
    "irreversible $irreversible, $reversibility, risk $risk",
    ({ irreversible, reversibility, risk, verdict }) => {
      const data = event(document, { irreversible, reversibility, risk_level: risk, default_decision: decision });
      const found = findings(protocol, document, data, consentCheckers).map(({ rule }) => rule.slice(5));
      const graded = found.filter((rule) => rule !== "CONF-011");
      expect([accepts(data) ? undefined : "schema", ...graded].filter(Boolean)).toEqual(
        decision === "accept" && verdict !== "" ? [verdict] : [],
      );
      const isDenied =
        (irreversible === true && reversibility === "reversible") ||
        (irreversible === false && reversibility === "irreversible" && !graded.includes("CONF-008"));
      expect(found.includes("CONF-011")).toBe(isDenied);
    },
  );
});
