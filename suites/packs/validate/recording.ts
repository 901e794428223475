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
import { describeNearest, isRecognized, recognize } from "./recognize.ts";
import { lineAt } from "./session.ts";
import type { DocumentJudges } from "./validate.ts";

/** A fault in a recording. */
export interface RecordingFinding extends Violation {
  /** The index of its line. */
  line: number;
  /** The party at fault, if the recording shows it: a role, or a name. */
  accuses?: string;
}

/** The findings about one message of a recording. */
interface MessageFindings {
  isRecognized: boolean;
  findings: RecordingFinding[];
}

/** The faults of a recording, and whether it is only part of a session. */
export interface RecordingFindings {
  document: string;
  findings: RecordingFinding[];
  /** Whether its sessions may have begun before it and continued after it. */
  isPart: boolean;
  /** The role that sent all lines, if there is only one. */
  only?: string;
}

/** Judges each message by its own document, and then their sequence by the rules about sequences. A malformed message that must be ignored counts as not sent. */
export function judgeRecording(
  protocol: Protocol,
  { whole, rules }: DocumentJudges,
  { read, lines }: { read: SessionReader; lines: readonly Json[] },
  { partial = false, gaps = new Set<number>() }: Omit<SessionOptions, "ignored">,
): RecordingFindings {
  const session = read(lines, { partial, gaps });
  const isPart = partial || gaps.size > 0;
  const messageFindings = judgeEach(session.messages, (message) => judgeMessage(protocol, { whole, rules }, message));
  const recordFindings = (session.records ?? []).flatMap(({ document, value, lines: lineByItem }) =>
    rules(documentNamed(protocol, document), value).map((violation) => {
      const line = lineByItem[violation.at.split("/")[1] ?? ""] ?? Math.max(...Object.values(lineByItem));
      return addAccused(protocol, session, { ...violation, line });
    }),
  );
  const ignored = new Set(
    messageFindings.flatMap(({ message, findings }) =>
      message.ignorable === true && findings.some(({ level }) => level === "MUST") ? message.line : [],
    ),
  );
  const sessionWithoutIgnored = ignored.size === 0 ? session : read(lines, { partial, gaps, ignored });
  const judgedLines = new Set(
    messageFindings.flatMap(({ message: { line, at }, isRecognized }) =>
      isRecognized && at !== undefined ? `${line}` : [],
    ),
  );
  const sequence = whole(documentNamed(protocol, sessionWithoutIgnored.document), sessionWithoutIgnored.value)
    .map((violation) => ({ ...violation, line: lineAt(sessionWithoutIgnored, violation.at, lines) }))
    .filter(
      (finding) =>
        finding.site === undefined ||
        !judgedLines.has(`${finding.line}`) ||
        !isInMessage(sessionWithoutIgnored, finding.at),
    )
    .map((finding) => addAccused(protocol, session, adviseIfUnsure(finding, isPart && session.hasGaps !== true)));
  const ownFindings = messageFindings.flatMap(({ findings, isRepeated }) => (isRepeated ? [] : findings));
  const furtherRecordFindings = furtherFindings(recordFindings, ownFindings);
  return {
    document: session.document,
    findings: [
      ...ownFindings,
      ...furtherRecordFindings,
      ...furtherFindings(sequence, [...ownFindings, ...furtherRecordFindings]),
    ].sort((first, second) => first.line - second.line),
    isPart: isPart || session.hasGaps === true,
    ...onlyRole(protocol, session),
  };
}

/** The role that sent all messages, if there is only one: rules that depend on the other side cannot be judged. */
function onlyRole({ rules }: Protocol, { messages }: Session): { only?: string } {
  const [only, ...others] = new Set(messages.map(({ from }) => from));
  const isRole = only !== undefined && others.length === 0 && rules.some(({ binds }) => binds.includes(only));
  return isRole ? { only } : {};
}

