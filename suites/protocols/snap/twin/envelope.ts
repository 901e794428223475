import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { NotJson } from "../../../packs/twins/json.ts";
import { type DocumentCheck, forms } from "./check.ts";
import { bytesOf, digestOf, keyIn, type Signable, verifies } from "./crypto.ts";
import { checkPayload, type PayloadKind } from "./payloads.ts";

const memberNames = "id version from to type method payload timestamp sig";

export interface ReceiptConditions {
  profile?: PayloadKind["profile"];
  /** The recipient's time, in seconds since 1970. */
  now?: number;
  seenMessages?: readonly { from: string; id: string }[];
  /** Whether the signature is neither checked nor required. */
  unsigned?: true;
}

/** A well-formed message. */
export type EnvelopeMessage = Signable & { version: string; payload: JsonObject; sig?: string };

/** Checks the form of a message without its payload. Returns false if the value is not an object. */
export function checkForm(
  check: DocumentCheck,
  value: Json | undefined,
  at: string,
  { profile = "base", unsigned }: ReceiptConditions = {},
): value is JsonObject {
  const requiredNames = memberNames
    .split(" ")
    .filter((name) => name !== "sig" && (name !== "to" || profile === "base"));
  if (!check.object(value, at, memberNames, { requiredNames: requiredNames.join(" "), isOpen: true })) return false;
  const isRequest = value.type === undefined || value.type === "request";
  if (isRequest && value.sig === undefined && !unsigned) check.addFormFault(`${at}/sig`, "is missing");
  check.members(value, at, {
    id: (id, path) => check.id(id, path),
    version: (version, path) => check.text(version, path, { form: forms.version }),
    from: (from, path) => check.text(from, path, { form: forms.address }),
    to: (to, path) => check.text(to, path, { form: forms.address }),
    type: (type, path) => check.choice(type, path, ["request", "response", "event"]),
    method: (method, path) => check.text(method, path, { min: 1, max: 64, form: forms.method }),
    payload: (member, path) => {
      if (!isObject(member)) check.addFormFault(path, "is not an object");
      else if (Object.keys(member).length > 100) check.addFormFault(path, "has too many members");
    },
    timestamp: (time, path) => check.integer(time, path, 0),
    sig: (sig, path) => check.text(sig, path, { form: forms.sig }),
  });
  return true;
}

/** Checks a whole message, under the conditions of its receipt. */
export function checkMessage(check: DocumentCheck, value: Json, at: string, conditions: ReceiptConditions = {}): void {
  const { profile = "base", now, seenMessages = [] } = conditions;
  if (!checkForm(check, value, at, conditions)) return;
  const { method, type, payload: member } = value;
  if (isObject(member) && typeof method === "string" && typeof type === "string")
    checkPayload(check, member, { method, type, profile }, `${at}/payload`);
  if (check.faults.some(({ step }) => step === "form")) return;
  const envelope = value as unknown as EnvelopeMessage;
  checkSemantics(check, envelope, at, conditions);
  if (now !== undefined) checkClock(check, envelope, now, `${at}/timestamp`);
  if (seenMessages.some(({ from, id }) => id === envelope.id && from === envelope.from))
    check.addCodeFault(`${at}/id`, "was seen before");
}

/** Applies the rules that no schema can express: about addresses, versions and signatures. */
export function checkSemantics(
  check: DocumentCheck,
  envelope: EnvelopeMessage,
  at: string,
  { profile, unsigned }: ReceiptConditions = {},
): void {
  if (envelope.timestamp > Number.MAX_SAFE_INTEGER) check.addCodeFault(`${at}/timestamp`, "is beyond 2^53-1");
  if (envelope.version !== "0.1" && check.strict("other-versions"))
    check.addCodeFault(`${at}/version`, "is not supported");
  const from = checkAddress(check, envelope.from, `${at}/from`);
  if (envelope.to !== undefined) {
    checkAddress(check, envelope.to, `${at}/to`);
    if (envelope.to.slice(0, 4) !== envelope.from.slice(0, 4)) check.addCodeFault(`${at}/to`, "is on another network");
  } else if (profile === "a2s" && envelope.method !== "service/call" && check.strict("a2s-recipient"))
    check.addCodeFault(`${at}/to`, "is missing");
  if (envelope.sig === undefined || from === undefined || unsigned) return;
  try {
    if (!verifies(envelope.sig, digestOf(bytesOf(envelope)), from)) check.addCodeFault(`${at}/sig`, "does not verify");
  } catch (cause) {
    if (!(cause instanceof NotJson)) throw cause;
    check.addCodeFault(`${at}/payload`, cause.message);
  }
}

/** Checks a well-formed address, and returns its key. Undefined if the address is invalid. */
export function checkAddress(check: DocumentCheck, text: string, at: string): string | undefined {
  const decodedKey = keyIn(text);
  if ("key" in decodedKey) return decodedKey.key;
  check.addCodeFault(at, decodedKey.why);
  return undefined;
}

/** Checks the timestamp, which may be a minute before or after now. */
export function checkClock(
  check: DocumentCheck,
  { type, sig, timestamp }: EnvelopeMessage,
  now: number,
  at: string,
): void {
  const mustBeCurrent =
    type === "request" || (type === "response" && sig !== undefined && check.strict("stale-responses"));
  if (timestamp > Number.MAX_SAFE_INTEGER || (mustBeCurrent && Math.abs(now - timestamp) > 60))
    check.addCodeFault(at, "is not current");
}
