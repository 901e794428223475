import {
  type Answer,
  type AnswerCondition,
  type Endpoint,
  equal,
  isObject,
  type Json,
  type Profile,
  pointer,
  type Question,
  type Reason,
  TargetFailure,
  TargetSkip,
  TargetState,
  type Unjudged,
} from "../../../schemas/index.ts";
import { limitsWithoutTime } from "../../http/later.ts";
import type { Response } from "../../http/send.ts";
import { codeless } from "../../text/codeless.ts";
import { quote } from "../../text/show.ts";
import { ofStatus, unjudged as unjudgedAs } from "../../text/skips.ts";
import { reasonFrom, reasonsFrom } from "../reasons.ts";
import { lastEvent } from "./events.ts";

/** Name of the header in which a server may say what it has against a document that it accepts: ASCII, `\\u` escapes for the rest. */
export const warningsHeader = "touchstone-warnings";

/** Answers that say something about the request's way to the server, not about the document. */
const advice: Readonly<Record<number, string>> = {
  401: "give credentials as headers",
  403: "the credentials given do not allow this",
  402: "the server wants to be paid first",
  405: "the path takes another method: name the server's own with --endpoint",
  406: "the server does not answer in JSON",
  407: "a proxy stands before the server: give the server's own address",
  408: "the server waited for the request in vain",
  411: "the server wants to know the length beforehand",
  413: "the server does not read so much",
  414: "the server does not read so long an address",
  415: "the server does not read this content type",
  417: "the server wants no expectations",
  421: "another server is responsible: give its address",
  423: "what is there is locked",
  425: "the server does not take what comes too early",
  426: "the server wants another HTTP version",
  428: "the server wants a condition to be met",
  429: limitsWithoutTime,
  431: "the server does not read so many headers: send fewer with --header",
  451: "the server may not answer, by law",
};

/** They are about what the server has by now: a document that came before, or one that came too late. */
const state = new Set([409, 410, 412]);

/**
 * What a server's answer means for the document. Throws a TargetFailure, or a TargetSkip, where it means nothing for it. `isSealed` says that
 * the message was addressed, dated and signed as it should be, `absent`
 * what to do where nothing is at the path.
 */
export function answerFrom(
  answered: Response,
  endpoint: Endpoint,
  http: Profile["http"],
  isSealed = false,
  absent = "nothing is there",
): Pick<Answer, "verdict" | "reasons" | "codeless"> {
  const response = { ...answered, body: lastEvent(answered) ?? answered.body };
  const { status } = response;
  const accepted = conditionsOf(endpoint.accepted, http.accepted);
  const rejected = conditionsOf(endpoint.rejected, http.rejected);
  const body = parse(response.body);
  const denied = denialIn(body, endpoint);
  const refused = (): ReturnType<typeof refusal> => refusal(response, body, http, denied, isSealed);
  if (rejected.some((condition) => holds(condition, status, body))) return refused();
  if (denied !== undefined && status < 300) return refusal(response, body, http, denied);
  if (affirmsValidity(body, endpoint) && status < 300) return acceptance(response, body);
  if (accepted.some((condition) => holds(condition, status, body))) return acceptance(response, body);
  // Nothing is missing, or forbidden, where the protocol's own words say why it is refused.
  if (status >= 400 && status < 500 && unjudgedIn(body, http, isSealed) !== undefined) return refused();
  if ([...accepted, ...rejected].some((condition) => condition.status.includes(status))) {
    throw failure(response, "its body is neither that of an acceptance nor that of a refusal");
  }
  if (status >= 300 && status < 400) {
    throw failure(
      response,
      `redirects are not followed: give the address itself (${quote(response.headers.location ?? "nowhere")})`,
    );
  }
  if (status < 200 || status >= 500) throw failure(response, "the server failed");
  if (status < 300) return acceptance(response, body);
  const hint = status === 404 ? absent : advice[status];
  if (hint !== undefined) throw failure(response, hint);
  const isState = state.has(status) && denied === undefined && !hasOwnCode(body, http);
  if (isState) {
    const { why, cause } = ofStatus(status, aboutState, response.body);
    throw new TargetState(status, why, cause);
  }
  return refused();
}

/** What a server that reads JSON has not to read: a question in YAML that it answers with 415 is skipped. */
export function unreadYaml(failure: unknown, { yaml }: Question, { status }: Response): unknown {
  const isUnread = yaml === true && status === 415 && failure instanceof TargetFailure;
  return isUnread
    ? new TargetSkip("the message is YAML, and the server does not read it (HTTP 415)", {
        kind: "not-read",
        format: "yaml",
      })
    : failure;
}

/** What an answer means if its status, which is about what the server has, refuses the document; undefined where its body says something else. */
export function refusalFrom(
  response: Response,
  endpoint: Endpoint,
  http: Profile["http"],
): ReturnType<typeof refusal> | undefined {
  const body = parse(response.body);
  try {
    return refusal(response, body, http, denialIn(body, endpoint));
  } catch {
    return undefined;
  }
}

/** Whether an answer is about who asks, by the protocol's own conditions for what it says of a document. */
export function isAccess({ status, body: text }: Response, endpoint: Endpoint, http: Profile["http"]): boolean {
  if (status !== 401 && status !== 403) return false;
  const conditions = [
    ...conditionsOf(endpoint.accepted, http.accepted),
    ...conditionsOf(endpoint.rejected, http.rejected),
  ];
  return !conditions.some((condition) => holds(condition, status, parse(text)));
}

