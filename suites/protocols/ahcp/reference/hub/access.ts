import { createHash, timingSafeEqual } from "node:crypto";
import type { Credential } from "../../../../../schemas/index.ts";
import type { RunningHub } from "./hub.ts";
import { commit } from "./keeping.ts";
import { fault, type HubReply } from "./reply.ts";
import type { StoredMessage } from "./store.ts";

/** The caller: undefined in a hub that requires no credential. */
export interface Caller {
  principal: string | undefined;
}

/** The agent of a request's credential, or the refusal. */
export function callerOf(hub: RunningHub, headers: Headers): Caller | HubReply {
  const credentials = Object.values(hub.settings.credentials ?? {});
  const principal = credentials.find((credential) => isShown(hub, credential, headers))?.agent;
  if (hub.policy.knows(principal, hub)) return { principal };
  const message = "show a credential: a bearer token, or an API key in X-API-Key";
  const refusal = fault("unauthenticated", message, {}, { "www-authenticate": 'Bearer realm="hub"' });
  return hub.policy.reply(refusal, { route: "refusal", hub });
}

/** Whether the credential is shown. A bearer token comes first; a key beside it changes nothing. */
function isShown({ policy }: RunningHub, { token, apikey }: Credential, headers: Headers): boolean {
  const authorization = headers.get("authorization");
  if (authorization !== null) {
    const shown = policy.tokenIn(authorization);
    return token !== undefined && shown !== undefined && isSameSecret(shown, token);
  }
  const shown = headers.get("x-api-key");
  return apikey !== undefined && shown !== null && policy.isKey(shown, apikey);
}

export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** The message, if the caller may see or cancel it; otherwise the refusal. A stranger does not even learn that it was deleted. */
export function findEntry(
  hub: RunningHub,
  { principal }: Caller,
  id: string,
  may: "maySee" | "mayCancel",
): StoredMessage | HubReply {
  const entry = hub.store.entries.get(id);
  const isStranger = entry !== undefined && principal !== undefined && !hub.policy[may](principal, entry, hub);
  if (entry === undefined || isStranger) {
    const about = {
      route: "refusal",
      hub,
      asked: id,
      seeking: may,
      isStranger,
      ...(entry === undefined ? {} : { entry }),
    } as const;
    return hub.policy.reply(fault("not_found", "this message does not exist"), about);
  }
  forgetOld(hub, entry);
  if (!entry.deleted) return entry;
  return hub.policy.reply(fault("gone", "the message has been deleted"), {
    route: "refusal",
    hub,
    entry,
    seeking: may,
  });
}

/** Deletes an ended message that is older than the published retention time. */
function forgetOld(hub: RunningHub, entry: StoredMessage): void {
  if (entry.deleted || entry.status === "open") return;
  const now = hub.clock.now();
  if (now - entry.changedAt > hub.policy.retention(hub.limits.retentionDays) * 86_400_000)
    commit(hub, { event: "deleted", id: entry.id, at: now });
}
