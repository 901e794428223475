import type { ReportFault } from "../../../../packs/twins/say.ts";
import type { TwinCourse } from "./course.ts";
import { endings, type Item } from "./items.ts";
import { isHidden } from "./terms.ts";

/** Judges the start and the end of a session. */
export function judgeLifecycle(report: ReportFault, { events, terms, hasGap, isCutShort }: TwinCourse): void {
  const [firstEvent] = events as [Item];
  const starts = events.filter(({ name }) => name === "session.started");
  const [start, ...laterStarts] = starts;
  if (start === undefined) {
    const isAfterHandshake = terms.requestedAt !== undefined && terms.requestedAt < firstEvent.index;
    if (!isCutShort) report("has no start", ...(isAfterHandshake ? ["sessions-before-handshakes"] : []));
  } else if (start !== firstEvent) report("has an event before the start");
  if (laterStarts.length > 0) report("starts a session again");
  const ends = events.filter(({ name }) => endings.has(name));
  const restart = laterStarts.find(({ index }) => ends.some((end) => end.index < index));
  const eventsBeforeRestart = restart === undefined ? events : events.filter(({ index }) => index < restart.index);
  judgeEnd(report, eventsBeforeRestart, { terms, hasGap });
}

function judgeEnd(
  report: ReportFault,
  events: readonly Item[],
  { terms, hasGap }: Pick<TwinCourse, "terms" | "hasGap">,
): void {
  const lastEvent = events.at(-1) as Item;
  const [end, ...laterEnds] = events.filter(({ name }) => endings.has(name));
  if (end === undefined) {
    const isOver = terms.closedAt !== undefined || (terms.rejectedAt ?? -1) > lastEvent.index;
    const mayBeUnseen =
      hasGap(lastEvent.index, Number.POSITIVE_INFINITY) || isHidden(terms, "session.completed", "session.cancelled");
    if (!isOver && !mayBeUnseen) report("is never closed");
    return;
  }
  if (laterEnds.length > 0) report("is closed twice");
  if (events.some(({ index, name }) => index > end.index && !endings.has(name))) report("continues after its end");
}

/** Judges the order of timestamps and numbers. */
export function judgeOrder(report: ReportFault, course: TwinCourse, events: readonly Item[]): void {
  const stamps = new Map<string, number>();
  for (const { agent, stamp } of course.events) {
    const latestStamp = stamps.get(agent);
    if (stamp === undefined) continue;
    if (latestStamp !== undefined && stamp < latestStamp) report("has a timestamp before that of an earlier event");
    stamps.set(agent, Math.max(latestStamp ?? stamp, stamp));
  }
  const numbers = course.events.map(({ message }) => message.sequence_number);
  if (numbers.every((number) => number === undefined)) return;
  if (numbers.some((number) => number === undefined)) report("numbers only some events");
  else judgeNumbers(report, course, numbers.map(Number), events);
}

function judgeNumbers(
  report: ReportFault,
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
  const capabilities = terms.declarations.at(-1)?.capabilities;
  // A subscriber that cannot answer need not receive questions, so a missing number may belong to a question.
  const canAnswer =
    capabilities?.supports_confirmation_reply === true && capabilities.supports_clarification_reply === true;
  if (events[0]?.name === "session.started" && numbers[0] !== 0) report("does not begin with number 0");
  for (const [eventIndex, event] of events.entries()) {
    const previousEvent = events[eventIndex - 1];
    if (previousEvent === undefined) continue;
    const [previousNumber, currentNumber] = [numbers[eventIndex - 1] as number, numbers[eventIndex] as number];
    const step = currentNumber - previousNumber;
    // Whether an event with a missing number reached another subscription, and is neither a question nor from an extension.
    const isMissingEvent = ({ session, name, message }: Item): boolean => {
      const eventNumber = Number(message.sequence_number);
      const mayBeWithheld = name === undefined || name.startsWith("awaiting.");
      return session === event.session && eventNumber > previousNumber && eventNumber < currentNumber && !mayBeWithheld;
    };
    const mayBeUnsent = (isCoreOnly || (capabilities !== undefined && !canAnswer)) && !allEvents.some(isMissingEvent);
    const isExcused = areEventsWithheld || hasGap(previousEvent.index, event.index) || mayBeUnsent;
    if (step <= 0 || (step > 1 && !isExcused)) report("has a number that is not one more than the previous one");
  }
}
