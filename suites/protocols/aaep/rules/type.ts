import type { Checker } from "../../../../schemas/index.ts";
import { coreNamespace, extensionContexts, nameOf, onEvents, shortenType } from "./event.ts";

export const typeForm: RegExp = /^[A-Za-z][A-Za-z0-9+._-]*:[^\s]+$/;

/** Checks of the form and the meaning of an event's `type`. */
export const typeCheckers: readonly Checker[] = [
  onEvents("AAEP-ENV-007", function* ({ type }) {
    if (typeof type === "string" && !typeForm.test(type))
      yield { at: "/type", why: `is "${type}", which is neither prefix:name nor an absolute URI` };
  }),
  // If the event lists the context of an extension, AAEP-EXT-002 judges it instead.
  onEvents("AAEP-ENV-008", function* (event, name) {
    if (typeof event.type === "string" && isCore(event.type) && typeForm.test(event.type) && name === undefined)
      if (extensionContexts(event).length === 0)
        yield { at: "/type", why: `is "${event.type}", which is not one of the twelve core types` };
  }),
  onEvents("AAEP-ENV-009", function* (event) {
    const { type } = event;
    if (typeof type === "string" && type.startsWith(coreNamespace) && nameOf(event) !== undefined)
      yield { at: "/type", why: `is "${type}" instead of "${shortenType(type)}"` };
  }),
  onEvents("AAEP-EXT-004", function* (event, name) {
    const { type } = event;
    if (typeof type !== "string" || name !== undefined || isCore(type) || !typeForm.test(type)) return;
    if (extensionContexts(event).length > 0) return;
    // The rule's procedure counts the contexts. If there are two, an implementation that follows it accepts the event.
    const hasSecondContext = Array.isArray(event["@context"]) && event["@context"].length > 1;
    const why = `does not list the context of the extension that defines "${type}"`;
    yield { at: "/@context", why, ...(hasSecondContext ? { level: "SHOULD" } : {}) };
  }),
];

/** Whether a type is in the namespace of the core. */
export function isCore(type: string): boolean {
  return shortenType(type).startsWith("aaep:");
}
