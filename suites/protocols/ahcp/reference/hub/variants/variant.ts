import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import { type Mistaken, type Mistakes, variantsOf } from "../../../../../packs/reference/mistakes.ts";
import type { HubPolicy, ReplySubject } from "../hub.ts";
import type { HubReply } from "../reply.ts";

/** A hub that decides wrongly in one way, so that a suite can be shown to notice. */
export interface HubVariant extends Mistaken {
  policy: Partial<HubPolicy>;
  /** Hooks without which nothing of it is wrong. */
  withHooks?: readonly string[];
}

/** Hubs that break a rule, by the name that distinguishes them. */
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

/** The member of an object that is one itself; otherwise an empty one. */
export function memberObject(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}
