import { canonical } from "../../../../../schemas/index.ts";
import { list, type Say } from "../../../../packs/twins/say.ts";
import { aftermath } from "./aftermath.ts";
import { answer } from "./answers.ts";
import { judgeCall, judgeSuccess } from "./calls.ts";
import { endings, type Item, type Recorded } from "./items.ts";
import { judgeQuestion } from "./questions.ts";
import { saidAt, type Terms } from "./terms.ts";
import { lapse, type SessionWalk, sessionIn, type TraceWalk } from "./walk.ts";

/** Judges questions, their answers and the later actions, over all subscriptions. */
export function consent(
  say: Say,
  recorded: Recorded,
  terms: readonly Terms[],
  isStrict: (freedom: string) => boolean,
): void {
  const isAnswerable = terms.some(({ said }) =>
    said.some((each) => each.capabilities.supports_confirmation_reply === true),
  );
  const isNegotiated = terms.some(({ requested }) => requested !== undefined);
  const empty = { questions: [], sessions: new Map<string, SessionWalk>(), hasMissed: false };
  const walk: TraceWalk = { recorded, terms, isStrict, isNegotiated, isAnswerable, ...empty };
  const seen = new Set<string>();
  const gaps = recorded.gaps.map(({ index }) => index);
  for (const item of recorded.items) {
    walk.hasMissed ||= gaps.some((index) => index < item.index);
    if (item.from === "subscriber") answer(say, walk, item);
    if (!item.isEvent) continue;
    const key = canonical(list([item.agent, item.message.event_id ?? null]));
    if (!seen.has(key)) follow(say, walk, item);
    seen.add(key);
  }
  aftermath(say, walk);
}

function follow(say: Say, walk: TraceWalk, event: Item): void {
  const session = sessionIn(walk, event.session);
  const isDefaulted = isUnanswerable(walk, event.index);
  for (const question of walk.questions) {
    if (question.state !== "open" || question.item.session !== event.session) continue;
    if ((event.stamp ?? Number.NEGATIVE_INFINITY) >= question.deadline) lapse(walk, question, question.deadline);
    else if (isDefaulted && question.kind === "confirmation") lapse(walk, question, question.item.stamp ?? 0);
  }
  session.events.push(event);
  if (event.name?.startsWith("awaiting.") === true) judgeQuestion(say, walk, session, event);
  if (event.name === "tool.invoked") judgeCall(say, walk, session, event);
  if (event.name === "tool.completed" && event.message.status === "success") judgeSuccess(say, walk, session, event);
  if (!endings.has(event.name)) return;
  for (const question of walk.questions)
    if (question.state === "open" && question.item.session === event.session) question.state = "void";
  if (event.name === "session.completed" && session.permits.some(({ isFollowed }) => !isFollowed))
    say("never does what was accepted", "acceptances-unused");
}

/** Whether no subscriber remains that could answer, because all subscriptions are closed or unable to. */
function isUnanswerable({ terms, recorded: { gaps }, isNegotiated }: TraceWalk, index: number): boolean {
  const isGone = (each: Terms): boolean =>
    each.requested !== undefined &&
    (saidAt(each, index)?.supports_confirmation_reply !== true || (each.closed ?? index) < index);
  return isNegotiated && gaps.length === 0 && terms.every(isGone);
}
