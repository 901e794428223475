import type { Say } from "../../../../packs/twins/say.ts";
import type { TwinCourse } from "./course.ts";
import { endings, type Item } from "./items.ts";
import { isHidden } from "./terms.ts";

/** Judges the beginning and the end of a session. */
export function life(say: Say, { events, terms, hasGap, isCutShort }: TwinCourse): void {
  const [first] = events as [Item];
  const starts = events.filter(({ name }) => name === "session.started");
  const [start, ...again] = starts;
  if (start === undefined) {
    const isAfterHandshake = terms.requested !== undefined && terms.requested < first.index;
    if (!isCutShort) say("begins without a start", ...(isAfterHandshake ? ["sessions-before-handshakes"] : []));
  } else if (start !== first) say("has an event before the start");
  if (again.length > 0) say("starts a session again");
  const ends = events.filter(({ name }) => endings.has(name));
  const reused = again.find(({ index }) => ends.some((end) => end.index < index));
  const own = reused === undefined ? events : events.filter(({ index }) => index < reused.index);
  judgeEnd(say, own, { terms, hasGap });
}

function judgeEnd(say: Say, events: readonly Item[], { terms, hasGap }: Pick<TwinCourse, "terms" | "hasGap">): void {
  const last = events.at(-1) as Item;
  const [end, ...more] = events.filter(({ name }) => endings.has(name));
  if (end === undefined) {
    const isOver = terms.closed !== undefined || (terms.rejected ?? -1) > last.index;
    const isUnseen =
      hasGap(last.index, Number.POSITIVE_INFINITY) || isHidden(terms, "session.completed", "session.cancelled");
    if (!isOver && !isUnseen) say("is never closed");
    return;
  }
  if (more.length > 0) say("is closed twice");
  if (events.some(({ index, name }) => index > end.index && !endings.has(name))) say("goes on after its end");
}

/** Judges timestamps and numbers. */
export function order(say: Say, course: TwinCourse, events: readonly Item[]): void {
  const stamps = new Map<string, number>();
  for (const { agent, stamp } of course.events) {
    const last = stamps.get(agent);
    if (stamp === undefined) continue;
    if (last !== undefined && stamp < last) say("has a stamp before that of an earlier event");
    stamps.set(agent, Math.max(last ?? stamp, stamp));
  }
  const numbers = course.events.map(({ message }) => message.sequence_number);
  if (numbers.every((number) => number === undefined)) return;
  if (numbers.some((number) => number === undefined)) say("numbers some events and not all");
  else judgeNumbers(say, course, numbers.map(Number), events);
}

function judgeNumbers(
  say: Say,
  { events, terms, hasGap }: TwinCourse,
  numbers: readonly number[],
  all: readonly Item[],
): void {
  const isThinned = terms.grants.some(
    ({ rate, filters: { include = ["*"], exclude = [] } }) =>
      rate !== undefined || !include.includes("*") || exclude.length > 0,
  );
  // By default, events of extensions are excluded.
  const isCoreOnly = terms.grants.some(({ filters }) => filters.include === undefined);
  const said = terms.said.at(-1)?.capabilities;
  // A subscriber that cannot answer need not be asked; then no other subscription shows whether there was a question.
  const canAnswer = said?.supports_confirmation_reply === true && said.supports_clarification_reply === true;
  if (events[0]?.name === "session.started" && numbers[0] !== 0) say("begins to count at another number than 0");
  for (const [place, event] of events.entries()) {
    const before = events[place - 1];
    if (before === undefined) continue;
    const [last, next] = [numbers[place - 1] as number, numbers[place] as number];
    const step = next - last;
    // An event that another subscription got under the missing number, and that is neither a question nor of an extension.
    const isDue = ({ session, name, message }: Item): boolean => {
      const number = Number(message.sequence_number);
      const isOther = name === undefined || name.startsWith("awaiting.");
      return session === event.session && number > last && number < next && !isOther;
    };
    const mayBeUnsent = (isCoreOnly || (said !== undefined && !canAnswer)) && !all.some(isDue);
    const isExcused = isThinned || hasGap(before.index, event.index) || mayBeUnsent;
    if (step <= 0 || (step > 1 && !isExcused)) say("has a number that is not one more than the last");
  }
}
