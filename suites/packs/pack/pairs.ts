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

/** A message, and its sender and receiver, if known. */
export interface PairedSent {
  message: Json;
  from?: string | undefined;
}

/** Reads the messages of one session in order, and those of a batch separately. */
export type PairReader = (sent: PairedSent) => PairedMessage[];

/** A request that may be answered. */
interface AskedPair {
  asker: string | undefined;
  /** Undefined if the pack does not have the kind of request. */
  document: Document | undefined;
  isAnswered: boolean;
}

/** Reads a session with answers that repeat the ids of their requests (`answer.id` of the documents): the request's document names the document of the answer. Undefined for a protocol without such documents. */
export function pairsOf({ profile: { documents, http } }: Protocol): PairReader | undefined {
  const ids = [...new Set(documents.flatMap(({ answer }) => answer?.id ?? []))];
  if (ids.length === 0) return undefined;
  const words = [...new Set(documents.flatMap(({ when = {} }) => Object.keys(when)))];
  const asked = new Map<string, AskedPair[]>();

  const one = ({ message, from }: PairedSent, within: string): PairedMessage[] => {
    const id = ids.map((at) => pointer.at(at, message)).find((value) => value !== undefined);
    const key = typeof id === "string" || typeof id === "number" ? JSON.stringify(id) : undefined;
    const word = words.find((at) => pointer.has(at, message));
    if (word !== undefined) {
      const [document, ...others] = documents.filter((each) => selects(each, message));
      const its = others.length === 0 ? document : undefined;
      if (key !== undefined)
        asked.set(key, [...(asked.get(key) ?? []), { asker: from, document: its, isAnswered: false }]);
      if (its !== undefined) return [{ message, document: its.name, within }];
      return [{ message, within, fault: { at: word, why: unknownWord(pointer.at(word, message)), level: "NOTE" } }];
    }
    if (id === undefined || id === null) return [];
    const mine = (asked.get(key ?? "") ?? []).filter(({ asker }) => asker === undefined || asker !== from);
    if (mine.length === 0) {
      const why = `answers no request: no earlier request has the id ${JSON.stringify(id)}`;
      return [{ message, within, fault: { at: "", why, level: "MUST" }, isStray: true }];
    }
    const open = mine.filter(({ isAnswered }) => !isAnswered);
    const [first, ...others] = open.length > 0 ? open : mine;
    // Both parties sent a request with this id, and it is unknown who answers.
    if (first === undefined || others.some(({ document }) => document !== first.document)) return [];
    first.isAnswered = true;
    const answer = first.document?.answer;
    return answer === undefined ? [] : answerPair(answer, { message, within }, http);
  };
  return ({ message, from }) => {
    if (!Array.isArray(message)) return one({ message, from }, "");
    return message.flatMap((each, index) => one({ message: each, from }, `/${index}`));
  };
}

/** Reads the answers of a recorded session, without the findings that need a complete session. */
export function answersBy(protocol: Protocol): (sent: PairedSent) => PairedMessage[] {
  const read = pairsOf(protocol);
  return (sent) => (read?.(sent) ?? []).filter(({ isStray, fault }) => isStray !== true && fault?.level !== "NOTE");
}

function answerPair(
  { rule, document, at = "", envelope, refusal }: DocumentAnswer,
  { message, within }: { message: Json; within: string },
  { accepted, rejected, reason }: Protocol["profile"]["http"],
): PairedMessage[] {
  // The profile's codes of errors mark an error, whether it refuses the message or not.
  const isError =
    (reason?.code !== undefined && pointer.has(reason.code, message)) ||
    (rejected.some((answerCondition) => says(answerCondition) && meetsCondition(answerCondition, message)) &&
      !accepted.some(
        (answerCondition) => answerCondition.equal !== undefined && meetsCondition(answerCondition, message),
      ));
  if (isError) return refusal === undefined ? [] : [{ message, document: refusal, within, rule }];
  if (document === undefined) return [];
  const part = pointer.at(at, message);
  const whole = envelope === undefined ? [] : [{ message, document: envelope, within, rule }];
  if (part !== undefined) return [{ message: part, document, within: `${within}${at}`, rule }, ...whole];
  return [{ message, within, fault: { at: "", why: `the answer has no value at ${at}`, level: "MUST", rule } }];
}

function selects({ when }: Document, message: Json): boolean {
  if (when === undefined) return false;
  return Object.entries(when).every(([at, values]) => {
    const there = pointer.at(at, message);
    return there !== undefined && values.some((value) => equal(value, there));
  });
}

function unknownWord(value: Json | undefined): string {
  return `is ${JSON.stringify(value)}, which no document of the pack has: neither it nor its answer is judged`;
}

function says({ present, absent, equal: values }: AnswerCondition): boolean {
  return present !== undefined || absent !== undefined || values !== undefined;
}

/** Whether a body meets a condition, with any status. */
function meetsCondition({ present, absent, equal: values = {} }: AnswerCondition, body: Json): boolean {
  if (present !== undefined && !pointer.has(present, body)) return false;
  if (absent !== undefined && pointer.has(absent, body)) return false;
  return Object.entries(values).every(([at, value]) => {
    const there = pointer.at(at, body);
    return there !== undefined && equal(there, value);
  });
}
