import type { Breach, Checker, JsonObject } from "../../../../schemas/index.ts";
import { type EventName, onEvents } from "./event.ts";
import { readableTexts } from "./readable.ts";
import { findPrivateNumber, findSecret, hasListedShape } from "./secret-shape.ts";

const toolEvents: readonly EventName[] = ["agent.tool.invoked", "agent.tool.completed"];

/** Checks that texts contain no secrets, because they may be read aloud. Texts of tool events have a separate rule. */
export const secretCheckers: readonly Checker[] = [
  onEvents("AAEP-TOOL-014", findSecrets, toolEvents),
  onEvents("AAEP-SEC-001", (event, name) =>
    name !== undefined && toolEvents.includes(name) ? [] : findSecrets(event),
  ),
];

function* findSecrets(event: JsonObject): Iterable<Breach> {
  for (const { at, text } of readableTexts(event)) {
    const secret = findSecret(text);
    if (secret !== undefined)
      yield { at, why: `contains ${secret}`, ...(hasListedShape(text) ? {} : { level: "SHOULD" }) };
    const number = findPrivateNumber(text);
    // A harmless number may look the same, and the user may have entered the number.
    if (number !== undefined) yield { at, why: `contains text that may be ${number}`, level: "SHOULD" };
  }
}
