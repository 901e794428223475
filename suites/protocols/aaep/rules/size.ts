import { type Checker, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { events, extensionsOf } from "./event.ts";

/** The recommended limits of an event: bytes in UTF-8, counts, and levels of objects and lists with the event as the first. */
export const limits = { event: 65_536, string: 16_384, members: 32, depth: 8 };

/** The size of an event. */
export const sizeCheckers: readonly Checker[] = [
  {
    rule: "AAEP-ENV-036",
    documents: events,
    *check(event) {
      if (!isObject(event)) return;
      const members = Object.keys(event).length + Object.keys(extensionsOf(event)).length;
      if (members > limits.members) yield { at: "", why: `has ${members} members, over ${limits.members}` };
      yield* findExcesses(event, "", 1);
    },
    *read(bytes) {
      if (bytes.length > limits.event) yield { at: "", why: `has ${bytes.length} bytes, over ${limits.event}` };
    },
  },
];

/** Texts that are too long, and places that are nested too deeply. Deeper levels are not examined, so the search ends. */
function* findExcesses(value: Json, at: string, level: number): Iterable<{ at: string; why: string }> {
  if (typeof value === "string") {
    const bytes = Buffer.byteLength(value);
    if (bytes > limits.string) yield { at, why: `has ${bytes} bytes, over ${limits.string}` };
  } else if (typeof value === "object" && value !== null) {
    if (level > limits.depth) yield { at, why: `is nested more than ${limits.depth} levels deep` };
    else
      for (const [name, each] of Object.entries(value)) yield* findExcesses(each, pointer.append(at, name), level + 1);
  }
}
