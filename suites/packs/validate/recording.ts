import {
  documentNamed,
  type Json,
  type Level,
  type Protocol,
  type Session,
  type SessionMessage,
  type SessionOptions,
  type SessionReader,
  type Violation,
} from "../../../schemas/index.ts";
import { inWords, isRecognized, recognize } from "./recognize.ts";
import { lineAt } from "./session.ts";
import type { DocumentJudges } from "./validate.ts";

/** A fault found in a recording. */
export interface RecordingFound extends Violation {
  /** The index of its line. */
  line: number;
  /** The party at fault, if the recording shows it: a role, or a name. */
  accuses?: string;
}

/** The violations of one message of a recording. */
interface MessageFindings {
  isKnown: boolean;
  findings: RecordingFound[];
}

/** The faults of a recording, and whether it is declared to be a part. */
export interface RecordingRead {
  document: string;
  findings: RecordingFound[];
  /** Whether its sessions may have begun before it and continued after it. */
  isPart: boolean;
  /** The only role with lines. */
  only?: string;
}

/** Judges each message by its own document, and then their sequence by the rules about sequences. A malformed message that must be ignored counts as not sent. */
export function judgedRecording(
  protocol: Protocol,
  { whole, rules }: DocumentJudges,
  { read, lines }: { read: SessionReader; lines: readonly Json[] },
  { partial = false, gaps = new Set<number>() }: Omit<SessionOptions, "ignored">,
): RecordingRead {
  const session = read(lines, { partial, gaps });
  const isPart = partial || gaps.size > 0;
  const alone = eachOnce(session.messages, (message) => judgedMessage(protocol, { whole, rules }, message));
  const together = (session.records ?? []).flatMap(({ document, value, lines: from }) =>
    rules(documentNamed(protocol, document), value).map((violation) => {
      const line = from[violation.at.split("/")[1] ?? ""] ?? Math.max(...Object.values(from));
      return describeAccusation(protocol, session, { ...violation, line });
    }),
  );
  const ignored = new Set(
    alone.flatMap(({ message, findings }) =>
      message.ignorable === true && findings.some(({ level }) => level === "MUST") ? message.line : [],
    ),
  );
  const said = ignored.size === 0 ? session : read(lines, { partial, gaps, ignored });
  const isJudged = new Set(
    alone.flatMap(({ message: { line, at }, isKnown }) => (isKnown && at !== undefined ? `${line}` : [])),
  );
  const sequence = whole(documentNamed(protocol, said.document), said.value)
    .map((violation) => ({ ...violation, line: lineAt(said, violation.at, lines) }))
    .filter((found) => found.site === undefined || !isJudged.has(`${found.line}`) || !isInMessage(said, found.at))
    .map((found) => describeAccusation(protocol, session, inPart(found, isPart && session.hasGaps !== true)));
  const own = alone.flatMap(({ findings, isAgain }) => (isAgain ? [] : findings));
  const pairs = furtherFindings(together, own);
  return {
    document: session.document,
    findings: [...own, ...pairs, ...furtherFindings(sequence, [...own, ...pairs])].sort((a, b) => a.line - b.line),
    isPart: isPart || session.hasGaps === true,
    ...onlyRole(protocol, session),
  };
}

/** If a recording has only one side, rules that depend on the other side cannot be judged. */
function onlyRole({ rules }: Protocol, { messages }: Session): { only?: string } {
  const [only, ...others] = new Set(messages.map(({ from }) => from));
  const isRole = only !== undefined && others.length === 0 && rules.some(({ binds }) => binds.includes(only));
  return isRole ? { only } : {};
}

/** The faults of recognized messages, each on its own: for a protocol without rules about sequences. */
export function judgeAlone(
  protocol: Protocol,
  judges: DocumentJudges,
  messages: readonly SessionMessage[],
): RecordingFound[] {
  return eachOnce(messages, (message) => judgedMessage(protocol, judges, message)).flatMap(
    ({ isKnown, isAgain, findings }) => (isKnown && !isAgain ? findings : []),
  );
}

/** The judgement of each message; an unchanged repetition is marked, since its fault is not a second one. */
function eachOnce<T>(
  messages: readonly SessionMessage[],
  judge: (message: SessionMessage) => T,
): (T & { message: SessionMessage; isAgain: boolean })[] {
  const known = new Map<string, T>();
  return messages.map((message) => {
    const key = JSON.stringify([message.message, message.from, message.document, message.within, message.fault?.why]);
    const before = known.get(key);
    const judged = before ?? judge(message);
    known.set(key, judged);
    return { ...judged, message, isAgain: before !== undefined };
  });
}

function judgedMessage(
  protocol: Protocol,
  { whole, rules }: DocumentJudges,
  { message, line, from, document: named, within = "", rule, fault }: SessionMessage,
): MessageFindings {
  const placeViolation = (violation: Violation): RecordingFound => ({
    ...(violation.rule === undefined && rule !== undefined ? { ...violation, rule } : violation),
    at: `${within}${violation.at}`,
    line,
    ...(from === undefined ? {} : { accuses: from }),
  });
  if (fault !== undefined) return { isKnown: true, findings: [placeViolation(fault)] };
  const found =
    named === undefined ? recognize([protocol], message) : { protocol, document: documentNamed(protocol, named) };
  if (!isRecognized(found)) {
    const near = inWords(found.nearest);
    const why = `the message is not recognized${near === "" ? "" : `; the nearest: ${near}`}`;
    return {
      isKnown: false,
      findings: [{ at: "", why, level: "SHOULD", line, ...(from === undefined ? {} : { accuses: from }) }],
    };
  }
  const judge = found.document.role === "record" ? rules : whole;
  return { isKnown: true, findings: judge(found.document, message).map(placeViolation) };
}

/** The party that a finding blames: the role that the rule binds, or the sender if the rule binds any sender. */
function describeAccusation(protocol: Protocol, session: Session, found: Violation & { line: number }): RecordingFound {
  const binds = protocol.rules.find(({ id }) => id === found.rule)?.binds ?? [];
  const sender = session.messages.find(({ line }) => line === found.line)?.from;
  const isSender = binds.some((bind) => bind === "message" || bind === "sender");
  const accuses = isSender ? sender : binds.length > 0 ? binds.join(" or ") : undefined;
  return accuses === undefined ? found : { ...found, accuses };
}

/** If the recording's format allows no gaps, a part of one proves nothing for certain. */
function inPart<T extends Violation>(found: T, isUnsure: boolean): T {
  if (!isUnsure || found.rule === undefined) return found;
  const level: Level = found.level === "MUST" ? "SHOULD" : found.level;
  return { ...found, level, why: `${found.why}, unless messages that were not recorded explain it` };
}

function isInMessage({ messages }: Session, at: string): boolean {
  return messages.some((message) => message.at !== undefined && (at === message.at || at.startsWith(`${message.at}/`)));
}

/** The findings that are not yet reported at the same line for the same rule. */
function furtherFindings(all: readonly RecordingFound[], reported: readonly RecordingFound[]): RecordingFound[] {
  return all.filter(
    ({ rule, line }) => !reported.some((each) => each.rule === rule && each.line === line && rule !== undefined),
  );
}
