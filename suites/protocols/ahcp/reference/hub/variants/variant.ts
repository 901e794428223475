import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import { type MistakenParty, type Mistakes, variantsOf } from "../../../../../packs/reference/mistakes.ts";
import type { HubPolicy, ReplySubject } from "../hub.ts";
import type { HubReply } from "../reply.ts";

/** A hub with one wrong decision, which the suite must notice. */
export interface HubVariant extends MistakenParty {
  policy: Partial<HubPolicy>;
  /** The hooks that the suite needs to notice the mistake. */
  withHooks?: readonly string[];
}

/** The broken hubs of one rule. The keys distinguish them; the main one has an empty key. */
export function breaks(
  rule: string,
  mistakes: Mistakes<Partial<HubPolicy>, Pick<HubVariant, "withHooks">>,
): HubVariant[] {
  return variantsOf("policy", rule, mistakes);
}

/** Changes the answers to requests of one route. `undefined` keeps an answer. */
export function changeReplies(
  route: ReplySubject["route"],
  change: (reply: HubReply, subject: ReplySubject) => HubReply | undefined,
): Partial<HubPolicy> {
  return { reply: (reply, subject) => (subject.route === route ? (change(reply, subject) ?? reply) : reply) };
}

/** Changes the bodies of answers to requests of one route. */
export function changeBodies(
  route: ReplySubject["route"],
  change: (body: JsonObject, subject: ReplySubject) => JsonObject,
): Partial<HubPolicy> {
  return changeReplies(route, (reply, subject) =>
    isObject(reply.body) ? { ...reply, body: change(reply.body, subject) } : undefined,
  );
}

/** A copy of the object without these members. */
export function withoutMembers(object: JsonObject, ...names: string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** The member with this name if it is an object; otherwise an empty object. */
export function memberObject(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}
