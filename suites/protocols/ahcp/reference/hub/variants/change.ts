import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import type { ReferenceChange } from "../../../../../packs/reference/changes.ts";
import { isLoopback } from "../addresses.ts";
import type { Attempt, HubPolicy, ReplySubject, Signing } from "../hub.ts";
import { correctHubPolicy } from "../policy.ts";
import type { HubReply } from "../reply.ts";
import type { StoredMessage } from "../store.ts";
import { changeReplies, type HubVariant, memberObject, withoutMembers } from "./variant.ts";

/** One second, in milliseconds. */
export const secondMs = 1000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;
export const monthMs: number = 30 * dayMs;

export function changeSignature(
  change: (headers: PushHeaders, signChangedBody: Signing) => string | undefined,
): HubVariant["policy"] {
  return {
    headers(headers, signChangedBody) {
      const value = change(headers, signChangedBody);
      return value === undefined
        ? (withoutMembers(headers, "ahcp-signature") as PushHeaders)
        : { ...headers, "ahcp-signature": value };
    },
  };
}

type PushHeaders = Record<string, string>;

/** The time or the signature header of an earlier attempt. */
export const earlierStamps: WeakMap<StoredMessage, string> = new WeakMap();

/** Signs the context that `change` returns, not the original one. */
export function signChangedContext(
  change: (context: ReturnType<typeof contextOf>, signChangedBody: Signing) => ReturnType<typeof contextOf>,
): HubVariant["policy"] {
  return changeSignature((_headers, signChangedBody) => {
    const { ahcpSignature, stamp, key } = signChangedBody;
    return ahcpSignature.formatHeader(
      stamp,
      ahcpSignature.signatureOf(change(contextOf(signChangedBody), signChangedBody), key),
    );
  });
}

function contextOf({ ahcpSignature, body, url, stamp }: Signing): JsonObject {
  return ahcpSignature.signedContext(body, url, stamp);
}

/** Fetches a URL if it is on this machine: even a broken hub must not send requests to other hosts. */
export function fetchHere(url: string): void {
  if (URL.canParse(url) && isLoopback(new URL(url).hostname)) fetch(url).catch(() => {});
}

/** Adds `recalled` to the messages that are read from the journal after a restart. */
export const markRecalled: HubVariant["policy"] = {
  recordedEvent: (happening) =>
    happening.event === "accepted" ? { ...happening, message: { ...happening.message, recalled: true } } : happening,
  isSame: (message, entry) =>
    correctHubPolicy.isSame(message, { ...entry, message: withoutMembers(entry.message, "recalled") }),
};

/** Signs a body that differs from the sent one. */
export function signChangedBody(change: (body: JsonObject) => JsonObject): HubVariant["policy"] {
  return changeSignature((_headers, { ahcpSignature, body, url, stamp, key }) =>
    ahcpSignature.sign(change(body), url, stamp, key),
  );
}

/** Changes the stored message just before the hub answers a request of this route. */
export function changeStored(
  route: ReplySubject["route"],
  change: (entry: StoredMessage, subject: ReplySubject) => void,
): Partial<HubPolicy> {
  return {
    reply(reply: HubReply, subject) {
      if (subject.route === route && subject.entry !== undefined) change(subject.entry, subject);
      return reply;
    },
  };
}

export function changeKey(scope: (message: JsonObject, key: Json) => Json): HubVariant["policy"] {
  return {
    keyOf: (message) => {
      const key = message.idempotency_key;
      return key === undefined ? undefined : JSON.stringify(scope(message, key));
    },
  };
}

export const agentOf = (message: JsonObject): Json => memberObject(message, "agent").id ?? null;

/**
 * Renames members that differ from a defined name only in case. With `overwrites`, it renames them only
 * if the correct member exists too; without it, only if the correct member is missing.
 */
export function fixNames(object: Json | undefined, overwrites: boolean): void {
  if (!isObject(object)) return;
  for (const name of Object.keys(object)) {
    const definedName = definedNames.find((value) => value === name.toLowerCase());
    if (definedName === undefined || definedName === name || Object.hasOwn(object, definedName) !== overwrites)
      continue;
    object[definedName] = object[name] as Json;
    delete object[name];
  }
}

const definedNames: readonly string[] = [
  "ahcp_version",
  "type",
  "created_at",
  "agent",
  "title",
  "id",
  "run_id",
  "runtime",
];

/** Cuts strings after this number of bytes. Other values are unchanged. */
export function cutBytes(byteCount: number): (value: Json) => Json {
  return (value) => (typeof value === "string" ? Buffer.from(value).subarray(0, byteCount).toString("utf8") : value);
}

export function withoutNull(value: Json): Json {
  return JSON.parse(JSON.stringify(value).replaceAll("\\u0000", ""));
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Some libraries limit a line to this many bytes. */
export const lineLimit = 65_536;
export const megabyte = 1_048_576;

/** Changes the outcome of every message. */
export function changeOutcome(
  change: (envelope: JsonObject, entry: StoredMessage) => JsonObject,
): HubVariant["policy"] {
  return { envelope: change };
}

/** Changes the outcome if its resolution equals the condition, or if the condition function returns true. */
export function outcomeIf(
  condition: string | ((envelope: JsonObject, entry: StoredMessage) => boolean),
  change: ReferenceChange,
): HubVariant["policy"] {
  const matchesCondition =
    typeof condition === "string" ? ({ resolution }: JsonObject) => resolution === condition : condition;
  return changeOutcome((envelope, entry) => (matchesCondition(envelope, entry) ? change(envelope) : envelope));
}

/** Changes the message in the answer to a read. */
export function changeRead(change: (message: JsonObject, entry: StoredMessage) => JsonObject): HubVariant["policy"] {
  return { shownMembers: (message, entry) => change(correctHubPolicy.shownMembers(message, entry), entry) };
}

/** Changes the body of a push. */
export function changePush(change: (envelope: JsonObject, attempt: Attempt) => JsonObject): HubVariant["policy"] {
  return { pushBody: change };
}

/** Replaces each value inside a JSON value by the result of `change`. */
export function mapValues(change: (value: Json) => Json | undefined): (value: Json) => Json {
  return (value) => JSON.parse(JSON.stringify(value), (_, member: Json) => change(member));
}

/** Cuts integers below 1e15 to 32 bits. Larger ones are unchanged. */
export function cutTo32Bits(value: Json): Json {
  const isLong = typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 1e15;
  return isLong ? (value as number) | 0 : value;
}

/** Repeats the last open answer for ten seconds after a message without a deadline has this outcome. */
export function cacheEnding(outcome: string): HubVariant["policy"] {
  return changeReplies("read", (reply, { entry, hasWaited }) => {
    if (entry === undefined || hasWaited === true || entry.message.expires_at !== undefined) return undefined;
    if (entry.status === "open") lastOpenReads.set(entry, { at: performance.now(), reply });
    const cachedRead = entry.status === outcome ? lastOpenReads.get(entry) : undefined;
    return cachedRead !== undefined && performance.now() - cachedRead.at < 10_000 ? cachedRead.reply : undefined;
  });
}

/** The last answer to a read of each open message, with its time. */
const lastOpenReads = new WeakMap<StoredMessage, { at: number; reply: HubReply }>();

/** A copy of the object with its numbers and booleans as strings. */
export function withTexts<T extends Json | undefined>(value: T): Json | T {
  const isKept = (member: Json) => typeof member !== "number" && typeof member !== "boolean";
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, isKept(member) ? member : String(member)]),
  );
}
