import type { Breach, Checker, JsonObject } from "../../../../schemas/index.ts";
import { type EventName, onEvents } from "./event.ts";
import { readable } from "./readable.ts";
import { isListed, numbersIn, secretIn } from "./secret-shape.ts";

const tools: readonly EventName[] = ["agent.tool.invoked", "agent.tool.completed"];

/** Secrets that must not be read aloud. Another rule covers the texts of tool events. */
export const secretCheckers: readonly Checker[] = [
  onEvents("AAEP-TOOL-014", findSecrets, tools),
  onEvents("AAEP-SEC-001", (event, name) => (name !== undefined && tools.includes(name) ? [] : findSecrets(event))),
];

function* findSecrets(event: JsonObject): Iterable<Breach> {
  for (const { at, text } of readable(event)) {
    const secret = secretIn(text);
    if (secret !== undefined) yield { at, why: `contains ${secret}`, ...(isListed(text) ? {} : { level: "SHOULD" }) };
    const number = numbersIn(text);
    // A harmless number may look alike, and users may have given their own.
    if (number !== undefined) yield { at, why: `contains text that may be ${number}`, level: "SHOULD" };
  }
}
