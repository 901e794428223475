import { canonical } from "../../../../../schemas/index.ts";
import { listOrEmpty, type ReportFault } from "../../../../packs/twins/say.ts";
import { judgeAftermath } from "./aftermath.ts";
import { judgeReply } from "./answers.ts";
import { judgeCall, judgeSuccess } from "./calls.ts";
import { endings, type Item, type ParsedRecording } from "./items.ts";
import { judgeQuestion } from "./questions.ts";
import { declaredAt, type TwinTerms } from "./terms.ts";
import { type SessionWalk, sessionIn, settleByDefault, type TraceWalk } from "./walk.ts";

/** Judges questions, their answers and the actions after them, across all subscriptions. */
export function judgeConsent(
  report: ReportFault,
  recording: ParsedRecording,
  terms: readonly TwinTerms[],
  isStrict: (freedom: string) => boolean,
): void {
  const canAnyoneConfirm = terms.some(({ declarations }) =>
    declarations.some((declaration) => declaration.capabilities.supports_confirmation_reply === true),
  );
  const isNegotiated = terms.some(({ requestedAt }) => requestedAt !== undefined);
  const emptyState = { questions: [], sessions: new Map<string, SessionWalk>(), mayHaveMissed: false };
  const walk: TraceWalk = { recording, terms, isStrict, isNegotiated, canAnyoneConfirm, ...emptyState };
  const seenEvents = new Set<string>();
  const gaps = recording.gaps.map(({ index }) => index);
  for (const item of recording.items) {
    walk.mayHaveMissed ||= gaps.some((index) => index < item.index);
    if (item.from === "subscriber") judgeReply(report, walk, item);
    if (!item.isEvent) continue;
    const key = canonical(listOrEmpty([item.agent, item.message.event_id ?? null]));
    if (!seenEvents.has(key)) followEvent(report, walk, item);
    seenEvents.add(key);
  }
  judgeAftermath(report, walk);
}

function followEvent(report: ReportFault, walk: TraceWalk, event: Item): void {
  const session = sessionIn(walk, event.session);
  const nobodyCanAnswer = canNobodyAnswer(walk, event.index);
  for (const question of walk.questions) {
    if (question.state !== "open" || question.item.session !== event.session) continue;
    if ((event.stamp ?? Number.NEGATIVE_INFINITY) >= question.deadline)
      settleByDefault(walk, question, question.deadline);
    else if (nobodyCanAnswer && question.kind === "confirmation")
      settleByDefault(walk, question, question.item.stamp ?? 0);
  }
  session.events.push(event);
  if (event.name?.startsWith("awaiting.") === true) judgeQuestion(report, walk, session, event);
  if (event.name === "tool.invoked") judgeCall(report, walk, session, event);
  if (event.name === "tool.completed" && event.message.status === "success") judgeSuccess(report, walk, session, event);
  if (!endings.has(event.name)) return;
  for (const question of walk.questions)
    if (question.state === "open" && question.item.session === event.session) question.state = "void";
  if (event.name === "session.completed" && session.permits.some(({ isFollowed }) => !isFollowed))
    report("never carries out an accepted action", "acceptances-unused");
}

/** Whether no subscriber can answer, because all subscriptions are closed or have not declared that they can. */
function canNobodyAnswer({ terms, recording: { gaps }, isNegotiated }: TraceWalk, index: number): boolean {
  const cannotAnswer = (subscription: TwinTerms): boolean =>
    subscription.requestedAt !== undefined &&
    (declaredAt(subscription, index)?.supports_confirmation_reply !== true || (subscription.closedAt ?? index) < index);
  return isNegotiated && gaps.length === 0 && terms.every(cannotAnswer);
}
