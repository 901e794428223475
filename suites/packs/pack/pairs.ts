import {
  type AnswerCondition,
  type Document,
  type DocumentAnswer,
  equal,
  type Json,
  type PairedMessage,
  type Protocol,
  pointer,
} from "../../../schemas/index.ts";

/** A message, and its sender if known. */
export interface SentMessage {
  message: Json;
  from?: string | undefined;
}

/** Reads the messages of one session in order, and those of a batch separately. */
export type PairReader = (sent: SentMessage) => PairedMessage[];

/** A request that awaits its answer. */
interface OpenRequest {
  sender: string | undefined;
  /** Undefined if no document of the pack describes the request. */
  document: Document | undefined;
  isAnswered: boolean;
}

/** Returns a reader for sessions with answers that repeat the ids of their requests (`answer.id` of the documents). The document of a request names the document of its answer. Returns undefined for a protocol without such documents. */
export function pairsOf({ profile: { documents, http } }: Protocol): PairReader | undefined {
  const idPlaces = [...new Set(documents.flatMap(({ answer }) => answer?.id ?? []))];
  if (idPlaces.length === 0) return undefined;
  const methodPlaces = [...new Set(documents.flatMap(({ when = {} }) => Object.keys(when)))];
  const requests = new Map<string, OpenRequest[]>();

  const readMessage = ({ message, from }: SentMessage, within: string): PairedMessage[] => {
    const id = idPlaces.map((at) => pointer.at(at, message)).find((value) => value !== undefined);
    const key = typeof id === "string" || typeof id === "number" ? JSON.stringify(id) : undefined;
    const methodPlace = methodPlaces.find((at) => pointer.has(at, message));
    if (methodPlace !== undefined) {
      const [document, ...others] = documents.filter((candidate) => selects(candidate, message));
      const requestDocument = others.length === 0 ? document : undefined;
      if (key !== undefined)
        requests.set(key, [
          ...(requests.get(key) ?? []),
          { sender: from, document: requestDocument, isAnswered: false },
        ]);
      if (requestDocument !== undefined) return [{ message, document: requestDocument.name, within }];
      return [
        {
          message,
          within,
          fault: { at: methodPlace, why: describeUnknownMethod(pointer.at(methodPlace, message)), level: "NOTE" },
        },
      ];
    }
    if (id === undefined || id === null) return [];
    const requestsWithId = (requests.get(key ?? "") ?? []).filter(
      ({ sender }) => sender === undefined || sender !== from,
    );
    if (requestsWithId.length === 0) {
      const why = `answers no request: no earlier request has the id ${JSON.stringify(id)}`;
      return [{ message, within, fault: { at: "", why, level: "MUST" }, isStray: true }];
    }
    const unanswered = requestsWithId.filter(({ isAnswered }) => !isAnswered);
    const [request, ...others] = unanswered.length > 0 ? unanswered : requestsWithId;
    // Requests for different documents share this id, so it is unknown which of them this message answers.
    if (request === undefined || others.some(({ document }) => document !== request.document)) return [];
    request.isAnswered = true;
    const answer = request.document?.answer;
    return answer === undefined ? [] : answerPair(answer, { message, within }, http);
  };
  return ({ message, from }) => {
    if (!Array.isArray(message)) return readMessage({ message, from }, "");
    return message.flatMap((item, index) => readMessage({ message: item, from }, `/${index}`));
  };
}

/** Returns a reader for the answers of a session, which leaves out the findings that need a complete session. */
export function answersBy(protocol: Protocol): (sent: SentMessage) => PairedMessage[] {
  const reader = pairsOf(protocol);
  return (sent) => (reader?.(sent) ?? []).filter(({ isStray, fault }) => isStray !== true && fault?.level !== "NOTE");
}

function answerPair(
  { rule, document, at = "", envelope, refusal }: DocumentAnswer,
  { message, within }: { message: Json; within: string },
  { accepted, rejected, reason }: Protocol["profile"]["http"],
): PairedMessage[] {
  // A message with an error code is an error, whether or not the code refuses the request.
  const isError =
    (reason?.code !== undefined && pointer.has(reason.code, message)) ||
    (rejected.some((answerCondition) => comparesBody(answerCondition) && meetsCondition(answerCondition, message)) &&
      !accepted.some(
        (answerCondition) => answerCondition.equal !== undefined && meetsCondition(answerCondition, message),
      ));
  if (isError) return refusal === undefined ? [] : [{ message, document: refusal, within, rule }];
  if (document === undefined) return [];
  const part = pointer.at(at, message);
  const envelopePair = envelope === undefined ? [] : [{ message, document: envelope, within, rule }];
  if (part !== undefined) return [{ message: part, document, within: `${within}${at}`, rule }, ...envelopePair];
  return [{ message, within, fault: { at: "", why: `the answer has no value at ${at}`, level: "MUST", rule } }];
}

function selects({ when }: Document, message: Json): boolean {
  if (when === undefined) return false;
  return Object.entries(when).every(([at, values]) => {
    const actual = pointer.at(at, message);
    return actual !== undefined && values.some((value) => equal(value, actual));
  });
}

function describeUnknownMethod(value: Json | undefined): string {
  return `is ${JSON.stringify(value)}, which no document of the pack has: neither it nor its answer is judged`;
}

function comparesBody({ present, absent, equal: values }: AnswerCondition): boolean {
  return present !== undefined || absent !== undefined || values !== undefined;
}

/** Whether a body meets a condition, with any status. */
function meetsCondition({ present, absent, equal: values = {} }: AnswerCondition, body: Json): boolean {
  if (present !== undefined && !pointer.has(present, body)) return false;
  if (absent !== undefined && pointer.has(absent, body)) return false;
  return Object.entries(values).every(([at, value]) => {
    const actual = pointer.at(at, body);
    return actual !== undefined && equal(actual, value);
  });
}
