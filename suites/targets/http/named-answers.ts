import {
  type AnswerBreach,
  type AnswerCondition,
  brokenRule,
  type DocumentAnswer,
  documentNamed,
  equal,
  isObject,
  type Json,
  jsonOf,
  type Protocol,
  pointer,
  type Violation,
} from "../../../schemas/index.ts";
import { truncate } from "../../base/text/escape.ts";
import { createPromiseChecks } from "../broken-promises.ts";
import { conditionsOf, meetsCondition } from "./answer.ts";
import type { Read } from "./http-exchange.ts";

/** An exchange, the message as it was sent, and the verdict of the answer. */
export interface JudgedAnswer {
  exchange: Pick<Read, "question" | "route" | "http" | "response" | "body" | "text">;
  sent: string | Uint8Array;
  verdict: "accepted" | "rejected";
}

/** Returns the breach of an answer, judged by the document that the profile names for it; undefined if there is no breach, or if no document is named. */
export type NamedAnswerJudge = (judged: JudgedAnswer) => Promise<AnswerBreach | undefined>;

type AnswerFault = Pick<Violation, "at" | "why" | "level">;

/** Maximum number of characters shown of a value. */
const maxShown = 120;

/** Creates a judge of answers by the member `answer` of their documents; undefined for a protocol without it. Each schema is compiled when it is first needed. */
export function namedAnswerJudge(protocol: Protocol): NamedAnswerJudge | undefined {
  if (protocol.profile.documents.every(({ answer }) => answer === undefined)) return undefined;
  const schemaJudge = new DocumentJudge(protocol);
  return async (judged) => (await breachInBody(schemaJudge, judged)) ?? breachOfType(judged);
}

/** An answer with a body, and the ids that belong to it. */
interface ReadAnswer extends JudgedAnswer {
  answer: DocumentAnswer;
  body: Json;
  /** The id of the request; undefined if it has none, or if it is unclear which id the answer should have. */
  requestId: Json | undefined;
  idInBody: Json | undefined;
  /** Whether the answer is a refusal or an error. */
  isError: boolean;
  /** Whether the answer is a refusal without an id, as if the server could not read the id of the request (JSON-RPC 2.0, 5). */
  isUnread: boolean;
}

async function breachInBody(documents: DocumentJudge, judged: JudgedAnswer): Promise<AnswerBreach | undefined> {
  const { exchange, sent, verdict } = judged;
  const { question, response, body, text } = exchange;
  const { answer } = question.document;
  if (answer === undefined || response.isPartial === true) return undefined;
  // Raw text may repeat a member, or have a number that is not a double: then it is unclear which id the answer should have.
  const requestId = question.data === undefined ? undefined : idIn(answer, jsonOf(textOf(sent)));
  if (body === undefined) {
    const isWanted = verdict === "accepted" && answer.document !== undefined && isId(requestId);
    return isWanted && text === ""
      ? breachOf(answer, `the ${question.document.name} has an id and gets no answer`, undefined)
      : undefined;
  }
  const idInBody = answer.id === undefined ? undefined : pointer.at(answer.id, body);
  const isError = verdict === "rejected" || isErrorIn(exchange);
  const isUnread = isError && (idInBody === null || idInBody === undefined);
  const read: ReadAnswer = { ...judged, answer, body, requestId, idInBody, isError, isUnread };
  const idProblem = await idProblemIn(documents, read);
  if (idProblem !== undefined) return breachOf(answer, idProblem, body);
  const name = isError ? answer.refusal : answer.document;
  if (name === undefined) return undefined;
  return isUnread && answer.id !== undefined
    ? breachInUnread(documents, read, name, answer.id)
    : breachInParts(documents, read, name);
}

/** Describes the difference between the id of an answer and the id of its request; undefined if there is none. */
async function idProblemIn(documents: DocumentJudge, read: ReadAnswer): Promise<string | undefined> {
  const { answer, requestId, idInBody, isUnread } = read;
  if (!isId(requestId)) return undefined;
  const requestText = `and the request ${showValue(requestId)}`;
  if (isUnread)
    return idInBody === null && (await wasRead(documents, read))
      ? `the answer has null at ${answer.id}, ${requestText}`
      : undefined;
  if (idInBody === undefined) return `the answer has no value at ${answer.id}, ${requestText}`;
  return equal(idInBody, requestId)
    ? undefined
    : `the answer has ${showValue(idInBody)} at ${answer.id}, ${requestText}`;
}

