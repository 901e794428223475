import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { checkCard } from "./card.ts";
import { type DocumentCheck, forms } from "./check.ts";
import {
  addressOf,
  bytesOf,
  cardDigest,
  digestOf,
  hex,
  keyIn,
  keysOf,
  outputOf,
  type Signable,
  signDigest,
  verifies,
} from "./crypto.ts";
import { checkAddress, checkClock, checkForm, checkMessage, type EnvelopeMessage } from "./envelope.ts";
import { canonicalText, sizeOf } from "./json.ts";
import { checkError, checkPart, megabyte } from "./parts.ts";
import { checkSend } from "./payloads.ts";

export type RecordJudge = (check: DocumentCheck, value: JsonObject) => void;

const isClean = ({ faults }: DocumentCheck): boolean => faults.length === 0;

/** Derives the keys of a private key. If the private key is invalid, notes a fault and returns undefined. */
function keysIn(check: DocumentCheck, secret: string): ReturnType<typeof keysOf> | undefined {
  try {
    return keysOf(secret);
  } catch {
    check.addCodeFault("/privateKey", "is not a private key");
    return undefined;
  }
}

const identity: RecordJudge = (check, value) => {
  const names = "privateKey internalKey outputKey address";
  if (!check.object(value, "", names, { requiredNames: names })) return;
  for (const name of ["privateKey", "internalKey", "outputKey"])
    check.text(value[name], `/${name}`, { form: forms.key });
  check.text(value.address, "/address", { form: forms.address });
  if (!isClean(check)) return;
  const keys = keysIn(check, value.privateKey as string);
  if (keys === undefined) return;
  if (value.internalKey !== keys.internal) check.addCodeFault("/internalKey", "is another key");
  if (value.outputKey !== keys.output) check.addCodeFault("/outputKey", "is another key");
  const key = checkAddress(check, value.address as string, "/address");
  if (key !== undefined && key !== keys.output) check.addCodeFault("/address", "holds another key");
};

const signing: RecordJudge = (check, value) => {
  const names = "privateKey message canonicalPayload bytes digest sig";
  if (!check.object(value, "", names, { requiredNames: names })) return;
  check.code((inner) => checkMessage(inner, value.message as Json, "/message", { unsigned: true }));
  const isContentJudged = check.strict("signed-contents");
  if (!isContentJudged) {
    check.faults.length = 0;
    checkForm(check, value.message, "/message", { unsigned: true });
  }
  if (!isClean(check)) return;
  const signable = value.message as unknown as Signable;
  const keys = keysIn(check, value.privateKey as string);
  if (keys === undefined) return;
  const from = keyIn(signable.from);
  if (!("key" in from) || from.key !== keys.output) check.addCodeFault("/privateKey", "is not the sender's");
  if (canonicalText(signable.payload) !== value.canonicalPayload)
    check.addCodeFault("/canonicalPayload", "is not canonical");
  const bytes = bytesOf(signable);
  if (hex(bytes) !== value.bytes) check.addCodeFault("/bytes", "differ");
  const digest = digestOf(bytes);
  if (hex(digest) !== value.digest) check.addCodeFault("/digest", "differs");
  const sig = value.sig as string;
  const isExpected = check.strict("signing-randomness")
    ? signDigest(digest, keys.tweaked) === sig
    : verifies(sig, digest, keys.output);
  if (!isExpected) check.addCodeFault("/sig", "differs");
};

const reception: RecordJudge = (check, value) => {
  if (checkForm(check, value.message, "/message") && isClean(check))
    checkClock(check, value.message as unknown as EnvelopeMessage, value.now as number, "/message/timestamp");
};

/** Returns the step at which a message with these faults is refused. */
function outcomeOf({ faults }: DocumentCheck): string {
  const inForm = faults.filter(({ step }) => step === "form");
  if (inForm.some(({ at }) => !at.startsWith("/payload/"))) return "envelope";
  if (inForm.length > 0) return "payload";
  return faults.length > 0 ? "code" : "accepted";
}

const validation: RecordJudge = (check, value) => {
  const { now, seen } = value as { now?: number; seen?: { from: string; id: string }[] };
  const inner = check.emptyCopy();
  checkMessage(inner, value.message as Json, "", { ...(now === undefined ? {} : { now }), seenMessages: seen ?? [] });
  if (outcomeOf(inner) !== value.outcome) check.addCodeFault("/outcome", `is ${outcomeOf(inner)}`);
};

const service: RecordJudge = (check, value) =>
  checkMessage(check, value.message as Json, "/message", { profile: value.profile as "base" | "a2s" });

