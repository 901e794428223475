import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import { type Mistaken, type Mistakes, variantsOf } from "../../../../../packs/reference/mistakes.ts";
import type { HubPolicy, ReplySubject } from "../hub.ts";
import type { HubReply } from "../reply.ts";

/** A hub with one wrong decision, which the suite must notice. */
export interface HubVariant extends Mistaken {
  policy: Partial<HubPolicy>;
  /** The hooks that the mistake needs. */
  withHooks?: readonly string[];
}

/** Broken hubs of one rule, by the name that distinguishes them. */
export function breaks(
  rule: string,
  mistakes: Mistakes<Partial<HubPolicy>, Pick<HubVariant, "withHooks">>,
): HubVariant[] {
  return variantsOf("policy", rule, mistakes);
}

/** Changes the answers of one kind. */
export function replies(
  route: ReplySubject["route"],
  change: (reply: HubReply, about: ReplySubject) => HubReply | undefined,
): Partial<HubPolicy> {
  return { reply: (reply, about) => (about.route === route ? (change(reply, about) ?? reply) : reply) };
}

/** Changes the bodies of answers of one kind. */
export function bodies(
  route: ReplySubject["route"],
  change: (body: JsonObject, about: ReplySubject) => JsonObject,
): Partial<HubPolicy> {
  return replies(route, (reply, about) =>
    isObject(reply.body) ? { ...reply, body: change(reply.body, about) } : undefined,
  );
}

/** An object without some members. */
export function withoutMembers(object: JsonObject, ...names: string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** The member of an object that is an object itself; otherwise an empty one. */
export function memberObject(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}
