import type { ReportFault } from "../../../../packs/twins/say.ts";
import type { Item } from "./items.ts";
import { isHidden } from "./terms.ts";
import type { QuestionRecord, TraceWalk } from "./walk.ts";

/** Judges the events after settled questions. */
export function judgeAftermath(report: ReportFault, walk: TraceWalk): void {
  for (const question of walk.questions) {
    if (question.reply !== undefined) judgeAfterReply(report, walk, question, question.reply);
    if (question.kind === "confirmation") judgeCountdown(report, walk, question);
  }
}

/** Five seconds, in microseconds. */
const maxDelay = 5e6;

function judgeAfterReply(
  report: ReportFault,
  { recording, terms }: TraceWalk,
  { item, state }: QuestionRecord,
  reply: Item,
): void {
  const laterEvents = recording.items.filter(
    (entry) => entry.isEvent && entry.session === item.session && entry.index > reply.index,
  );
  const isCut = recording.gaps.some(({ index }) => index > reply.index);
  const [nextEvent] = laterEvents;
  if (nextEvent === undefined) {
    if (!isCut) report("does not send an event after an answer");
    return;
  }
  if (
    reply.recordedAt !== undefined &&
    nextEvent.recordedAt !== undefined &&
    nextEvent.recordedAt - reply.recordedAt > maxDelay
  )
    report("follows an answer late", "late-followers");
  const stateChange = recording.items.findLast(
    (entry) => entry.name === "state.changed" && entry.session === item.session && entry.index < reply.index,
  );
  if (
    !isCut &&
    stateChange?.message.to_state === "awaiting_input" &&
    laterEvents.length === 1 &&
    nextEvent.name === "session.completed"
  )
    report("ends while it awaits input", "states-around-questions");
  const areSignsHidden = terms.some((term) => isHidden(term, "state.changed", "output.streaming", "tool.completed"));
  if (state === "rejected" && !isCut && !areSignsHidden && !laterEvents.some(showsDrop))
    report("does not show a rejection", "signs-of-rejections");
}

function showsDrop({ name, message }: Item): boolean {
  if (name === "state.changed") return message.to_state !== "awaiting_input";
  return (
    name === "output.streaming" ||
    name === "session.cancelled" ||
    (name === "tool.completed" && message.status === "error")
  );
}

/** Judges whether progress is reported while a question is open for a long time. */
function judgeCountdown(
  report: ReportFault,
  { recording }: TraceWalk,
  { item, deadline, state, settledAt }: QuestionRecord,
): void {
  const seconds = Number(item.message.timeout_seconds);
  if (!(seconds > 60) || item.stamp === undefined) return;
  const halfTime = item.stamp + seconds * 0.5e6;
  const isOpenAtHalf = (state === "open" ? Number.POSITIVE_INFINITY : (settledAt ?? deadline)) > halfTime;
  const sessionEvents = recording.items.filter(
    ({ isEvent, session, stamp }) => isEvent && session === item.session && stamp !== undefined,
  );
  const isSeen = sessionEvents.some(({ stamp = 0 }) => stamp >= halfTime);
  const isReported = sessionEvents.some(
    ({ name, stamp = 0 }) => name === "progress.updated" && Math.abs(stamp - halfTime) < seconds * 0.1e6,
  );
  if (isOpenAtHalf && isSeen && !isReported) report("does not report progress during a long question", "countdowns");
}
