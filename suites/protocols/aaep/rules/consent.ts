import type { Breach, Checker, JsonObject } from "../../../../schemas/index.ts";
import { type EventName, onEvents } from "./event.ts";

const confirmation: readonly EventName[] = ["agent.awaiting.confirmation"];

/** The meaning of silence: whether the default decision of a question fits the risk of its action. */
export const consentCheckers: readonly Checker[] = [
  silenceChecker(
    "AAEP-CONF-008",
    // If the boolean is set, the schema checks the same.
    ({ irreversible, reversibility, risk_level: risk }) =>
      irreversible !== true && reversibility === "irreversible" && (risk === "high" || risk === "medium"),
    "that cannot be undone and is more than slightly risky",
  ),
  silenceChecker(
    "AAEP-CONF-009",
    (event) => isIrreversible(event) && (event.risk_level === undefined || event.risk_level === "low"),
    "that cannot be undone",
  ),
  silenceChecker("AAEP-CONF-010", (event) => !isIrreversible(event) && event.risk_level === "high", "of high risk"),
  onEvents(
    "AAEP-CONF-011",
    function* ({ irreversible, reversibility, risk_level: risk, default_decision: fallback }) {
      // A producer that treats silence as consent to a final and risky action breaks a graver rule, by the same two members.
      const isGraver = fallback === "accept" && (risk === "high" || risk === "medium");
      const isDenied =
        (irreversible === false && reversibility === "irreversible" && !isGraver) ||
        (irreversible === true && reversibility === "reversible");
      if (isDenied) yield { at: "/reversibility", why: `is ${reversibility}, while irreversible is ${irreversible}` };
    },
    confirmation,
  ),
];

/** Two members can declare an action irreversible; one of them is enough. */
export function isIrreversible({ irreversible, reversibility }: JsonObject): boolean {
  return irreversible === true || reversibility === "irreversible";
}

/** An event's statement about the risk of its action. */
function riskIn(event: JsonObject): string {
  const told = ["risk_level", "irreversible", "reversibility"].filter((name) => event[name] !== undefined);
  return told.map((name) => `${name} is ${JSON.stringify(event[name])}`).join(", ") || "of its risk it says nothing";
}

function silenceChecker(rule: string, isRisky: (event: JsonObject) => boolean, what: string): Checker {
  return onEvents(
    rule,
    function* (event): Iterable<Breach> {
      if (event.default_decision === "accept" && isRisky(event))
        yield { at: "/default_decision", why: `accepts by silence an action ${what}: ${riskIn(event)}` };
    },
    confirmation,
  );
}
