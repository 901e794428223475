import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import type { About, Policy } from "../hub.ts";
import type { HubReply } from "../reply.ts";

/** A hub that decides wrongly in one way, so that a suite can be shown to notice. */
export interface HubVariant {
  /** Id of the rule that it breaks. */
  rule: string;
  /** Tells it from others that break the same rule. */
  name?: string;
  /** Completes the sentence that begins with "a hub that". */
  says: string;
  policy: Partial<Policy>;
  /** Hooks without which nothing of it is wrong. */
  withHooks?: readonly string[];
}

/** What a variant is called on the command line. */
export function nameOf({ rule, name }: HubVariant): string {
  return `breaks-${rule}${name === undefined ? "" : `-${name}`}`;
}

/** Changes the answers of one kind. */
export function replies(
  route: About["route"],
  change: (reply: HubReply, about: About) => HubReply | undefined,
): Partial<Policy> {
  return { reply: (reply, about) => (about.route === route ? (change(reply, about) ?? reply) : reply) };
}

/** Changes the bodies of answers of one kind. */
export function bodies(route: About["route"], change: (body: JsonObject, about: About) => JsonObject): Partial<Policy> {
  return replies(route, (reply, about) =>
    isObject(reply.body) ? { ...reply, body: change(reply.body, about) } : undefined,
  );
}

/** An object without some members. */
export function without(object: JsonObject, ...names: string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** The member of an object that is one itself; otherwise an empty one. */
export function inner(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}