const large: RecordJudge = (check, value) => {
  const { document, start, fill } = value as { document: string; start: JsonObject; fill: JsonObject };
  const { at, text, times } = fill as { at: string; text: string; times: number };
  const filled = structuredClone(start);
  const steps = at.slice(1).split("/");
  const lastStep = steps.pop() ?? "";
  let holder: Json | undefined = filled;
  for (const step of steps) holder = (holder as JsonObject | undefined)?.[step];
  if (!isObject(holder) && !Array.isArray(holder)) return void check.addFormFault("/fill/at", "does not exist");
  (holder as JsonObject)[lastStep] = text.repeat(times);
  if (document === "part") checkPart(check, filled, "/start");
  else if (document === "agent-card") checkCard(check, filled, "/start");
  else {
    checkSend(check, filled, "/start");
    if (sizeOf(filled) > megabyte(check)) check.addCodeFault("/start", "is too large");
  }
};

const signedCard: RecordJudge = (check, value) => {
  const names = "card sig publicKey timestamp";
  if (!check.object(value, "", names, { requiredNames: names })) return;
  const { card: cardValue, sig, publicKey, timestamp } = value;
  checkCard(check, cardValue as Json, "/card");
  check.text(sig, "/sig", { form: forms.sig });
  check.text(publicKey, "/publicKey", { form: forms.key });
  check.integer(timestamp, "/timestamp", 0);
  if (!isClean(check)) return;
  const identityKey = keyIn((cardValue as JsonObject).identity as string);
  if (!("key" in identityKey) || identityKey.key !== publicKey)
    check.addCodeFault("/publicKey", "is not the key of the identity");
  if (!verifies(sig as string, cardDigest(cardValue as Json, timestamp as number), publicKey as string))
    check.addCodeFault("/sig", "does not verify");
};

const negotiation: RecordJudge = (check, value) => {
  const { sender, recipient, chosen } = value as { sender: string[]; recipient: string[]; chosen: string | null };
  const compareVersions = (left: string, right: string): number => {
    const [first, second] = [left, right].map((version) => version.split(".").map(BigInt));
    const [major = 0n, minor = 0n] = first ?? [];
    const [otherMajor = 0n, otherMinor = 0n] = second ?? [];
    return Number(major - otherMajor || minor - otherMinor);
  };
  const areEqual = (left: string, right: string): boolean =>
    check.strict("version-spelling") ? left === right : compareVersions(left, right) === 0;
  const best = sender
    .filter((senderVersion) => recipient.some((recipientVersion) => areEqual(senderVersion, recipientVersion)))
    .sort(compareVersions)
    .at(-1);
  const fits = best === undefined ? chosen === null : chosen !== null && areEqual(chosen, best);
  if (!fits) check.addCodeFault("/chosen", `is not ${best}`);
};

/** The error codes for each cause. */
const codesByCause: Readonly<Record<string, readonly number[]>> = {
  "unknown-task": [1001],
  "task-not-cancelable": [1002],
  "malformed-payload": [1004, 1003],
  "unsupported-content": [1005],
  "unknown-method": [1007],
  "wrong-signature": [2001, 2003],
  "stale-timestamp": [2004],
  "repeated-message": [2006],
  "agent-not-found": [3001],
  "card-expired": [3003],
  "relay-unreachable": [3004],
  "unknown-skill": [3005],
  "no-transport": [4001],
  "connection-timeout": [4002],
  "connection-refused": [4003],
  "failed-tls": [4004],
  "internal-fault": [5001],
  "rate-limit": [5002],
  unavailable: [5003],
  "unsupported-version": [5004],
  maintenance: [5005],
};

const refusal: RecordJudge = (check, value) => {
  checkError(check, value.error as Json, "/error");
  if (!isClean(check)) return;
  const code = (value.error as JsonObject).code as number;
  const codes = codesByCause[value.cause as string] ?? [];
  const category = Math.floor((codes[0] ?? 0) / 1000);
  const fits = check.strict("refusal-codes") ? codes.includes(code) : Math.floor(code / 1000) === category;
  if (!fits) check.addCodeFault("/error/code", "is not a code for that cause");
};

/** Returns the address of a Nostr key on the network of another address. Undefined if the value is not a key. */
export function nostrAddress(pubkey: Json | undefined, sampleAddress: string): string | undefined {
  try {
    return addressOf(sampleAddress.slice(0, 2), outputOf(pubkey as string));
  } catch {
    return undefined;
  }
}

export const plainJudges: Readonly<Record<string, RecordJudge>> = {
  identity,
  signing,
  reception,
  validation,
  "service-message": service,
  large,
  "signed-card": signedCard,
  negotiation,
  refusal,
};
