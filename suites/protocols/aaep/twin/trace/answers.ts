import { isObject, type Json } from "../../../../../schemas/index.ts";
import { listOrEmpty, type ReportFault } from "../../../../packs/twins/say.ts";
import { findFaults } from "../schema.ts";
import type { Item } from "./items.ts";
import { declaredAt } from "./terms.ts";
import { addPermit, type QuestionRecord, sessionIn, type TraceWalk } from "./walk.ts";

/** Judges a reply, and lets it settle its question if the producer must accept it. */
export function judgeReply(report: ReportFault, walk: TraceWalk, item: Item): void {
  const [, kind] = /^(confirmation|clarification)\.reply$/.exec(String(item.message.type)) ?? [];
  if (kind === undefined) return;
  const questionsOfToken = walk.questions.filter(({ token }) => token === item.message.reply_token);
  const question = questionsOfToken.findLast((questionRecord) => questionRecord.kind === kind);
  if (question === undefined) {
    if (questionsOfToken.length > 0 || walk.recording.gaps.length === 0)
      report("answers a question that was not asked");
    return;
  }
  const isLate = (item.stamp ?? 0) >= question.deadline;
  if (isLate || (item.stamp ?? Number.POSITIVE_INFINITY) < (question.item.stamp ?? 0))
    report("has a timestamp before its question or after the deadline", "stamps-of-replies");
  const isPossible =
    kind === "confirmation"
      ? isAllowed(question, item.message.decision)
      : fitsQuestion(question, item.message.response);
  const isValid = findFaults(`handshake/${kind}.reply.schema.json`, item.message).length === 0;
  if (!isPossible && isValid) report("gives an answer that its question does not allow");
  if (!isValid || !isPossible || !isEntitled(walk, item)) return;
  if (!isLate) settleQuestion(walk, question, item);
  else if (question.state === "open" && (item.stamp ?? 0) < question.deadline + timestampPrecision(question.item)) {
    question.state = "void";
    walk.mayHaveMissed = true;
  }
}

/** Returns how many microseconds further digits of a question's timestamp could add. */
function timestampPrecision({ message }: Item): number {
  const [, fraction = ""] = /\.([0-9]+)/.exec(String(message.timestamp)) ?? [];
  return 1e6 / 10 ** fraction.length;
}

function settleQuestion(walk: TraceWalk, question: QuestionRecord, reply: Item): void {
  const { decision } = reply.message;
  if (question.state === "open") {
    const decisionState = decision === "accept" ? "accepted" : "rejected";
    question.state = question.kind === "clarification" ? "answered" : decisionState;
    question.reply = reply;
    if (reply.stamp !== undefined) question.settledAt = reply.stamp;
    if (question.state === "accepted") addPermit(walk, question, reply);
    else if (question.state === "rejected") sessionIn(walk, question.item.session).rejections.push(question);
  } else if (question.reply === undefined && decision === "accept" && ["accepted", "rejected"].includes(question.state))
    addPermit(walk, question, reply);
}

/** Whether the reply of a subscriber counts. It does not if the subscriber has declared that it does not answer confirmations. */
function isEntitled({ terms }: TraceWalk, { on, index, message }: Item): boolean {
  const subscriptionTerms = terms.find((term) => term.on === on);
  const capabilities = subscriptionTerms === undefined ? undefined : declaredAt(subscriptionTerms, index);
  return message.type !== "confirmation.reply" || capabilities?.supports_confirmation_reply !== false;
}

function isAllowed({ item: { message } }: QuestionRecord, decision: Json | undefined): boolean {
  const allowed = Array.isArray(message.allowed_replies) ? message.allowed_replies : ["accept", "reject"];
  return decision !== undefined && allowed.includes(decision);
}

function fitsQuestion({ item: { message } }: QuestionRecord, response: Json | undefined): boolean {
  const { accepted_response_kinds: kinds, choices } = message;
  if (!Array.isArray(kinds)) return true;
  const isChoice = listOrEmpty(choices).some((choice) => isObject(choice) && choice.value === response);
  const fitsKind: Readonly<Record<string, boolean>> = {
    freetext: typeof response === "string",
    yes_no: typeof response === "boolean",
    numeric: typeof response === "number",
    multiple_choice: typeof response === "string" && isChoice,
  };
  return kinds.some((kind) => fitsKind[String(kind)] === true);
}
