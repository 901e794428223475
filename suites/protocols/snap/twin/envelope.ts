import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { NotJson } from "../../../packs/twins/json.ts";
import { type DocumentCheck, forms } from "./check.ts";
import { bytesOf, digestOf, keyIn, type Signable, verifies } from "./crypto.ts";
import { type PayloadKind, payload } from "./payloads.ts";

const names = "id version from to type method payload timestamp sig";

export interface ReceiptConditions {
  profile?: PayloadKind["profile"];
  /** The recipient's time, in seconds since 1970. */
  now?: number;
  seenMessages?: readonly { from: string; id: string }[];
  /** Whether the signature is neither checked nor required. */
  unsigned?: true;
}

/** A message that has its form. */
export type EnvelopeMessage = Signable & { version: string; payload: JsonObject; sig?: string };

/** Whether a message has its form, apart from the payload. */
export function hasForm(
  check: DocumentCheck,
  value: Json | undefined,
  at: string,
  { profile = "base", unsigned }: ReceiptConditions = {},
): value is JsonObject {
  const requiredNames = names.split(" ").filter((name) => name !== "sig" && (name !== "to" || profile === "base"));
  if (!check.object(value, at, names, { requiredNames: requiredNames.join(" "), isOpen: true })) return false;
  const isRequest = value.type === undefined || value.type === "request";
  if (isRequest && value.sig === undefined && !unsigned) check.form(`${at}/sig`, "is missing");
  check.members(value, at, {
    id: (id, place) => check.id(id, place),
    version: (version, place) => check.text(version, place, { form: forms.version }),
    from: (from, place) => check.text(from, place, { form: forms.address }),
    to: (to, place) => check.text(to, place, { form: forms.address }),
    type: (type, place) => check.choice(type, place, ["request", "response", "event"]),
    method: (method, place) => check.text(method, place, { min: 1, max: 64, form: forms.method }),
    payload: (member, place) => {
      if (!isObject(member)) check.form(place, "is no object");
      else if (Object.keys(member).length > 100) check.form(place, "has too many members");
    },
    timestamp: (time, place) => check.integer(time, place, 0),
    sig: (sig, place) => check.text(sig, place, { form: forms.sig }),
  });
  return true;
}

/** Checks all of a message, under the circumstances of its receipt. */
export function message(check: DocumentCheck, value: Json, at: string, conditions: ReceiptConditions = {}): void {
  const { profile = "base", now, seenMessages = [] } = conditions;
  if (!hasForm(check, value, at, conditions)) return;
  const { method, type, payload: member } = value;
  if (isObject(member) && typeof method === "string" && typeof type === "string")
    payload(check, member, { method, type, profile }, `${at}/payload`);
  if (check.faults.some(({ step }) => step === "form")) return;
  const envelope = value as unknown as EnvelopeMessage;
  checkSemantics(check, envelope, at, conditions);
  if (now !== undefined) clock(check, envelope, now, `${at}/timestamp`);
  if (seenMessages.some(({ from, id }) => id === envelope.id && from === envelope.from))
    check.beyond(`${at}/id`, "was seen before");
}

/** Checks that no schema states: addresses, versions, signatures. */
export function checkSemantics(
  check: DocumentCheck,
  member: EnvelopeMessage,
  at: string,
  { profile, unsigned }: ReceiptConditions = {},
): void {
  if (member.timestamp > Number.MAX_SAFE_INTEGER) check.beyond(`${at}/timestamp`, "is beyond 2^53-1");
  if (member.version !== "0.1" && check.strict("other-versions")) check.beyond(`${at}/version`, "is not spoken");
  const from = address(check, member.from, `${at}/from`);
  if (member.to !== undefined) {
    address(check, member.to, `${at}/to`);
    if (member.to.slice(0, 4) !== member.from.slice(0, 4)) check.beyond(`${at}/to`, "is on another network");
  } else if (profile === "a2s" && member.method !== "service/call" && check.strict("a2s-recipient"))
    check.beyond(`${at}/to`, "is missing");
  if (member.sig === undefined || from === undefined || unsigned) return;
  try {
    if (!verifies(member.sig, digestOf(bytesOf(member)), from)) check.beyond(`${at}/sig`, "does not verify");
  } catch (cause) {
    if (!(cause instanceof NotJson)) throw cause;
    check.beyond(`${at}/payload`, cause.message);
  }
}

/** The key of a well-formed address; undefined if it has none. */
export function address(check: DocumentCheck, text: string, at: string): string | undefined {
  const decodedKey = keyIn(text);
  if ("key" in decodedKey) return decodedKey.key;
  check.beyond(at, decodedKey.why);
  return undefined;
}

/** Checks the time, which may differ by a minute. */
export function clock(check: DocumentCheck, { type, sig, timestamp }: EnvelopeMessage, now: number, at: string): void {
  const isBound = type === "request" || (type === "response" && sig !== undefined && check.strict("stale-responses"));
  if (timestamp > Number.MAX_SAFE_INTEGER || (isBound && Math.abs(now - timestamp) > 60))
    check.beyond(at, "is not of now");
}