/** Whether a refusal shows that the request was read, and that its id was valid. */
async function wasRead(documents: DocumentJudge, { exchange, answer, verdict, sent }: ReadAnswer): Promise<boolean> {
  const code = codeOf(exchange);
  if (verdict !== "accepted" && !(code !== undefined && codesOfRead.includes(code))) return false;
  const message = jsonOf(textOf(sent));
  if (message === undefined) return false;
  const fault = await documents.faultIn(exchange.question.document.name, message);
  return fault === undefined || (answer.id !== undefined && !pointer.areRelated(fault.at, answer.id));
}

/** Returns the breach of a refusal without the id of its request. */
async function breachInUnread(
  documents: DocumentJudge,
  { exchange, answer, body, requestId, idInBody }: ReadAnswer,
  name: string,
  at: string,
): Promise<AnswerBreach | undefined> {
  // A refusal in front of the protocol, for example by its status alone, is not one of the protocol's messages.
  if (idInBody === undefined && codeOf(exchange) === undefined) return undefined;
  const fault = await documents.faultApartFromId(name, body, { at, requestId });
  return fault === undefined ? undefined : breachOf(answer, describeFault(name, "", fault), body, fault.level);
}

/** Judges an answer: first the named part by its document, then the whole answer by the document of the envelope. */
async function breachInParts(
  documents: DocumentJudge,
  { exchange, answer, body, requestId, idInBody, isError }: ReadAnswer,
  name: string,
): Promise<AnswerBreach | undefined> {
  const at = isError ? "" : (answer.at ?? "");
  const ownBody = withoutEchoes(body, answer.echoes ?? []);
  const part = pointer.at(at, ownBody);
  if (part === undefined) return breachOf(answer, `the answer has no value at ${at}`, body);
  // An id that is wrong or missing may be returned as it was sent: whether such a request should be refused is judged by its vector.
  const isEcho = requestId === undefined || (idInBody !== undefined && equal(idInBody, requestId));
  const isFree = exchange.question.data !== undefined && !isId(requestId) && isEcho;
  const faultOf = (document: string, value: Json, isWhole: boolean): Promise<AnswerFault | undefined> =>
    isWhole && isFree && answer.id !== undefined
      ? documents.faultApartFromId(document, value, { at: answer.id, requestId })
      : documents.faultIn(document, value);
  const fault = await faultOf(name, part, at === "");
  if (fault !== undefined) return breachOf(answer, describeFault(name, at, fault), part, fault.level);
  const { envelope } = answer;
  if (isError || envelope === undefined) return undefined;
  const envelopeFault = await faultOf(envelope, ownBody, true);
  return envelopeFault === undefined
    ? undefined
    : breachOf(answer, describeFault(envelope, "", envelopeFault), body, envelopeFault.level);
}

