import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { NotJson } from "../../../packs/twins/json.ts";
import { type DocumentCheck, forms } from "./check.ts";
import { bytesOf, digestOf, keyIn, type Signable, verifies } from "./crypto.ts";
import { type PayloadKind, payload } from "./payloads.ts";

const names = "id version from to type method payload timestamp sig";

export interface Circumstances {
  profile?: PayloadKind["profile"];
  /** The recipient's time, in seconds since 1970. */
  now?: number;
  seen?: readonly { from: string; id: string }[];
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
  { profile = "base", unsigned }: Circumstances = {},
): value is JsonObject {
  const required = names.split(" ").filter((name) => name !== "sig" && (name !== "to" || profile === "base"));
  if (!check.object(value, at, names, { required: required.join(" "), isOpen: true })) return false;
  const isRequest = value.type === undefined || value.type === "request";
  if (isRequest && value.sig === undefined && !unsigned) check.form(`${at}/sig`, "is missing");
  check.members(value, at, {
    id: (id, here) => check.id(id, here),
    version: (version, here) => check.text(version, here, { form: forms.version }),
    from: (from, here) => check.text(from, here, { form: forms.address }),
    to: (to, here) => check.text(to, here, { form: forms.address }),
    type: (type, here) => check.choice(type, here, ["request", "response", "event"]),
    method: (method, here) => check.text(method, here, { min: 1, max: 64, form: forms.method }),
    payload: (its, here) => {
      if (!isObject(its)) check.form(here, "is no object");
      else if (Object.keys(its).length > 100) check.form(here, "has too many members");
    },
    timestamp: (time, here) => check.integer(time, here, 0),
    sig: (sig, here) => check.text(sig, here, { form: forms.sig }),
  });
  return true;
}

/** Checks all of a message, under the circumstances of its receipt. */
export function message(check: DocumentCheck, value: Json, at: string, circumstances: Circumstances = {}): void {
  const { profile = "base", now, seen = [] } = circumstances;
  if (!hasForm(check, value, at, circumstances)) return;
  const { method, type, payload: its } = value;
  if (isObject(its) && typeof method === "string" && typeof type === "string")
    payload(check, its, { method, type, profile }, `${at}/payload`);
  if (check.faults.some(({ step }) => step === "form")) return;
  const whole = value as unknown as EnvelopeMessage;
  inCode(check, whole, at, circumstances);
  if (now !== undefined) clock(check, whole, now, `${at}/timestamp`);
  if (seen.some(({ from, id }) => id === whole.id && from === whole.from)) check.beyond(`${at}/id`, "was seen before");
}

/** Checks that no schema states: addresses, versions, signatures. */
export function inCode(
  check: DocumentCheck,
  its: EnvelopeMessage,
  at: string,
  { profile, unsigned }: Circumstances = {},
): void {
  if (its.timestamp > Number.MAX_SAFE_INTEGER) check.beyond(`${at}/timestamp`, "is beyond 2^53-1");
  if (its.version !== "0.1" && check.strict("other-versions")) check.beyond(`${at}/version`, "is not spoken");
  const from = address(check, its.from, `${at}/from`);
  if (its.to !== undefined) {
    address(check, its.to, `${at}/to`);
    if (its.to.slice(0, 4) !== its.from.slice(0, 4)) check.beyond(`${at}/to`, "is on another network");
  } else if (profile === "a2s" && its.method !== "service/call" && check.strict("a2s-recipient"))
    check.beyond(`${at}/to`, "is missing");
  if (its.sig === undefined || from === undefined || unsigned) return;
  try {
    if (!verifies(its.sig, digestOf(bytesOf(its)), from)) check.beyond(`${at}/sig`, "does not verify");
  } catch (cause) {
    if (!(cause instanceof NotJson)) throw cause;
    check.beyond(`${at}/payload`, cause.message);
  }
}

/** The key of a well-formed address; undefined if it has none. */
export function address(check: DocumentCheck, text: string, at: string): string | undefined {
  const found = keyIn(text);
  if ("key" in found) return found.key;
  check.beyond(at, found.why);
  return undefined;
}

/** Checks the time, which may differ by a minute. */
export function clock(check: DocumentCheck, { type, sig, timestamp }: EnvelopeMessage, now: number, at: string): void {
  const isBound = type === "request" || (type === "response" && sig !== undefined && check.strict("stale-responses"));
  if (timestamp > Number.MAX_SAFE_INTEGER || (isBound && Math.abs(now - timestamp) > 60))
    check.beyond(at, "is not of now");
}
