import type { Breach, Checker, JsonObject } from "../../../../schemas/index.ts";
import { type EventName, onEvents } from "./event.ts";
import { readable } from "./readable.ts";
import { isListed, numbersIn, secretIn } from "./secret-shape.ts";

const tools: readonly EventName[] = ["agent.tool.invoked", "agent.tool.completed"];

/** Secrets that must not be read aloud. The texts of tool events are the matter of a rule of their own. */
export const secretCheckers: readonly Checker[] = [
  onEvents("AAEP-TOOL-014", findSecrets, tools),
  onEvents("AAEP-SEC-001", (event, name) => (name !== undefined && tools.includes(name) ? [] : findSecrets(event))),
];

function* findSecrets(event: JsonObject): Iterable<Breach> {
  for (const { at, text } of readable(event)) {
    const secret = secretIn(text);
    if (secret !== undefined) yield { at, why: `contains ${secret}`, ...(isListed(text) ? {} : { level: "SHOULD" }) };
    const number = numbersIn(text);
    // A harmless number may look the same, and users may have given theirs.
    if (number !== undefined) yield { at, why: `contains text that may be ${number}`, level: "SHOULD" };
  }
}