/** Finds faults in values by the schemas and the rules of their documents. */
class DocumentJudge {
  readonly #protocol: Protocol;
  readonly #compile: ReturnType<typeof createPromiseChecks>;
  readonly #compiled = new Map<string, ReturnType<ReturnType<typeof createPromiseChecks>>>();
  #rules: ReturnType<typeof import("../../packs/validate/validate.ts").judgesFor> | undefined;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#compile = createPromiseChecks(protocol);
  }

  async faultIn(name: string, value: Json): Promise<AnswerFault | undefined> {
    const document = documentNamed(this.#protocol, name);
    const check = this.#compiled.get(document.schema) ?? this.#compile(document.schema);
    this.#compiled.set(document.schema, check);
    const brokenPart = (await check)(value);
    if (brokenPart !== undefined) {
      const { at = "", message = "its schema refuses it" } = brokenPart.reason;
      return { at, why: message, level: brokenPart.level };
    }
    const { judgesFor } = await import("../../packs/validate/validate.ts");
    this.#rules ??= judgesFor(this.#protocol);
    const [first] = (await this.#rules).rules(document, value).filter(({ level }) => level === "MUST");
    return first;
  }

  /** Returns a fault of an answer other than its id at `at`; undefined if a likely id makes the answer valid. */
  async faultApartFromId(
    name: string,
    body: Json,
    { at, requestId }: { at: string; requestId: Json | undefined },
  ): Promise<AnswerFault | undefined> {
    let otherFault: AnswerFault | undefined;
    const ids = [...(isId(requestId) ? [requestId] : []), "1", 1];
    for (const candidate of [body, ...ids.map((id) => withValue(body, at, id))]) {
      const fault = await this.faultIn(name, candidate);
      if (fault === undefined) return undefined;
      if (fault.at !== at) otherFault ??= fault;
    }
    return otherFault;
  }
}

/** Creates the breach of the rule about answers. It shows the value, if there is one. */
function breachOf(
  answer: DocumentAnswer,
  problem: string,
  value: Json | undefined,
  level?: AnswerBreach["level"],
): AnswerBreach {
  const shown = value === undefined ? "" : `; it is ${showValue(value)}`;
  return brokenRule(answer.rule, `${problem}${shown}`, level);
}

function showValue(value: Json): string {
  return truncate(JSON.stringify(value), maxShown);
}

/** Returns a copy of an answer with the lists at these places emptied. The sender of such a list is not responsible for the faults of its items. */
function withoutEchoes(body: Json, places: readonly string[]): Json {
  if (places.length === 0) return body;
  const copy = structuredClone(body);
  for (const place of places) emptyAt(copy, place.split("/").slice(1));
  return copy;
}

function emptyAt(value: Json | undefined, [name = "", ...path]: readonly string[]): void {
  if (name === "*" && Array.isArray(value)) for (const item of value) emptyAt(item, path);
  if (!isObject(value)) return;
  if (path.length > 0) emptyAt(value[name], path);
  else if (Array.isArray(value[name])) value[name] = [];
}

/** Returns the breach by an answer if its media type is not among the types that its document names; undefined without a body, or if the answer does not belong to the protocol. */
function breachOfType({ exchange, verdict }: JudgedAnswer): AnswerBreach | undefined {
  const { question, response, text } = exchange;
  const { answer } = question.document;
  if (answer?.type === undefined || text === "" || (verdict === "rejected" && codeOf(exchange) === undefined))
    return undefined;
  const contentType = response.headers["content-type"] ?? "";
  const types = typeof answer.type === "string" ? [answer.type] : answer.type;
  if (types.some((type) => type.toLowerCase() === contentType.split(";")[0]?.trim().toLowerCase())) return undefined;
  const shown = contentType === "" ? "has no Content-Type" : `has the Content-Type ${showValue(contentType)}`;
  return brokenRule(answer.rule, `the answer ${shown}, not ${types.join(" or ")}`);
}

/** JSON-RPC codes (2.0, 5.1) for requests that were read, so that their id is known. */
const codesOfRead: readonly Json[] = [-32601, -32602];

function describeFault(name: string, at: string, { at: innerPointer, why }: AnswerFault): string {
  const place = `${at}${innerPointer}`;
  return `the answer is not a right ${name}: ${place === "" ? "" : `${place}: `}${why}`;
}

function codeOf({ http, body }: JudgedAnswer["exchange"]): Json | undefined {
  return http.reason?.code === undefined || body === undefined ? undefined : pointer.at(http.reason.code, body);
}

/** Returns a copy of a message with a different value at a place, whose parent must exist. */
function withValue(message: Json, at: string, value: Json): Json {
  const copy = structuredClone(message);
  const { parent, last } = pointer.split(at);
  const holder = pointer.at(parent, copy);
  if (isObject(holder))
    Object.defineProperty(holder, last, { value, enumerable: true, writable: true, configurable: true });
  return copy;
}

function textOf(sent: string | Uint8Array): string {
  return typeof sent === "string" ? sent : Buffer.from(sent).toString("utf8");
}

function idIn({ id }: DocumentAnswer, message: Json | undefined): Json | undefined {
  return id === undefined || message === undefined ? undefined : pointer.at(id, message);
}

/** Whether an answer that accepts the message is nonetheless an error, such as an error of the application about something else. */
function isErrorIn({ route, http, response: { status }, body }: JudgedAnswer["exchange"]): boolean {
  if (status >= 400) return true;
  const code = http.reason?.code;
  if (code !== undefined && body !== undefined && pointer.has(code, body)) return true;
  const hasBodyPart = ({ present, absent, equal: values }: AnswerCondition): boolean =>
    present !== undefined || absent !== undefined || values !== undefined;
  return conditionsOf(route.rejected, http.rejected).some(
    (condition) => hasBodyPart(condition) && meetsCondition(condition, status, body),
  );
}

/** Whether a value can be repeated exactly: a number in the exact range of doubles, or a string that is valid Unicode. */
function isId(value: Json | undefined): value is string | number {
  if (typeof value === "number") return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return typeof value === "string" && value.isWellFormed();
}
