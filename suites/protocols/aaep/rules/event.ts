import { type Breach, type Checker, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";

/** The names of the documents of the twelve core events. */
export const eventNames = [
  "agent.session.started",
  "agent.state.changed",
  "agent.progress.updated",
  "agent.tool.invoked",
  "agent.tool.completed",
  "agent.output.streaming",
  "agent.awaiting.confirmation",
  "agent.awaiting.clarification",
  "agent.handoff.requested",
  "agent.session.completed",
  "agent.session.errored",
  "agent.session.cancelled",
] as const;
export type EventName = (typeof eventNames)[number];

/** The documents of events: one for each core event, and the envelope for all others. */
export const eventDocuments: readonly string[] = [...eventNames, "envelope"];

export const coreContext = "https://aaep-protocol.org/context/v1";
/** The namespace of the prefix `aaep`. */
export const coreNamespace = "https://aaep-protocol.org/types/";

/** Shortens the core namespace of a type to its prefix. Both spellings mean the same. */
export function shortenType(type: string): string {
  return type.startsWith(coreNamespace) ? `aaep:${type.slice(coreNamespace.length)}` : type;
}

/** Returns the name of a core event. Undefined for any other event. */
export function nameOf({ type }: JsonObject): EventName | undefined {
  if (typeof type !== "string") return undefined;
  const shortType = shortenType(type);
  return eventNames.find((name) => shortType === `aaep:${name}`);
}

/** Lists the contexts of an event other than the core one, with their locations. */
export function extensionContexts(event: JsonObject): { at: string; uri: string }[] {
  const list = Array.isArray(event["@context"]) ? event["@context"] : [];
  return list.flatMap((uri, index) =>
    typeof uri === "string" && uri !== coreContext ? [{ at: `/@context/${index}`, uri }] : [],
  );
}

/** Returns the extension data of an event or a handshake message. */
export function extensionsOf({ extensions }: JsonObject): JsonObject {
  return isObject(extensions) ? extensions : {};
}

/** Makes a checker of a rule about all events, or about events of the named core types. */
export function onEvents(
  rule: string,
  check: (event: JsonObject, name: EventName | undefined) => Iterable<Breach>,
  names?: readonly EventName[],
): Checker {
  return {
    rule,
    documents: names === undefined ? eventDocuments : [...names, "envelope"],
    check(instance: Json) {
      if (!isObject(instance)) return [];
      const name = nameOf(instance);
      return names === undefined || (name !== undefined && names.includes(name)) ? check(instance, name) : [];
    },
  };
}
