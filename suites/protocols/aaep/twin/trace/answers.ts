import { isObject, type Json } from "../../../../../schemas/index.ts";
import { list, type Say } from "../../../../packs/twins/say.ts";
import { faults } from "../schema.ts";
import type { Item } from "./items.ts";
import { saidAt } from "./terms.ts";
import { permit, type QuestionRecord, sessionIn, type TraceWalk } from "./walk.ts";

/** Judges a reply, and lets it settle its question if the producer must accept it. */
export function answer(say: Say, walk: TraceWalk, item: Item): void {
  const [, kind] = /^(confirmation|clarification)\.reply$/.exec(String(item.message.type)) ?? [];
  if (kind === undefined) return;
  const named = walk.questions.filter(({ token }) => token === item.message.reply_token);
  const question = named.findLast((questionRecord) => questionRecord.kind === kind);
  if (question === undefined) {
    if (named.length > 0 || walk.recorded.gaps.length === 0) say("answers what was not asked");
    return;
  }
  const isLate = (item.stamp ?? 0) >= question.deadline;
  if (isLate || (item.stamp ?? Number.POSITIVE_INFINITY) < (question.item.stamp ?? 0))
    say("has a stamp outside its time", "stamps-of-replies");
  const isFitting =
    kind === "confirmation" ? isAllowed(question, item.message.decision) : isAsked(question, item.message.response);
  const isSound = faults(`handshake/${kind}.reply.schema.json`, item.message).length === 0;
  if (!isFitting && isSound) say("answers what cannot be answered");
  if (!isSound || !isFitting || !isEntitled(walk, item)) return;
  if (!isLate) settle(walk, question, item);
  else if (question.state === "open" && (item.stamp ?? 0) < question.deadline + timeoutOf(question.item)) {
    question.state = "void";
    walk.hasMissed = true;
  }
}

/** The maximum difference between the stamp of a question and its sending, in microseconds. */
function timeoutOf({ message }: Item): number {
  return (
    1e6 *
    0.1 **
      (String(message.timestamp)
        .split(".")[1]
        ?.search(/[^0-9]/) ?? 0)
  );
}

function settle(walk: TraceWalk, question: QuestionRecord, reply: Item): void {
  const { decision } = reply.message;
  if (question.state === "open") {
    question.state = question.kind === "clarification" ? "answered" : decision === "accept" ? "accepted" : "rejected";
    question.reply = reply;
    if (reply.stamp !== undefined) question.end = reply.stamp;
    if (question.state === "accepted") permit(walk, question, reply);
    else if (question.state === "rejected") sessionIn(walk, question.item.session).rejections.push(question);
  } else if (question.reply === undefined && decision === "accept" && ["accepted", "rejected"].includes(question.state))
    permit(walk, question, reply);
}

/** Whether a subscriber may answer: one that declared not to answer confirmations is ignored. */
function isEntitled({ terms }: TraceWalk, { on, index, message }: Item): boolean {
  const own = terms.find((term) => term.on === on);
  const said = own === undefined ? undefined : saidAt(own, index);
  return message.type !== "confirmation.reply" || said?.supports_confirmation_reply !== false;
}

function isAllowed({ item: { message } }: QuestionRecord, decision: Json | undefined): boolean {
  const allowed = Array.isArray(message.allowed_replies) ? message.allowed_replies : ["accept", "reject"];
  return decision !== undefined && allowed.includes(decision);
}

function isAsked({ item: { message } }: QuestionRecord, response: Json | undefined): boolean {
  const { accepted_response_kinds: kinds, choices } = message;
  if (!Array.isArray(kinds)) return true;
  const isChoice = list(choices).some((each) => isObject(each) && each.value === response);
  const fits: Readonly<Record<string, boolean>> = {
    freetext: typeof response === "string",
    yes_no: typeof response === "boolean",
    numeric: typeof response === "number",
    multiple_choice: typeof response === "string" && isChoice,
  };
  return kinds.some((kind) => fits[String(kind)] === true);
}
