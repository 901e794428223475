import type { Checker, Json } from "../../../../schemas/index.ts";
import { type EventName, onEvents } from "./event.ts";

/** The recommended urgencies of the types with a choice. */
const recommendedUrgencies: readonly [EventName, readonly string[]][] = [
  ["agent.session.started", ["normal"]],
  ["agent.state.changed", ["background", "normal"]],
  ["agent.progress.updated", ["background"]],
  ["agent.tool.invoked", ["normal"]],
  ["agent.tool.completed", ["normal"]],
  ["agent.output.streaming", ["normal"]],
  ["agent.session.completed", ["normal"]],
  ["agent.session.cancelled", ["normal"]],
];

/** The critical types, each with a rule of its own. */
export const critical: readonly [EventName, string][] = [
  ["agent.session.errored", "AAEP-LIFE-011"],
  ["agent.awaiting.confirmation", "AAEP-CONF-006"],
  ["agent.awaiting.clarification", "AAEP-CLAR-002"],
  ["agent.handoff.requested", "AAEP-HAND-002"],
];

/** The urgency that an event declares; without one it is normal. */
export const urgencyCheckers: readonly Checker[] = [
  onEvents(
    "AAEP-ENV-024",
    function* ({ urgency }, name) {
      const [, fitting = []] = recommendedUrgencies.find(([each]) => each === name) ?? [];
      if (!isOneOf(urgency, fitting))
        yield { at: "/urgency", why: `${describeUrgency(urgency)}, where ${fitting.join(" or ")} is recommended` };
    },
    recommendedUrgencies.map(([name]) => name),
  ),
  ...critical.map(([name, rule]) =>
    onEvents(
      rule,
      function* ({ urgency }) {
        if (!isOneOf(urgency, ["critical"]))
          yield { at: "/urgency", why: `${describeUrgency(urgency)}, in an event that is always critical` };
      },
      [name],
    ),
  ),
];

/** The schema judges values that are not text; here they count as fitting. */
function isOneOf(urgency: Json | undefined, fitting: readonly string[]): boolean {
  const said = urgency ?? "normal";
  return typeof said !== "string" || fitting.includes(said);
}

function describeUrgency(urgency: Json | undefined): string {
  return urgency === undefined ? "is absent and therefore normal" : `is ${urgency}`;
}