/** Judges each recognized message on its own, for a protocol without rules about sequences. */
export function judgeAlone(
  protocol: Protocol,
  judges: DocumentJudges,
  messages: readonly SessionMessage[],
): RecordingFinding[] {
  return judgeEach(messages, (message) => judgeMessage(protocol, judges, message)).flatMap(
    ({ isRecognized, isRepeated, findings }) => (isRecognized && !isRepeated ? findings : []),
  );
}

/** Judges each message. Exact repetitions are marked, because their faults are reported only once. */
function judgeEach<T>(
  messages: readonly SessionMessage[],
  judge: (message: SessionMessage) => T,
): (T & { message: SessionMessage; isRepeated: boolean })[] {
  const results = new Map<string, T>();
  return messages.map((message) => {
    const key = JSON.stringify([message.message, message.from, message.document, message.within, message.fault?.why]);
    const earlierResult = results.get(key);
    const result = earlierResult ?? judge(message);
    results.set(key, result);
    return { ...result, message, isRepeated: earlierResult !== undefined };
  });
}

function judgeMessage(
  protocol: Protocol,
  { whole, rules }: DocumentJudges,
  { message, line, from, document: documentName, within = "", rule, fault }: SessionMessage,
): MessageFindings {
  const locateViolation = (violation: Violation): RecordingFinding => ({
    ...(violation.rule === undefined && rule !== undefined ? { ...violation, rule } : violation),
    at: `${within}${violation.at}`,
    line,
    ...(from === undefined ? {} : { accuses: from }),
  });
  if (fault !== undefined) return { isRecognized: true, findings: [locateViolation(fault)] };
  const recognition =
    documentName === undefined
      ? recognize([protocol], message)
      : { protocol, document: documentNamed(protocol, documentName) };
  if (!isRecognized(recognition)) {
    const nearest = describeNearest(recognition.nearest);
    const why = `the message is not recognized${nearest === "" ? "" : `; the nearest: ${nearest}`}`;
    return {
      isRecognized: false,
      findings: [{ at: "", why, level: "SHOULD", line, ...(from === undefined ? {} : { accuses: from }) }],
    };
  }
  const judge = recognition.document.role === "record" ? rules : whole;
  return { isRecognized: true, findings: judge(recognition.document, message).map(locateViolation) };
}

/** Adds the party at fault to a finding: the role that the rule binds, or the sender if the rule binds every sender. */
function addAccused(protocol: Protocol, session: Session, finding: Violation & { line: number }): RecordingFinding {
  const binds = protocol.rules.find(({ id }) => id === finding.rule)?.binds ?? [];
  const sender = session.messages.find(({ line }) => line === finding.line)?.from;
  const bindsSender = binds.some((bind) => bind === "message" || bind === "sender");
  const boundRoles = binds.length > 0 ? binds.join(" or ") : undefined;
  const accuses = bindsSender ? sender : boundRoles;
  return accuses === undefined ? finding : { ...finding, accuses };
}

/** Turns a finding into advice if unrecorded messages might explain it. */
function adviseIfUnsure<T extends Violation>(finding: T, isUnsure: boolean): T {
  if (!isUnsure || finding.rule === undefined) return finding;
  const level: Level = finding.level === "MUST" ? "SHOULD" : finding.level;
  return { ...finding, level, why: `${finding.why}, unless messages that were not recorded explain it` };
}

function isInMessage({ messages }: Session, at: string): boolean {
  return messages.some((message) => message.at !== undefined && (at === message.at || at.startsWith(`${message.at}/`)));
}

/** The findings that are not yet reported at the same line for the same rule. */
function furtherFindings(
  findings: readonly RecordingFinding[],
  reported: readonly RecordingFinding[],
): RecordingFinding[] {
  return findings.filter(
    ({ rule, line }) =>
      !reported.some(
        (reportedFinding) => reportedFinding.rule === rule && reportedFinding.line === line && rule !== undefined,
      ),
  );
}
