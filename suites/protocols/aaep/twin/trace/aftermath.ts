import type { Say } from "../../../../packs/twins/say.ts";
import type { Item } from "./items.ts";
import { isHidden } from "./terms.ts";
import type { QuestionRecord, TraceWalk } from "./walk.ts";

/** Judges the events after settled questions. */
export function aftermath(say: Say, walk: TraceWalk): void {
  for (const question of walk.questions) {
    if (question.reply !== undefined) sayAfter(say, walk, question, question.reply);
    if (question.kind === "confirmation") judgeCountdown(say, walk, question);
  }
}

function sayAfter(say: Say, { recorded, terms }: TraceWalk, { item, state }: QuestionRecord, reply: Item): void {
  const later = recorded.items.filter(
    (each) => each.isEvent && each.session === item.session && each.index > reply.index,
  );
  const isCut = recorded.gaps.some(({ index }) => index > reply.index);
  const [next] = later;
  if (next === undefined) {
    if (!isCut) say("has nothing that follows an answer");
    return;
  }
  if (reply.time !== undefined && next.time !== undefined && next.time - reply.time > 5e6)
    say("follows late", "late-followers");
  const phase = recorded.items.findLast(
    (each) => each.name === "state.changed" && each.session === item.session && each.index < reply.index,
  );
  if (!isCut && phase?.message.to_state === "awaiting_input" && later.length === 1 && next.name === "session.completed")
    say("ends while it awaits input", "states-around-questions");
  const isHeldBack = terms.some((term) => isHidden(term, "state.changed", "output.streaming", "tool.completed"));
  if (state === "rejected" && !isCut && !isHeldBack && !later.some(showsDrop))
    say("does not show a rejection", "signs-of-rejections");
}

function showsDrop({ name, message }: Item): boolean {
  if (name === "state.changed") return message.to_state !== "awaiting_input";
  return (
    name === "output.streaming" ||
    name === "session.cancelled" ||
    (name === "tool.completed" && message.status === "error")
  );
}

/** Judges the countdown of a question that stays open for long. */
function judgeCountdown(say: Say, { recorded }: TraceWalk, { item, deadline, state, end }: QuestionRecord): void {
  const seconds = Number(item.message.timeout_seconds);
  if (!(seconds > 60) || item.stamp === undefined) return;
  const half = item.stamp + seconds * 0.5e6;
  const isOpenThen = (state === "open" ? Number.POSITIVE_INFINITY : (end ?? deadline)) > half;
  const own = recorded.items.filter(
    ({ isEvent, session, stamp }) => isEvent && session === item.session && stamp !== undefined,
  );
  const isSeen = own.some(({ stamp = 0 }) => stamp >= half);
  const isReported = own.some(
    ({ name, stamp = 0 }) => name === "progress.updated" && Math.abs(stamp - half) < seconds * 0.1e6,
  );
  if (isOpenThen && isSeen && !isReported) say("reports no progress of a long question", "countdowns");
}
