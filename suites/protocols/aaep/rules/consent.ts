import type { Breach, Checker, JsonObject } from "../../../../schemas/index.ts";
import { type EventName, onEvents } from "./event.ts";

const confirmation: readonly EventName[] = ["agent.awaiting.confirmation"];

/** Checks that the default decision of a question fits the risk of its action. */
export const consentCheckers: readonly Checker[] = [
  makeDefaultChecker(
    "AAEP-CONF-008",
    // If `irreversible` is true, the schema itself rejects such a default.
    ({ irreversible, reversibility, risk_level: risk }) =>
      irreversible !== true && reversibility === "irreversible" && (risk === "high" || risk === "medium"),
    "that cannot be undone and is more than slightly risky",
  ),
  makeDefaultChecker(
    "AAEP-CONF-009",
    (event) => isIrreversible(event) && (event.risk_level === undefined || event.risk_level === "low"),
    "that cannot be undone",
  ),
  makeDefaultChecker("AAEP-CONF-010", (event) => !isIrreversible(event) && event.risk_level === "high", "of high risk"),
  onEvents(
    "AAEP-CONF-011",
    function* ({ irreversible, reversibility, risk_level: risk, default_decision: defaultDecision }) {
      // If the default also accepts a risky action, these two members break AAEP-CONF-008, which is more serious.
      const breaksConsentRule = defaultDecision === "accept" && (risk === "high" || risk === "medium");
      const isContradicted =
        (irreversible === false && reversibility === "irreversible" && !breaksConsentRule) ||
        (irreversible === true && reversibility === "reversible");
      if (isContradicted)
        yield { at: "/reversibility", why: `is ${reversibility}, while irreversible is ${irreversible}` };
    },
    confirmation,
  ),
];

/** Whether an event declares its action irreversible. Either of two members can do so. */
export function isIrreversible({ irreversible, reversibility }: JsonObject): boolean {
  return irreversible === true || reversibility === "irreversible";
}

/** Quotes the members that state the risk of an action. */
function describeRisk(event: JsonObject): string {
  const statedMembers = ["risk_level", "irreversible", "reversibility"].filter((name) => event[name] !== undefined);
  return (
    statedMembers.map((name) => `${name} is ${JSON.stringify(event[name])}`).join(", ") || "no member states its risk"
  );
}

function makeDefaultChecker(rule: string, isRisky: (event: JsonObject) => boolean, actionDescription: string): Checker {
  return onEvents(
    rule,
    function* (event): Iterable<Breach> {
      if (event.default_decision === "accept" && isRisky(event))
        yield {
          at: "/default_decision",
          why: `defaults to accepting an action ${actionDescription}: ${describeRisk(event)}`,
        };
    },
    confirmation,
  );
}
