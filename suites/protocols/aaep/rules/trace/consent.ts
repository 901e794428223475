import type { Sent } from "../../../../../generators/index.ts";
import { isObject, type Json } from "../../../../../schemas/index.ts";
import { type Event, endings } from "./event.ts";
import { callOf, isAnswer, type Question, questionOf, replyOf } from "./question.ts";
import type { Recording } from "./recording.ts";
import type { Session } from "./sessions.ts";

/** How a question came to its end, and what followed. */
export interface Settled {
  question: Question;
  session: Session;
  how: "accepted" | "rejected" | "answered";
  /** The reply; undefined where time ran out. */
  by?: Sent;
  /** The entry that settled it, or showed that it was settled. */
  index: number;
  /** The session's next event. */
  next?: Event;
  /** The first event that shows that a rejected action was dropped. */
  shown?: Event;
  /** The first call after an acceptance. */
  acted?: Event;
  /** A call that needed this acceptance was announced before, and reports its success afterwards. */
  early?: Event;
}

/** Why nothing permits a call: nothing was asked, the answer is due, it was no, or it was a yes to another call. */
export type Lack = "unasked" | "pending" | "rejected" | "spent";

/** A call that takes an acceptance, or takes up a rejected action. */
export interface Call {
  event: Event;
  isIrreversible: boolean;
  lack?: Lack;
  /** The rejection that it goes against. */
  against?: Settled;
  /** Question and call name each other. */
  isNamed?: true;
  /** The completion that reports success although nothing permits it. */
  claim?: Event;
}

export interface Course {
  questions: Question[];
  settled: Settled[];
  calls: Call[];
  isTwoWay: boolean;
  /** No subscription could answer a confirmation: an action of low risk takes its default at once and need not be asked for. */
  isMute: boolean;
}

/** What of one session is still to be settled or used. */
interface Going {
  open: Map<string, Question>;
  /** Acceptances that no call has taken. */
  grants: Settled[];
  /** The last confirmation that was settled. */
  last?: Settled;
  asked: number;
  taken: number;
  followed: Settled[];
  hidden: Settled[];
  unacted: Settled[];
  refused: Map<string, Settled>;
  calls: Map<string, Call>;
}

/** Follows each question to its end, and each call back to what permits it, over all subscriptions. */
export function courseOf(recording: Recording): Course {
  const { isTwoWay, streams } = recording;
  const isMute = streams.every(({ sent }) => isUnable(sent));
  const course: Course = { questions: [], settled: [], calls: [], isTwoWay, isMute };
  const homes = new Map(
    recording.all.sessions.flatMap((session) => session.events.map((event) => [event.index, { session, event }])),
  );
  const goings = new Map<Session, Going>();
  const asked = new Map<string, { question: Question; session: Session }>();
  for (const sent of recording.sent) {
    const home = homes.get(sent.index);
    if (home !== undefined) {
      const { session, event } = home;
      const going = goings.get(session) ?? begun();
      goings.set(session, going);
      const question = follow(course, session, going, event);
      if (question !== undefined) asked.set(question.token, { question, session });
      continue;
    }
    const reply = replyOf(sent);
    const known = reply === undefined ? undefined : asked.get(reply.token);
    const going = known === undefined ? undefined : goings.get(known.session);
    if (reply === undefined || known === undefined || going?.open.get(reply.token) !== known.question) continue;
    if (!isAnswer(known.question, reply)) continue;
    const how =
      reply.kind === "clarification" ? "answered" : sent.message.decision === "accept" ? "accepted" : "rejected";
    settle(course, going, { ...known, how, by: sent, index: sent.index });
  }
  return course;
}

function begun(): Going {
  const lists = { grants: [], followed: [], hidden: [], unacted: [] };
  return { open: new Map(), asked: 0, taken: 0, ...lists, refused: new Map(), calls: new Map() };
}

function settle({ settled }: Course, going: Going, each: Settled): void {
  settled.push(each);
  each.question.until = each.index;
  going.open.delete(each.question.token);
  going.followed.push(each);
  if (each.how === "answered") return;
  going.last = each;
  const call = callOf(each.question);
  if (each.how === "accepted") {
    going.grants.push(each);
    going.unacted.push(each);
    if (call !== undefined) going.refused.delete(call);
  } else {
    going.hidden.push(each);
    if (call !== undefined) going.refused.set(call, each);
  }
}

