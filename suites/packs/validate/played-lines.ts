import {
  type AnswersReader,
  isObject,
  type Json,
  type JsonObject,
  type Pack,
  type PairedMessage,
  type Protocol,
  pointer,
  type RecordedSent,
  type RecordingHead,
  recordedHook,
  type SessionMessage,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { packOf } from "../pack/load.ts";
import { judgeAlone, judgedRecording, type RecordingFound } from "./recording.ts";
import type { DocumentJudges } from "./validate.ts";

/** A line of a file, counted from 1. */
export interface PlayedLine {
  value: Json;
  number: number;
}

/** The faults of a party during a scenario; `line` is the number of the line. */
export interface PartyFindings {
  document: string;
  findings: RecordingFound[];
}

/** Whether a file is the recording of a scenario, judging by its first line. Throws a usage error for an unknown version of the format. */
export function isPlayed(first: Json | undefined, file: string): first is Json & RecordingHead {
  if (!isObject(first) || !("recording" in first)) return false;
  const { recording, protocol, version, scenario } = first;
  if (recording === 1 && [protocol, version, scenario].every((each) => typeof each === "string")) return true;
  throw new TouchstoneError("usage", `its first line is not the head of a recording of version 1`, {
    where: file,
    hint: "give a file that --record has written",
  });
}

/** How the lines were read. */
export interface PlayedReading {
  /** The numbers of lines that could not be read. */
  unread: readonly number[];
  /** Whether the scenario is still being played. */
  isLive?: boolean;
}

/** Judges the party under test, and not the suite, which is wrong on purpose. Lines that do not belong to a recording are reported; they may hide messages, as may lines that could not be read. With `isLive`, findings become verdicts without a review, so a finding that depends on an unknown order is only advice. */
export async function judgedPlayed(
  protocol: Protocol,
  judges: DocumentJudges,
  [head, ...lines]: readonly PlayedLine[],
  { unread, isLive = false }: PlayedReading,
): Promise<PartyFindings> {
  const { session, answers } = await packOf(protocol);
  const reader = await session?.();
  const read = reader === undefined ? (await answers?.())?.answers() : undefined;
  const about = head?.value as Json & RecordingHead;
  const { said, foreign, gaps } = sortLines(lines, unread, (line) => messagesOf(reader, read, line, about));
  const isTargets = ({ from }: RecordedSent): boolean => from === about.side || from === "target";
  const values = said.map(({ value }) => value);
  const others = Object.keys(protocol.profile.sides ?? {}).filter((name) => name !== about.side);
  const isOurs = ({ line, accuses = "" }: RecordingFound): boolean =>
    !isTargets((said[line] as (typeof said)[number]).line.value) || others.includes(accuses);
  /** The fault of a value of a message, and the value. */
  const faultOf = ({ rule, at, line }: RecordingFound): string | undefined => {
    const value = at === "" ? undefined : pointer.at(at, messageIn((said[line] as (typeof said)[number]).value));
    return value === undefined ? undefined : JSON.stringify([rule, value]);
  };
  /** Says which of several messages in a line is meant. */
  const placeFound = ({ line, why, ...more }: RecordingFound): RecordingFound => {
    const entry = said[line] as (typeof said)[number];
    const all = said.filter((saidMessage) => saidMessage.line === entry.line);
    const which = all.length < 2 ? "" : ` (message ${all.indexOf(entry) + 1} of ${all.length} in this line)`;
    return { ...more, why: `${why}${which}`, line: entry.line.number };
  };
  const findingsOf = (all: readonly RecordingFound[]): RecordingFound[] => {
    // An answer may repeat a fault of the question, such as an address.
    const own = new Set(all.filter(isOurs).flatMap((each) => faultOf(each) ?? []));
    return all.filter((each) => !isOurs(each) && !own.has(faultOf(each) ?? "")).map(placeFound);
  };
  if (reader === undefined) {
    const messages = said.map(
      ({ value, line, ...more }, index): SessionMessage => ({
        message: value,
        line: index,
        from: line.value.from,
        ...more,
      }),
    );
    return { document: "messages", findings: [...findingsOf(judgeAlone(protocol, judges, messages)), ...foreign] };
  }
  // If the form allows gaps, the recording is judged as a part: the party existed before and continued afterwards.
  const hasPlaces = reader.session(values, { partial: true }).hasGaps === true;
  const partial = hasPlaces || (isLive && reader.isUnordered === true);
  const { document, findings } = judgedRecording(
    protocol,
    judges,
    { read: reader.session, lines: values },
    { partial, gaps },
  );
  return { document, findings: [...findingsOf(findings), ...foreign] };
}

/** A line of a recording that contains a sent message. */
type SentLine = PlayedLine & { value: Json & RecordedSent };

/** A message and its line. */
type SaidMessage = PlayedMessage & { line: SentLine };

/** The lines of a recording by their kind. */
interface SortedLines {
  said: SaidMessage[];
  /** Findings about lines that do not belong to a recording. */
  foreign: RecordingFound[];
  /** The indices of messages that others may have preceded unseen. */
  gaps: Set<number>;
}

/** Sorts the lines of a recording; `unread` has the numbers of lines that could not be read. */
function sortLines(
  lines: readonly PlayedLine[],
  unread: readonly number[],
  messagesIn: (line: SentLine) => PlayedMessage[],
): SortedLines {
  const readMessages: SaidMessage[] = [];
  const foreign: RecordingFound[] = [];
  const gaps = new Set<number>();
  const lost = [...unread];
  for (const line of lines) {
    for (; (lost[0] ?? Number.POSITIVE_INFINITY) < line.number; lost.shift()) gaps.add(readMessages.length);
    if (isSent(line) && (isCall(line.value) || line.value.retold === true)) continue;
    if (isSent(line)) {
      const all = messagesIn(line);
      const legible = all.filter(({ value }) => !isTooDeep(value));
      if (legible.length < all.length) gaps.add(readMessages.length);
      readMessages.push(...legible.map((playedMessage) => ({ ...playedMessage, line })));
    } else gaps.add(readMessages.length);
    if (!isSent(line) && !isGap(line.value))
      foreign.push({ at: "", why: "is not a line of a recording", level: "MUST", line: line.number });
  }
  if (lost.length > 0) gaps.add(readMessages.length);
  return { said: readMessages, foreign, gaps };
}

/** The maximum depth of a message that is judged: validators recurse into it. */
const deepest = 1000;

function isTooDeep(value: Json): boolean {
  let level: Json[] = [value];
  for (let levels = 0; level.length > 0; levels++) {
    if (levels > deepest) return true;
    level = level.flatMap((each) =>
      typeof each === "object" && each !== null ? Object.values(each as JsonObject) : [],
    );
  }
  return false;
}

/** Whether a line is a call of a hook or its answer, and not a message of a party. */
function isCall({ from, to }: RecordedSent): boolean {
  return from === recordedHook || to === recordedHook;
}

function isSent(line: PlayedLine): line is PlayedLine & { value: Json & RecordedSent } {
  const { value } = line;
  return isObject(value) && typeof value.from === "string" && typeof value.to === "string";
}

/** The message of an entry, or the entry itself if it is one. */
export function messageIn(entry: Json): Json {
  return isObject(entry) && "message" in entry && "from" in entry ? (entry.message as Json) : entry;
}

function isGap(value: Json): boolean {
  return isObject(value) && typeof value.gap === "string";
}

/** A message and everything known about it. */
type PlayedMessage = { value: Json } & Omit<PairedMessage, "message">;

type PlayedReader = Awaited<ReturnType<NonNullable<Pack["session"]>>>;

function messagesOf(
  reader: PlayedReader | undefined,
  read: ReturnType<AnswersReader> | undefined,
  { value }: PlayedLine,
  head: RecordingHead,
): PlayedMessage[] {
  const sent = value as Json & RecordedSent;
  if (reader?.recorded !== undefined) return reader.recorded(sent, head).map((each) => ({ value: each }));
  if (read === undefined) return sent.message === undefined ? [] : [{ value: sent.message }];
  const said = read(sent) ?? [];
  return [said].flat().map(({ message, ...more }) => ({ value: message, ...more }));
}
