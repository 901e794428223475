import {
  type AnswerCondition,
  equal,
  type Json,
  jsonOf,
  type Observation,
  type Profile,
  pointer,
  type Question,
  type Reason,
  TargetFailure,
  type Unavailable,
  type Unjudged,
  unavailableOf,
} from "../../../schemas/index.ts";
import { isStreamType } from "../../base/http/send.ts";
import { describeMissingCode } from "../../base/text/missing-code.ts";
import { quote } from "../../base/text/show.ts";
import { skipByStatus, declineUnjudged as unjudgedAs } from "../../base/text/skips.ts";
import { reasonFrom, reasonsFrom } from "../reasons.ts";
import type { Read } from "./http-exchange.ts";

/** The header for a server's warnings about a document that it accepts: ASCII, with `\\u` escapes for the rest. */
export const warningsHeader = "touchstone-warnings";

/** Finds the member that the question sends unchanged, and that the server refused only because it knows the value from an earlier request. */
export function findClash(
  body: Json | undefined,
  { document: { fresh = [] }, keep }: Question,
  { reason }: Profile["http"],
  isSame: (at: string) => boolean,
): string | undefined {
  if (!fresh.some(({ clash }) => clash !== undefined)) return undefined;
  const { code } = reasonOf(body, reason);
  const isKept = (at: string): boolean => keep.some((keptPlace) => pointer.areRelated(keptPlace, at));
  return fresh.find(({ at, clash }) => clash !== undefined && clash === code && (isKept(at) || isSame(at)))?.at;
}

/** Returns the conditions of an answer, from the statuses of the endpoint or else from the profile. */
export function conditionsOf(statuses: number[] | undefined, otherwise: AnswerCondition[]): AnswerCondition[] {
  return statuses === undefined ? otherwise : [{ status: statuses }];
}

export function meetsCondition(
  { status, present, absent, equal: values = {} }: AnswerCondition,
  actual: number,
  body: Json | undefined,
): boolean {
  if (!status.includes(actual)) return false;
  if (present !== undefined && !hasValue(present, body)) return false;
  for (const [at, value] of Object.entries(values)) {
    const actualValue = body === undefined ? undefined : pointer.at(at, body);
    if (actualValue === undefined || !equal(actualValue, value)) return false;
  }
  return absent === undefined || !hasValue(absent, body);
}

/** Returns the conditions for refusals. Conditions that the answer meets are removed if it also meets a more specific condition for acceptance, which has more values or, if equal, more present or absent members. */
export function lessSpecific(
  refuses: readonly AnswerCondition[],
  accepts: readonly AnswerCondition[],
  status: number,
  body: Json | undefined,
): readonly AnswerCondition[] {
  const weights = accepts.filter((accept) => meetsCondition(accept, status, body)).map(weightOf);
  if (weights.length === 0) return refuses;
  const bestRefusal = Math.max(...refuses.filter((refuse) => meetsCondition(refuse, status, body)).map(weightOf));
  return Math.max(...weights) > bestRefusal
    ? refuses.filter((refuse) => !meetsCondition(refuse, status, body))
    : refuses;
}

/** Weighs how specific a condition on a body is. A value counts more than present and absent members. */
function weightOf({ present, absent, equal: values = {} }: AnswerCondition): number {
  return Object.keys(values).length * 3 + Number(present !== undefined) + Number(absent !== undefined);
}

function hasValue(at: string, body: Json | undefined): boolean {
  return body !== undefined && pointer.has(at, body);
}

/** Whether a refusal has one of the protocol's own codes. */
export function hasOwnCode(body: Json | undefined, { reason }: Profile["http"]): boolean {
  return reason?.codes !== undefined && reasonOf(body, reason).code !== undefined;
}

/** Reads an acceptance. It may carry warnings in a header, as a JSON array of reasons. */
export function readAcceptance(read: Read): Observation {
  const { body, text, response } = read;
  const { headers } = response;
  if (body === undefined && text !== "" && promisesJson(headers["content-type"] ?? ""))
    return unusableAnswer(read, "JSON is promised, and the body is not JSON");
  const warnings = headers[warningsHeader];
  return { verdict: "accepted", reasons: warnings === undefined ? [] : reasonsFrom(jsonOf(warnings)) };
}

/** Whether a media type promises a single JSON text, and not a stream of several. */
function promisesJson(type: string): boolean {
  return /json/i.test(type) && !isStreamType(type);
}

/** Reads a refusal. It must belong to the protocol: the page of a proxy, or an error about something else, is not a refusal of the document. */
export function readRefusal(read: Read): Observation {
  const { response, text, body, http, denied: deniedReasons = [], isSealed } = read;
  const type = response.headers["content-type"] ?? "";
  const isJsonPromised = http.reason !== undefined || promisesJson(type);
  if (body === undefined && text !== "" && isJsonPromised)
    return unusableAnswer(read, "JSON is promised, and the body is not JSON");
  const reason = reasonOf(body, http.reason);
  const { codes } = http.reason ?? {};
  const unjudged = unjudgedCode(body, http, isSealed);
  if (unjudged?.sealed === true) return unusableAnswer(read, unjudged.why);
  if (unjudged !== undefined) return unjudgedAs(unjudged.why, unjudged.code);
  if (codes !== undefined && reason.code !== undefined && !codes.includes(reason.code)) {
    return unusableAnswer(read, `the code ${quote(String(reason.code))} says nothing about the document`);
  }
  if (Object.keys(reason).length > 0) return { verdict: "rejected", reasons: [reason] };
  if (deniedReasons.length > 0) return { verdict: "rejected", reasons: deniedReasons };
  // Without a reason, nothing is compared. The form of the body is the subject of a different rule.
  const at = codes === undefined ? undefined : http.reason?.code;
  return at === undefined
    ? { verdict: "rejected", reasons: [{ code: `http-${response.status}` }] }
    : { verdict: "rejected", reasons: [{ message: describeMissingCode(at) }], codeless: at };
}

/** Finds the entry of the profile for the code of a refusal that does not judge the document. */
export function unjudgedCode(
  body: Json | undefined,
  { reason }: Profile["http"],
  isSealed: boolean,
): Unjudged | undefined {
  const { code: statedCode } = reasonOf(body, reason);
  return reason?.unjudged?.find(({ code, sealed }) => code === statedCode && (isSealed || sealed !== true));
}

function reasonOf(body: Json | undefined, at: Profile["http"]["reason"]): Reason {
  const valueAt = (place: string | undefined): Json | undefined =>
    place === undefined || body === undefined ? undefined : pointer.at(place, body);
  const code = valueAt(at?.code);
  const message = valueAt(at?.message);
  const place = valueAt(at?.at);
  return reasonFrom({ at: place, code, message });
}

/** Creates the observation of an unusable answer, with its fault. */
export function unusableAnswer(
  { response: { status }, text }: Pick<Read, "response" | "text">,
  what: string,
): Unavailable {
  const { why, cause } = skipByStatus(status, what, text);
  return unavailableOf(new TargetFailure("errored", "answer", why, { because: cause }));
}