/** What an event does to what is going on; the question that it is. */
function follow(course: Course, session: Session, going: Going, event: Event): Question | undefined {
  for (const question of going.open.values()) {
    if (question.deadline === undefined || event.stamp === undefined || event.stamp < question.deadline) continue;
    const fallback = question.event.message.default_decision === "accept" ? "accepted" : "rejected";
    const how = question.kind === "clarification" ? "answered" : fallback;
    settle(course, going, { question, session, how, index: event.index });
  }
  for (const each of going.followed.splice(0)) each.next = event;
  if (showsDrop(event)) for (const each of going.hidden.splice(0)) each.shown = event;
  const question = questionOf(event);
  if (question !== undefined) {
    course.questions.push(question);
    going.open.set(question.token, question);
    if (question.kind === "confirmation") going.asked += 1;
  }
  if (event.name === "agent.tool.invoked") invoked(course, session, going, event);
  if (event.name === "agent.tool.completed") completed(course, going, event);
  if (endings.has(event.name)) {
    for (const left of going.open.values()) left.until = event.index;
    going.open.clear();
    going.grants = [];
  }
  return question;
}

/** What the specification names as signs that an action was dropped. */
function showsDrop({ name, message }: Event): boolean {
  if (name === "agent.state.changed") return message.to_state !== "awaiting_input";
  if (name === "agent.tool.completed") return message.status === "error";
  return name === "agent.output.streaming" || name === "agent.session.cancelled";
}

function invoked(course: Course, session: Session, going: Going, event: Event): void {
  const { tool_call_id: id, irreversible, risk_level: risk } = event.message;
  for (const each of going.unacted.splice(0, 1)) each.acted = event;
  const call: Call = { event, isIrreversible: irreversible === true };
  course.calls.push(call);
  going.calls.set(keyOf(event), call);
  const refusal = typeof id === "string" ? going.refused.get(id) : undefined;
  const { last, grants } = going;
  if (refusal !== undefined) Object.assign(call, { lack: "rejected", against: refusal, isNamed: true });
  else if (call.isIrreversible || risk === "high") {
    const grant = take(grants, id);
    if (grant === undefined) Object.assign(call, lackOf(course, session, going, event));
    else going.taken += 1;
  } else if (risk === "medium" && last?.how === "rejected" && grants.length === 0 && isAsRisky(last, event))
    call.against = last;
}

/** Takes the acceptance that names the call, or one that names none. */
function take(grants: Settled[], id: unknown): Settled | undefined {
  const named = grants.findIndex(({ question }) => callOf(question) === id && id !== undefined);
  const index = named === -1 ? grants.findIndex(({ question }) => callOf(question) === undefined) : named;
  return index === -1 ? undefined : grants.splice(index, 1)[0];
}

function lackOf({ isTwoWay, isMute }: Course, session: Session, going: Going, event: Event): Partial<Call> {
  const { open, last, asked, taken } = going;
  const { risk_level: risk = "low" } = event.message;
  if (!isTwoWay && asked > taken) {
    going.taken += 1;
    return {};
  }
  const isUnseen = !session.begun || event.era !== session.events[0].era;
  if (isUnseen || (isMute && risk === "low")) return {};
  if (isTwoWay && [...open.values()].some(({ kind }) => kind === "confirmation")) return { lack: "pending" };
  if (last?.how === "rejected")
    return { lack: "rejected", ...(isAsRisky(last, event) || event.message.irreversible ? { against: last } : {}) };
  return { lack: taken > 0 ? "spent" : "unasked" };
}

function isAsRisky({ question }: Settled, { message }: Event): boolean {
  return question.event.message.risk_level === message.risk_level;
}

/** Whether a subscriber has made requests, and in none of them said that it can answer confirmations. */
function isUnable(sent: readonly Sent[]): boolean {
  const requests = sent.filter(({ from, message }) => from === "subscriber" && isObject(message.capabilities));
  return requests.length > 0 && !requests.some(({ message }) => canConfirm(message.capabilities));
}

function canConfirm(capabilities: Json | undefined): boolean {
  return isObject(capabilities) && capabilities.supports_confirmation_reply === true;
}

function completed({ isTwoWay }: Course, going: Going, event: Event): void {
  const { tool_call_id: id, status } = event.message;
  const call = going.calls.get(keyOf(event));
  if (call === undefined || status !== "success" || !isTwoWay) return;
  const isNamed = typeof id === "string" && [...going.open.values()].some((question) => callOf(question) === id);
  const isRefused = typeof id === "string" && going.refused.has(id);
  const isUnpermitted = call.isIrreversible && call.lack !== undefined;
  const [grant] = going.grants;
  if (isNamed || isRefused) call.claim = event;
  else if (isUnpermitted && grant !== undefined && grant.index > call.event.index) grant.early = event;
  else if (isUnpermitted && grant === undefined && (going.open.size > 0 || going.last?.how === "rejected"))
    call.claim = event;
}

/** A call and its completion have the same. */
function keyOf({ message: { tool_call_id: id, tool } }: Event): string {
  return typeof id === "string" ? `id ${id}` : `tool ${String(tool)}`;
}
