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
import { judgeAlone, judgeRecording, type RecordingFinding } from "./recording.ts";
import type { DocumentJudges } from "./validate.ts";

/** A line of a file, counted from 1. */
export interface PlayedLine {
  value: Json;
  number: number;
}

/** The faults of the party under test in a recorded scenario. The `line` of a finding is the number of the line in the file. */
export interface PartyFindings {
  document: string;
  findings: RecordingFinding[];
}

/** Whether a file is the recording of a scenario, judging by its first line. Throws a usage error for an unknown version of the format. */
export function isScenarioRecording(first: Json | undefined, file: string): first is Json & RecordingHead {
  if (!isObject(first) || !("recording" in first)) return false;
  const { recording, protocol, version, scenario } = first;
  if (recording === 1 && [protocol, version, scenario].every((value) => typeof value === "string")) return true;
  throw new TouchstoneError("usage", `its first line is not the head of a recording of version 1`, {
    where: file,
    hint: "give a file written by --record",
  });
}

/** How the lines were read. */
export interface PlayedReading {
  /** The numbers of lines that could not be read. */
  unreadLines: readonly number[];
  /** Whether the scenario is still being played. */
  isLive?: boolean;
}

/**
 * Judges the party under test in the recording of a scenario. The suite is not judged, because it makes mistakes on purpose. Lines that do not
 * belong to a recording are reported; like unreadable lines, they may hide messages. With `isLive`, findings become verdicts without a review,
 * so findings that depend on an unknown order are only advice.
 */
export async function judgeScenarioRecording(
  protocol: Protocol,
  judges: DocumentJudges,
  [head, ...lines]: readonly PlayedLine[],
  { unreadLines, isLive = false }: PlayedReading,
): Promise<PartyFindings> {
  const { session, answers } = await packOf(protocol);
  const reader = await session?.();
  const readAnswers = reader === undefined ? (await answers?.())?.answers() : undefined;
  const recordingHead = head?.value as Json & RecordingHead;
  const { messages, foreign, gaps } = sortLines(lines, unreadLines, (line) =>
    messagesOf(reader, readAnswers, line, recordingHead),
  );
  const isFromTarget = ({ from }: RecordedSent): boolean => from === recordingHead.side || from === "target";
  const values = messages.map(({ value }) => value);
  const otherSides = Object.keys(protocol.profile.sides ?? {}).filter((name) => name !== recordingHead.side);
  const isAboutSuite = ({ line, accuses = "" }: RecordingFinding): boolean =>
    !isFromTarget((messages[line] as MessageWithLine).line.value) || otherSides.includes(accuses);
  /** A key for a fault: the broken rule and the value at fault. */
  const faultKey = ({ rule, at, line }: RecordingFinding): string | undefined => {
    const value = at === "" ? undefined : pointer.at(at, messageIn((messages[line] as MessageWithLine).value));
    return value === undefined ? undefined : JSON.stringify([rule, value]);
  };
  const findingsAboutTarget = (allFindings: readonly RecordingFinding[]): RecordingFinding[] => {
    // An answer may copy a fault of the suite's request, such as an address.
    const faultsOfSuite = new Set(allFindings.filter(isAboutSuite).flatMap((finding) => faultKey(finding) ?? []));
    return allFindings
      .filter((finding) => !isAboutSuite(finding) && !faultsOfSuite.has(faultKey(finding) ?? ""))
      .map((finding) => locateFinding(finding, messages));
  };
  if (reader === undefined) {
    const sessionMessages = messages.map(
      ({ value, line, ...otherMembers }, index): SessionMessage => ({
        message: value,
        line: index,
        from: line.value.from,
        ...otherMembers,
      }),
    );
    return {
      document: "messages",
      findings: [...findingsAboutTarget(judgeAlone(protocol, judges, sessionMessages)), ...foreign],
    };
  }
  // If the session reader supports gaps, the recording is judged as a part, because the party may have sent messages before and after it.
  const supportsGaps = reader.session(values, { partial: true }).hasGaps === true;
  const partial = supportsGaps || (isLive && reader.isUnordered === true);
  const { document, findings } = judgeRecording(
    protocol,
    judges,
    { read: reader.session, lines: values },
    { partial, gaps },
  );
  return { document, findings: [...findingsAboutTarget(findings), ...foreign] };
}