/** The member that was sent as it is in the question, and that a server refuses only since it knows the value from an earlier request. */
export function clashIn(
  response: Response,
  { document: { fresh = [] }, keep }: Question,
  { reason }: Profile["http"],
  isSame: (at: string) => boolean,
): string | undefined {
  const { code } = reasonOf(parse(response.body), reason);
  const isKept = (at: string): boolean => keep.some((each) => pointer.related(each, at));
  return fresh.find(({ at, clash }) => clash !== undefined && clash === code && (isKept(at) || isSame(at)))?.at;
}

function conditionsOf(statuses: number[] | undefined, otherwise: AnswerCondition[]): AnswerCondition[] {
  return statuses === undefined ? otherwise : [{ status: statuses }];
}

function holds(
  { status, present, absent, equal: values = {} }: AnswerCondition,
  actual: number,
  body: Json | undefined,
): boolean {
  if (!status.includes(actual)) return false;
  if (present !== undefined && !has(present, body)) return false;
  for (const [at, value] of Object.entries(values)) {
    const there = body === undefined ? undefined : pointer.at(at, body);
    if (there === undefined || !equal(there, value)) return false;
  }
  return absent === undefined || !has(absent, body);
}

function has(at: string, body: Json | undefined): boolean {
  return body !== undefined && pointer.has(at, body);
}

const aboutState =
  "it is refused for what the server has, which says nothing about the document; what may come only once is named under fresh in the profile";

/** A refusal with a code of the protocol's own. */
function hasOwnCode(body: Json | undefined, { reason }: Profile["http"]): boolean {
  return reason?.codes !== undefined && reasonOf(body, reason).code !== undefined;
}

/**
 * What is wrong in the words of the wire format, which an endpoint that only validates may use with any status. Undefined for other bodies:
 * a message may have a member `valid` that means something else, and every member of a described interface is its own.
 */
function denialIn(body: Json | undefined, { described }: Endpoint): Reason[] | undefined {
  if (described !== undefined || !isObject(body) || body.valid !== false) return undefined;
  const { valid: _, errors, ...others } = body;
  const isList = Array.isArray(errors);
  if (isList && errors.length > 0) return reasonsFrom(errors);
  return (isList || errors === undefined) && Object.keys(others).length === 0 ? [] : undefined;
}

function affirmsValidity(body: Json | undefined, { described }: Endpoint): boolean {
  return described === undefined && isObject(body) && body.valid === true;
}

/** Beside an acceptance in the protocol's own words there is room for warnings in a header: a JSON array of reasons. */
function acceptance(response: Response, body: Json | undefined): { verdict: "accepted"; reasons: Reason[] } {
  const { headers } = response;
  if (body === undefined && response.body !== "" && /json/i.test(headers["content-type"] ?? ""))
    throw failure(response, "JSON is promised, and the body is not JSON");
  const warnings = headers[warningsHeader];
  return { verdict: "accepted", reasons: warnings === undefined ? [] : reasonsFrom(parse(warnings)) };
}

/** A refusal must be the protocol's own: a page of a proxy, or an error about something else, refuses no document. */
function refusal(
  response: Response,
  body: Json | undefined,
  http: Profile["http"],
  listed: Reason[] = [],
  isSealed = false,
): Pick<Answer, "verdict" | "reasons" | "codeless"> {
  const type = response.headers["content-type"] ?? "";
  const promised = http.reason !== undefined || /json/i.test(type);
  if (body === undefined && response.body !== "" && promised)
    throw failure(response, "JSON is promised, and the body is not JSON");
  const reason = reasonOf(body, http.reason);
  const { codes } = http.reason ?? {};
  const other = unjudgedIn(body, http, isSealed);
  if (other?.sealed === true) throw failure(response, other.why);
  if (other !== undefined) throw unjudgedAs(other.why, other.code);
  if (codes !== undefined && reason.code !== undefined && !codes.includes(reason.code)) {
    throw failure(response, `the code ${quote(String(reason.code))} says nothing about the document`);
  }
  if (Object.keys(reason).length > 0) return { verdict: "rejected", reasons: [reason] };
  if (listed.length > 0) return { verdict: "rejected", reasons: listed };
  // No reason is given, and so none is compared: the form of the body is the matter of another rule.
  const at = codes === undefined ? undefined : http.reason?.code;
  return at === undefined
    ? { verdict: "rejected", reasons: [{ code: `http-${response.status}` }] }
    : { verdict: "rejected", reasons: [{ message: codeless(at) }], codeless: at };
}

/** What the profile says of the code of a refusal from which nothing follows for the document. */
function unjudgedIn(body: Json | undefined, { reason }: Profile["http"], isSealed: boolean): Unjudged | undefined {
  const { code: said } = reasonOf(body, reason);
  return reason?.unjudged?.find(({ code, sealed }) => code === said && (isSealed || sealed !== true));
}

function reasonOf(body: Json | undefined, at: Profile["http"]["reason"]): Reason {
  const part = (place: string | undefined): Json | undefined =>
    place === undefined || body === undefined ? undefined : pointer.at(place, body);
  const code = part(at?.code);
  const message = part(at?.message);
  const where = part(at?.at);
  return reasonFrom({ at: where, code, message });
}

function parse(body: string): Json | undefined {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return undefined;
  }
}

function failure({ status, body }: Response, what: string): TargetFailure {
  const { why, cause } = ofStatus(status, what, body);
  return new TargetFailure("errored", "answer", why, { because: cause });
}
