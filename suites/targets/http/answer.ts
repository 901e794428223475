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

/** The member that the question sends unchanged, and that a server refuses only because it knows the value from an earlier request. */
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

/** The conditions of an answer: those of the endpoint, or of the profile. */
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

/** The conditions of a refusal, without the conditions that an answer meets together with a more specific condition of an acceptance: one with more values or, if equal, more present or absent members. */
export function lessSpecific(
  refuses: readonly AnswerCondition[],
  accepts: readonly AnswerCondition[],
  status: number,
  body: Json | undefined,
): readonly AnswerCondition[] {
  const weights = accepts.filter((accept) => meetsCondition(accept, status, body)).map(weightOf);
  if (weights.length === 0) return refuses;
  const best = Math.max(...refuses.filter((refuse) => meetsCondition(refuse, status, body)).map(weightOf));
  return Math.max(...weights) > best ? refuses.filter((refuse) => !meetsCondition(refuse, status, body)) : refuses;
}

/** How specific a condition on a body is: one value counts more than any number of members. */
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

/** Reads an acceptance. Besides the protocol's own words, it may carry warnings in a header: a JSON array of reasons. */
export function readAcceptance(read: Read): Observation {
  const { body, text, response } = read;
  const { headers } = response;
  if (body === undefined && text !== "" && promisesJson(headers["content-type"] ?? ""))
    return unusableAnswer(read, "JSON is promised, and the body is not JSON");
  const warnings = headers[warningsHeader];
  return { verdict: "accepted", reasons: warnings === undefined ? [] : reasonsFrom(jsonOf(warnings)) };
}

/** Whether a body is one JSON text by its media type, and not a stream of several. */
function promisesJson(type: string): boolean {
  return /json/i.test(type) && !isStreamType(type);
}

/** Reads a refusal. It must be the protocol's own: a proxy's page, or an error about another matter, refuses no document. */
export function readRefusal(read: Read): Observation {
  const { response, text, body, http, denied: listed = [], isSealed } = read;
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
  if (listed.length > 0) return { verdict: "rejected", reasons: listed };
  // Without a reason nothing is compared: the form of the body is the subject of another rule.
  const at = codes === undefined ? undefined : http.reason?.code;
  return at === undefined
    ? { verdict: "rejected", reasons: [{ code: `http-${response.status}` }] }
    : { verdict: "rejected", reasons: [{ message: describeMissingCode(at) }], codeless: at };
}

/** What the profile says about the code of a refusal that shows nothing about the document. */
export function unjudgedCode(
  body: Json | undefined,
  { reason }: Profile["http"],
  isSealed: boolean,
): Unjudged | undefined {
  const { code: statedCode } = reasonOf(body, reason);
  return reason?.unjudged?.find(({ code, sealed }) => code === statedCode && (isSealed || sealed !== true));
}

function reasonOf(body: Json | undefined, at: Profile["http"]["reason"]): Reason {
  const part = (place: string | undefined): Json | undefined =>
    place === undefined || body === undefined ? undefined : pointer.at(place, body);
  const code = part(at?.code);
  const message = part(at?.message);
  const place = part(at?.at);
  return reasonFrom({ at: place, code, message });
}

/** An unusable answer, with its fault. */
export function unusableAnswer(
  { response: { status }, text }: Pick<Read, "response" | "text">,
  what: string,
): Unavailable {
  const { why, cause } = skipByStatus(status, what, text);
  return unavailableOf(new TargetFailure("errored", "answer", why, { because: cause }));
}
