import { type Checker, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { eventDocuments, extensionsOf } from "./event.ts";

/** The recommended limits: bytes of an event and of a string in UTF-8, members of an event, and nesting levels including the event. */
export const limits = { event: 65_536, string: 16_384, members: 32, depth: 8 };

/** Checks of the size of an event. */
export const sizeCheckers: readonly Checker[] = [
  {
    rule: "AAEP-ENV-036",
    documents: eventDocuments,
    *check(event) {
      if (!isObject(event)) return;
      const members = Object.keys(event).length + Object.keys(extensionsOf(event)).length;
      if (members > limits.members) yield { at: "", why: `has ${members} members, more than ${limits.members}` };
      yield* findExcesses(event, "", 1);
    },
    *read(bytes) {
      if (bytes.length > limits.event) yield { at: "", why: `has ${bytes.length} bytes, more than ${limits.event}` };
    },
  },
];

/** Finds strings that are too long and values that are nested too deeply. Stops at those, so that it terminates. */
function* findExcesses(value: Json, at: string, level: number): Iterable<{ at: string; why: string }> {
  if (typeof value === "string") {
    const bytes = Buffer.byteLength(value);
    if (bytes > limits.string) yield { at, why: `has ${bytes} bytes, more than ${limits.string}` };
  } else if (typeof value === "object" && value !== null) {
    if (level > limits.depth) yield { at, why: `is nested more than ${limits.depth} levels deep` };
    else
      for (const [name, part] of Object.entries(value)) yield* findExcesses(part, pointer.append(at, name), level + 1);
  }
}
