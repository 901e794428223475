import type { Checker, Json } from "../../../../schemas/index.ts";
import { type EventName, onEvents } from "./event.ts";

/** The recommended urgencies of the types that are not always critical. */
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

/** The types that are always critical, with their rules. */
export const criticalEvents: readonly [EventName, string][] = [
  ["agent.session.errored", "AAEP-LIFE-011"],
  ["agent.awaiting.confirmation", "AAEP-CONF-006"],
  ["agent.awaiting.clarification", "AAEP-CLAR-002"],
  ["agent.handoff.requested", "AAEP-HAND-002"],
];

/** Checks of the urgency that an event declares. By default, it is normal. */
export const urgencyCheckers: readonly Checker[] = [
  onEvents(
    "AAEP-ENV-024",
    function* ({ urgency }, name) {
      const [, recommendedValues = []] = recommendedUrgencies.find(([eventName]) => eventName === name) ?? [];
      if (!isOneOf(urgency, recommendedValues))
        yield {
          at: "/urgency",
          why: `${describeUrgency(urgency)}, but ${recommendedValues.join(" or ")} is recommended`,
        };
    },
    recommendedUrgencies.map(([name]) => name),
  ),
  ...criticalEvents.map(([name, rule]) =>
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

/** Whether an urgency is one of these. A value that is not a string passes, because the schema judges it. */
function isOneOf(urgency: Json | undefined, urgencies: readonly string[]): boolean {
  const statedUrgency = urgency ?? "normal";
  return typeof statedUrgency !== "string" || urgencies.includes(statedUrgency);
}

function describeUrgency(urgency: Json | undefined): string {
  return urgency === undefined ? "is absent and therefore normal" : `is ${urgency}`;
}
