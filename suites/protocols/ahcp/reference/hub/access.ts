import { createHash, timingSafeEqual } from "node:crypto";
import type { Credential } from "../../../../../schemas/index.ts";
import type { ReplySubject, RunningHub } from "./hub.ts";
import { commit } from "./keeping.ts";
import { fault, type HubReply } from "./reply.ts";
import type { StoredMessage } from "./store.ts";

/** The caller of a request. `principal` is undefined if the hub requires no credential. */
export interface Caller {
  principal: string | undefined;
}

/** The caller that the request's credential identifies, or the refusal. */
export function callerOf(hub: RunningHub, headers: Headers): Caller | HubReply {
  const credentials = Object.values(hub.settings.credentials ?? {});
  const principal = credentials.find((credential) => isPresented(hub, credential, headers))?.agent;
  if (hub.policy.admitsCaller(principal, hub)) return { principal };
  const message = "present a credential: a bearer token, or an API key in X-API-Key";
  const refusal = fault("unauthenticated", message, {}, { "www-authenticate": 'Bearer realm="hub"' });
  return hub.policy.reply(refusal, { route: "refusal", hub });
}

/** Whether the request presents the credential. If there is an Authorization header, an API key is ignored. */
function isPresented({ policy }: RunningHub, { token, apikey }: Credential, headers: Headers): boolean {
  const authorization = headers.get("authorization");
  if (authorization !== null) {
    const presentedToken = policy.tokenIn(authorization);
    return token !== undefined && presentedToken !== undefined && isSameSecret(presentedToken, token);
  }
  const key = headers.get("x-api-key");
  return apikey !== undefined && key !== null && policy.isKey(key, apikey);
}

export function isSameSecret(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** The message, if the caller may see or cancel it; otherwise the refusal. Other agents do not even learn that the message was deleted. */
export function findEntry(
  hub: RunningHub,
  { principal }: Caller,
  id: string,
  permission: "maySee" | "mayCancel",
): StoredMessage | HubReply {
  const entry = hub.store.entries.get(id);
  const isStranger = entry !== undefined && principal !== undefined && !hub.policy[permission](principal, entry, hub);
  if (entry === undefined || isStranger) {
    const subject: ReplySubject = {
      route: "refusal",
      hub,
      missingId: id,
      seeking: permission,
      isStranger,
      ...(entry === undefined ? {} : { entry }),
    };
    return hub.policy.reply(fault("not_found", "this message does not exist"), subject);
  }
  deleteExpired(hub, entry);
  if (!entry.deleted) return entry;
  return hub.policy.reply(fault("gone", "the message has been deleted"), {
    route: "refusal",
    hub,
    entry,
    seeking: permission,
  });
}

/** Deletes an ended message that is older than the published retention time. */
function deleteExpired(hub: RunningHub, entry: StoredMessage): void {
  if (entry.deleted || entry.status === "open") return;
  const now = hub.clock.now();
  if (now - entry.changedAt > hub.policy.retention(hub.limits.retentionDays) * 86_400_000)
    commit(hub, { event: "deleted", id: entry.id, at: now });
}
