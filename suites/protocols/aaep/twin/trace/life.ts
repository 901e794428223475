import type { ReportFault } from "../../../../packs/twins/say.ts";
import type { TwinCourse } from "./course.ts";
import { endings, type Item } from "./items.ts";
import { isHidden } from "./terms.ts";

/** Judges the start and the end of a session. */
export function judgeLifecycle(say: ReportFault, { events, terms, hasGap, isCutShort }: TwinCourse): void {
  const [first] = events as [Item];
  const starts = events.filter(({ name }) => name === "session.started");
  const [start, ...laterStarts] = starts;
  if (start === undefined) {
    const isAfterHandshake = terms.requestedAt !== undefined && terms.requestedAt < first.index;
    if (!isCutShort) say("has no start", ...(isAfterHandshake ? ["sessions-before-handshakes"] : []));
  } else if (start !== first) say("has an event before the start");
  if (laterStarts.length > 0) say("starts a session again");
  const ends = events.filter(({ name }) => endings.has(name));
  const restart = laterStarts.find(({ index }) => ends.some((end) => end.index < index));
  const eventsBeforeRestart = restart === undefined ? events : events.filter(({ index }) => index < restart.index);
  judgeEnd(say, eventsBeforeRestart, { terms, hasGap });
}

function judgeEnd(
  say: ReportFault,
  events: readonly Item[],
  { terms, hasGap }: Pick<TwinCourse, "terms" | "hasGap">,
): void {
  const last = events.at(-1) as Item;
  const [end, ...laterEnds] = events.filter(({ name }) => endings.has(name));
  if (end === undefined) {
    const isOver = terms.closedAt !== undefined || (terms.rejectedAt ?? -1) > last.index;
    const mayBeUnseen =
      hasGap(last.index, Number.POSITIVE_INFINITY) || isHidden(terms, "session.completed", "session.cancelled");
    if (!isOver && !mayBeUnseen) say("is never closed");
    return;
  }
  if (laterEnds.length > 0) say("is closed twice");
  if (events.some(({ index, name }) => index > end.index && !endings.has(name))) say("continues after its end");
}

/** Judges the order of timestamps and numbers. */
export function judgeOrder(say: ReportFault, course: TwinCourse, events: readonly Item[]): void {
  const stamps = new Map<string, number>();
  for (const { agent, stamp } of course.events) {
    const latest = stamps.get(agent);
    if (stamp === undefined) continue;
    if (latest !== undefined && stamp < latest) say("has a timestamp before that of an earlier event");
    stamps.set(agent, Math.max(latest ?? stamp, stamp));
  }
  const numbers = course.events.map(({ message }) => message.sequence_number);
  if (numbers.every((number) => number === undefined)) return;
  if (numbers.some((number) => number === undefined)) say("numbers only some events");
  else judgeNumbers(say, course, numbers.map(Number), events);
}

function judgeNumbers(
  say: ReportFault,
  { events, terms, hasGap }: TwinCourse,
  numbers: readonly number[],
  allEvents: readonly Item[],
): void {
  const areEventsWithheld = terms.grants.some(
    ({ rate, filters: { include = ["*"], exclude = [] } }) =>
      rate !== undefined || !include.includes("*") || exclude.length > 0,
  );
  // By default, events of extensions are excluded.
  const isCoreOnly = terms.grants.some(({ filters }) => filters.include === undefined);
  const declared = terms.declarations.at(-1)?.capabilities;
  // A subscriber that cannot answer need not get questions, so a missing number may be that of a question.
  const canAnswer = declared?.supports_confirmation_reply === true && declared.supports_clarification_reply === true;
  if (events[0]?.name === "session.started" && numbers[0] !== 0) say("does not begin with number 0");
  for (const [place, event] of events.entries()) {
    const previousEvent = events[place - 1];
    if (previousEvent === undefined) continue;
    const [previousNumber, currentNumber] = [numbers[place - 1] as number, numbers[place] as number];
    const step = currentNumber - previousNumber;
    // Whether another subscription got an event with the missing number that is neither a question nor of an extension.
    const isMissingEvent = ({ session, name, message }: Item): boolean => {
      const eventNumber = Number(message.sequence_number);
      const mayBeWithheld = name === undefined || name.startsWith("awaiting.");
      return session === event.session && eventNumber > previousNumber && eventNumber < currentNumber && !mayBeWithheld;
    };
    const mayBeUnsent = (isCoreOnly || (declared !== undefined && !canAnswer)) && !allEvents.some(isMissingEvent);
    const isExcused = areEventsWithheld || hasGap(previousEvent.index, event.index) || mayBeUnsent;
    if (step <= 0 || (step > 1 && !isExcused)) say("has a number that is not one more than the previous one");
  }
}
