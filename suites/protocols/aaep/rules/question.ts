import { type Checker, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { isIrreversible } from "./consent.ts";
import { extensionContexts, nameOf, onEvents } from "./event.ts";

const confirmation = ["agent.awaiting.confirmation"] as const;
const clarification = ["agent.awaiting.clarification"] as const;

/** Checks of the possible answers to a question, and of their deadline. */
export const questionCheckers: readonly Checker[] = [
  onEvents(
    "AAEP-CONF-013",
    function* (event) {
      const { default_decision: decision } = event;
      const replies = repliesOf(event);
      // If no answer is possible at all, the question breaks AAEP-CONF-014 instead.
      if (replies !== undefined && typeof decision === "string" && replies.some(isDecision))
        if (!replies.includes(decision))
          yield { at: "/default_decision", why: `is "${decision}", which is not an allowed reply` };
    },
    confirmation,
  ),
  onEvents(
    "AAEP-CONF-014",
    function* (event) {
      const replies = repliesOf(event);
      if (replies === undefined || replies.length === 0 || replies.some(isDecision)) return;
      const mayBeExplained = extensionContexts(event).length > 0;
      const why = `allows "${replies[0]}", but neither accept nor reject`;
      yield { at: "/allowed_replies", why, ...(mayBeExplained ? { level: "SHOULD" } : {}) };
    },
    confirmation,
  ),
  onEvents(
    "AAEP-CONF-015",
    function* (event) {
      const replies = repliesOf(event) ?? [];
      const customIndex = replies.findIndex((reply) => typeof reply === "string" && !isDecision(reply));
      if (customIndex >= 0 && replies.some(isDecision) && extensionContexts(event).length === 0)
        yield {
          at: `/allowed_replies/${customIndex}`,
          why: `is "${replies[customIndex]}", which no extension explains`,
        };
    },
    confirmation,
  ),
  onEvents(
    "AAEP-CONF-016",
    function* (event) {
      const { timeout_seconds: timeout } = event;
      const [minimum, maximum] = recommendedTimeouts(event) ?? [];
      if (typeof timeout !== "number" || minimum === undefined || maximum === undefined) return;
      if (timeout < minimum || timeout > maximum)
        yield { at: "/timeout_seconds", why: `is ${timeout}, but ${minimum} to ${maximum} is recommended` };
    },
    [...confirmation, ...clarification],
  ),
  onEvents(
    "AAEP-CLAR-004",
    function* (event) {
      const knownValues = new Set<string>();
      for (const { at, value } of choiceValues(event)) {
        if (knownValues.has(value)) yield { at, why: `is "${value}", like the value of another choice` };
        knownValues.add(value);
      }
      const { default_response: defaultResponse, accepted_response_kinds: kinds } = event;
      if (typeof defaultResponse !== "string" || !Array.isArray(kinds) || kinds.length === 0) return;
      // AAEP-CLAR-003 reports missing choices.
      const fits = kinds.some((kind) =>
        kind === "multiple_choice"
          ? knownValues.size === 0 || knownValues.has(defaultResponse)
          : fitsKind(kind, defaultResponse),
      );
      if (!fits) yield { at: "/default_response", why: `is "${defaultResponse}", which is not a possible answer` };
    },
    clarification,
  ),
];

function repliesOf({ allowed_replies: replies }: JsonObject): Json[] | undefined {
  return Array.isArray(replies) ? replies : undefined;
}

function isDecision(reply: Json): boolean {
  return reply === "accept" || reply === "reject";
}

function choiceValues({ choices }: JsonObject): { at: string; value: string }[] {
  return (Array.isArray(choices) ? choices : []).flatMap((choice, index) =>
    isObject(choice) && typeof choice.value === "string"
      ? [{ at: `/choices/${index}/value`, value: choice.value }]
      : [],
  );
}

/** Whether a default response, which is always a string, can be an answer of this kind. An unknown kind accepts any string. */
function fitsKind(kind: Json, text: string): boolean {
  if (kind === "yes_no") return /^(yes|no|true|false)$/i.test(text);
  if (kind === "numeric") return /^[+-]?[0-9]+([.,][0-9]+)?([eE][+-]?[0-9]+)?$/.test(text);
  return true;
}

/** Returns the recommended minimum and maximum of a question's timeout. Undefined if there is no recommendation. */
function recommendedTimeouts(event: JsonObject): readonly [number, number] | undefined {
  const { risk_level: risk, irreversible, reversibility } = event;
  if (nameOf(event) === "agent.awaiting.clarification") return [60, 300];
  if (isIrreversible(event)) {
    if (risk === "high") return [180, 600];
    return risk === "medium" ? [60, 180] : undefined;
  }
  const isReversible = reversibility === "reversible" || (irreversible === false && reversibility === undefined);
  return risk === "low" && isReversible ? [30, 90] : undefined;
}
