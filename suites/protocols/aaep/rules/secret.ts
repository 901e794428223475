import type { Breach, Checker, JsonObject } from "../../../../schemas/index.ts";
import { type EventName, onEvents } from "./event.ts";
import { readableTexts } from "./readable.ts";
import { findPrivateNumber, findSecret, hasListedShape } from "./secret-shape.ts";

const tools: readonly EventName[] = ["agent.tool.invoked", "agent.tool.completed"];

/** Secrets that must not be read aloud. Another rule covers the texts of tool events. */
export const secretCheckers: readonly Checker[] = [
  onEvents("AAEP-TOOL-014", findSecrets, tools),
  onEvents("AAEP-SEC-001", (event, name) => (name !== undefined && tools.includes(name) ? [] : findSecrets(event))),
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
