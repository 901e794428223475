import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import type { ReferenceChange } from "../../../../../packs/reference/changes.ts";
import { isLoopback } from "../addresses.ts";
import type { Attempt, HubPolicy, ReplySubject, Signing } from "../hub.ts";
import { rightHubPolicy } from "../policy.ts";
import type { HubReply } from "../reply.ts";
import type { StoredMessage } from "../store.ts";
import { type HubVariant, memberObject, replies, withoutMembers } from "./variant.ts";

/** One second, in milliseconds. */
export const secondMs = 1000;
export const hourMs = 3_600_000;
export const day = 86_400_000;
export const month: number = 30 * day;

export function changeSignature(
  change: (headers: PushHeaders, signing: Signing) => string | undefined,
): HubVariant["policy"] {
  return {
    headers(headers, signing) {
      const value = change(headers, signing);
      return value === undefined
        ? (withoutMembers(headers, "ahcp-signature") as PushHeaders)
        : { ...headers, "ahcp-signature": value };
    },
  };
}

type PushHeaders = Record<string, string>;

/** The time or the header of an earlier attempt. */
export const earlierStatus: WeakMap<StoredMessage, string> = new WeakMap();

/** Signs a changed context. */
export function contextSigned(
  change: (context: ReturnType<typeof contextOf>, signing: Signing) => ReturnType<typeof contextOf>,
): HubVariant["policy"] {
  return changeSignature((_headers, signing) => {
    const { ahcpSignature, stamp, key } = signing;
    return ahcpSignature.header(stamp, ahcpSignature.signatureOf(change(contextOf(signing), signing), key));
  });
}

function contextOf({ ahcpSignature, body, url, stamp }: Signing): JsonObject {
  return ahcpSignature.signedContext(body, url, stamp);
}

/** Even this hub stays on the machine. */
export function fetchHere(url: string): void {
  if (URL.canParse(url) && isLoopback(new URL(url).hostname)) fetch(url).catch(() => {});
}

/** Marks the messages that are known only from the journal. */
export const marking: HubVariant["policy"] = {
  recordedEvent: (happening) =>
    happening.event === "accepted" ? { ...happening, message: { ...happening.message, recalled: true } } : happening,
  isSame: (message, entry) =>
    rightHubPolicy.isSame(message, { ...entry, message: withoutMembers(entry.message, "recalled") }),
};

/** Signs a different body than it sends. */
export function signing(change: (body: JsonObject) => JsonObject): HubVariant["policy"] {
  return changeSignature((_headers, { ahcpSignature, body, url, stamp, key }) =>
    ahcpSignature.sign(change(body), url, stamp, key),
  );
}

/** Changes the stored message just before an answer of one kind. */
export function meddles(
  route: ReplySubject["route"],
  change: (entry: StoredMessage, about: ReplySubject) => void,
): Partial<HubPolicy> {
  return {
    reply(reply: HubReply, about) {
      if (about.route === route && about.entry !== undefined) change(about.entry, about);
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

/** Gives misspelled members the defined names. It overwrites existing members, or keeps them. */
export function rename(object: Json | undefined, overrides: boolean): void {
  if (!isObject(object)) return;
  for (const name of Object.keys(object)) {
    const defined = names.find((each) => each === name.toLowerCase());
    if (defined === undefined || defined === name || Object.hasOwn(object, defined) !== overrides) continue;
    object[defined] = object[name] as Json;
    delete object[name];
  }
}

const names: readonly string[] = ["ahcp_version", "type", "created_at", "agent", "title", "id", "run_id", "runtime"];

/** The first bytes of a text; any other value is unchanged. */
export function cutBytes(bytes: number): (value: Json) => Json {
  return (value) => (typeof value === "string" ? Buffer.from(value).subarray(0, bytes).toString("utf8") : value);
}

export function withoutNull(value: Json): Json {
  return JSON.parse(JSON.stringify(value).replaceAll("\\u0000", ""));
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** More bytes than a line or a message may have in some libraries. */
export const line = 65_536;
export const megabyte = 1_048_576;

/** Changes the outcome of every message. */
export function outcome(change: (envelope: JsonObject, entry: StoredMessage) => JsonObject): HubVariant["policy"] {
  return { envelope: change };
}

/** Changes the outcome of messages with this outcome, or those that the function selects. */
export function outcomeIf(
  is: string | ((envelope: JsonObject, entry: StoredMessage) => boolean),
  change: ReferenceChange,
): HubVariant["policy"] {
  const isSo = typeof is === "string" ? ({ resolution }: JsonObject) => resolution === is : is;
  return outcome((envelope, entry) => (isSo(envelope, entry) ? change(envelope) : envelope));
}

/** Changes the message in the answer to a read. */
export function changeRead(change: (message: JsonObject, entry: StoredMessage) => JsonObject): HubVariant["policy"] {
  return { shownMembers: (message, entry) => change(rightHubPolicy.shownMembers(message, entry), entry) };
}

/** Changes the body of a push. */
export function changePush(change: (envelope: JsonObject, attempt: Attempt) => JsonObject): HubVariant["policy"] {
  return { pushBody: change };
}

/** Replaces parts of the value by the results of the function. */
export function mapValues(change: (value: Json) => Json | undefined): (value: Json) => Json {
  return (value) => JSON.parse(JSON.stringify(value), (_, each: Json) => change(each));
}

/** Cuts integers to 32 bits; integers far beyond that are changed in another way. */
export function cutTo32Bits(value: Json): Json {
  const isLong = typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 1e15;
  return isLong ? (value as number) | 0 : value;
}

/** Shows an older answer for a second after a message has ended in this way. Deadlines come first. */
export function cacheEnding(ending: string): HubVariant["policy"] {
  return replies("read", (reply, { entry, hasWaited: waited }) => {
    if (entry === undefined || waited === true || entry.message.expires_at !== undefined) return undefined;
    if (entry.status === "open") reads.set(entry, { at: performance.now(), reply });
    const known = entry.status === ending ? reads.get(entry) : undefined;
    return known !== undefined && performance.now() - known.at < 10_000 ? known.reply : undefined;
  });
}

/** The last answer about an open message, and its time. */
const reads = new WeakMap<StoredMessage, { at: number; reply: HubReply }>();

/** The numbers and booleans of an object as texts. */
export function withTexts<T extends Json | undefined>(value: T): Json | T {
  const isText = (each: Json) => typeof each !== "number" && typeof each !== "boolean";
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, isText(each) ? each : String(each)]));
}