/** Sets the line number of a finding, and adds which message of the line it refers to if there are several. */
function locateFinding(
  { line, why, ...otherMembers }: RecordingFinding,
  messages: readonly MessageWithLine[],
): RecordingFinding {
  const entry = messages[line] as MessageWithLine;
  const messagesOfLine = messages.filter((message) => message.line === entry.line);
  const position =
    messagesOfLine.length < 2
      ? ""
      : ` (message ${messagesOfLine.indexOf(entry) + 1} of ${messagesOfLine.length} in this line)`;
  return { ...otherMembers, why: `${why}${position}`, line: entry.line.number };
}

/** A line of a recording that contains a sent message. */
type SentLine = PlayedLine & { value: Json & RecordedSent };

/** A message and its line. */
type MessageWithLine = PlayedMessage & { line: SentLine };

/** The lines of a recording by their kind. */
interface SortedLines {
  messages: MessageWithLine[];
  /** Findings about lines that do not belong to a recording. */
  foreign: RecordingFinding[];
  /** The indices of messages that may have lost a message just before them. */
  gaps: Set<number>;
}

/** Sorts the lines of a recording; `unreadLines` contains the numbers of the lines that could not be read. */
function sortLines(
  lines: readonly PlayedLine[],
  unreadLines: readonly number[],
  messagesIn: (line: SentLine) => PlayedMessage[],
): SortedLines {
  const messages: MessageWithLine[] = [];
  const foreign: RecordingFinding[] = [];
  const gaps = new Set<number>();
  const remainingUnread = [...unreadLines];
  for (const line of lines) {
    for (; (remainingUnread[0] ?? Number.POSITIVE_INFINITY) < line.number; remainingUnread.shift())
      gaps.add(messages.length);
    if (isSent(line) && (isCall(line.value) || line.value.retold === true)) continue;
    if (isSent(line)) {
      const messagesOfLine = messagesIn(line);
      const judgeable = messagesOfLine.filter(({ value }) => !isTooDeep(value));
      if (judgeable.length < messagesOfLine.length) gaps.add(messages.length);
      messages.push(...judgeable.map((playedMessage) => ({ ...playedMessage, line })));
    } else gaps.add(messages.length);
    if (!isSent(line) && !isGap(line.value))
      foreign.push({ at: "", why: "is not a line of a recording", level: "MUST", line: line.number });
  }
  if (remainingUnread.length > 0) gaps.add(messages.length);
  return { messages, foreign, gaps };
}

/** The deepest nesting of a message that is judged, because validators recurse into it. */
const maxDepth = 1000;

function isTooDeep(value: Json): boolean {
  let valuesAtDepth: Json[] = [value];
  for (let depth = 0; valuesAtDepth.length > 0; depth++) {
    if (depth > maxDepth) return true;
    valuesAtDepth = valuesAtDepth.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value as JsonObject) : [],
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

/** The message in an entry; the entry itself if it is a plain message. */
export function messageIn(entry: Json): Json {
  return isObject(entry) && "message" in entry && "from" in entry ? (entry.message as Json) : entry;
}

function isGap(value: Json): boolean {
  return isObject(value) && typeof value.gap === "string";
}

/** A message, with the document, place and fault that are known for it. */
type PlayedMessage = { value: Json } & Omit<PairedMessage, "message">;

type PlayedReader = Awaited<ReturnType<NonNullable<Pack["session"]>>>;

function messagesOf(
  reader: PlayedReader | undefined,
  read: ReturnType<AnswersReader> | undefined,
  { value }: PlayedLine,
  head: RecordingHead,
): PlayedMessage[] {
  const sent = value as Json & RecordedSent;
  if (reader?.recorded !== undefined) return reader.recorded(sent, head).map((message) => ({ value: message }));
  if (read === undefined) return sent.message === undefined ? [] : [{ value: sent.message }];
  const answers = read(sent) ?? [];
  return [answers].flat().map(({ message, ...otherMembers }) => ({ value: message, ...otherMembers }));
}
