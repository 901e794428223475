import type { Checker } from "../../../../schemas/index.ts";
import { compact, coreNamespace, extensionContexts, nameOf, onEvents } from "./event.ts";

export const form: RegExp = /^[A-Za-z][A-Za-z0-9+._-]*:[^\s]+$/;

/** The meaning of the `type` of an event, and its form. */
export const typeCheckers: readonly Checker[] = [
  onEvents("AAEP-ENV-007", function* ({ type }) {
    if (typeof type === "string" && !form.test(type))
      yield { at: "/type", why: `is "${type}", which is neither prefix:name nor an absolute URI` };
  }),
  // If the context of an extension is listed, the extension defines the type: AAEP-EXT-002.
  onEvents("AAEP-ENV-008", function* (event, name) {
    if (typeof event.type === "string" && isCore(event.type) && form.test(event.type) && name === undefined)
      if (extensionContexts(event).length === 0)
        yield { at: "/type", why: `is "${event.type}", which is none of the twelve core types` };
  }),
  onEvents("AAEP-ENV-009", function* (event) {
    const { type } = event;
    if (typeof type === "string" && type.startsWith(coreNamespace) && nameOf(event) !== undefined)
      yield { at: "/type", why: `is written out as "${type}" instead of "${compact(type)}"` };
  }),
  onEvents("AAEP-EXT-004", function* (event, name) {
    const { type } = event;
    if (typeof type !== "string" || name !== undefined || isCore(type) || !form.test(type)) return;
    if (extensionContexts(event).length > 0) return;
    // An implementation that counts contexts, like the rule's procedure, finds a second one.
    const isSecond = Array.isArray(event["@context"]) && event["@context"].length > 1;
    const why = `lists no context of the extension that "${type}" comes from`;
    yield { at: "/@context", why, ...(isSecond ? { level: "SHOULD" } : {}) };
  }),
];

/** Whether a type is in the namespace of the core. */
export function isCore(type: string): boolean {
  return compact(type).startsWith("aaep:");
}
