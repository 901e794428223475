import {
  builtInPacks,
  type Document,
  documentNamed,
  type Json,
  type Protocol,
  protocolNamed,
  protocolsNamed,
  type RecordingHead,
  readJson,
  readWhole,
  readYaml,
  TouchstoneError,
  type Violation,
  withMessageStandIns,
} from "../../../schemas/index.ts";
import { describeReadError } from "../../base/format/bytes.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import { packOf, ruled } from "../pack/load.ts";
import { pairsOf } from "../pack/pairs.ts";
import { judgePairs } from "./pairs.ts";
import { isScenarioRecording, judgeScenarioRecording, messageIn, type PlayedLine } from "./played-lines.ts";
import { describeNearest, isRecognized, recognize } from "./recognize.ts";
import { judgeRecording, type RecordingFindings } from "./recording.ts";
import { readerOf } from "./session.ts";
import { type DocumentJudges, judgesFor } from "./validate.ts";

export interface FileOptions {
  protocol?: string;
  document?: string;
  /** Whether each line is a message of one session. */
  trace?: true;
  /** Whether the session may have begun before the recording and continued after it. */
  partial?: true;
}

/** A judged file, ready to be shown. */
export interface ValidatedFile {
  file: string;
  protocol: string;
  version: string;
  document: string;
  findings: (Violation & { line: number; column: number; accuses?: string })[];
  /** For a recording: whether it was judged as a part of a session. */
  isPart?: boolean;
  /** For a recording: the role that sent all messages, if there is only one. */
  only?: string;
}

/** Judges one file after another, compiling the schemas once. Throws a usage error for a file that is unreadable or not recognized. */
export function fileValidator(options: FileOptions): (file: string) => Promise<ValidatedFile> {
  const packs = new Map<string | undefined, readonly Protocol[]>();
  const judgesByPack = new Map<string, Promise<DocumentJudges>>();
  const sources: FileSources = {
    packsNamed(name) {
      const foundPacks = packs.get(name) ?? (name === undefined ? protocolsNamed("all") : [protocolNamed(name)]);
      packs.set(name, foundPacks);
      return foundPacks;
    },
    judgesOf(protocol) {
      const key = `${protocol.folder} ${protocol.name}`;
      const judges = judgesByPack.get(key) ?? judgesFor(protocol);
      judgesByPack.set(key, judges);
      return judges;
    },
  };
  return async (file) => {
    const bytes = readFileBytes(file);
    try {
      return await (options.trace === true ? validateRecording : validateOne)(file, bytes, options, sources);
    } catch (error) {
      return unreadableFile(file, error);
    }
  };
}

/** The packs and the judges of their messages; each is read and compiled once. Without a name, `packsNamed` returns all packs. */
interface FileSources {
  packsNamed: (name: string | undefined) => readonly Protocol[];
  judgesOf: (protocol: Protocol) => Promise<DocumentJudges>;
}

async function validateOne(
  file: string,
  bytes: Uint8Array,
  options: FileOptions,
  sources: FileSources,
): Promise<ValidatedFile> {
  const text = /\.ya?ml$/i.test(file) ? await readYaml(bytes, file) : readJson(bytes, file);
  const { protocol, document } = identifyDocument(file, [text.value], options, sources);
  const { textFindings } = await import("../../../generators/index.ts");
  const { whole, rules } = await sources.judgesOf(protocol);
  // If the message is recognized as a record, the rules apply to it, but not the schema: records are a form of this tool.
  const judge = document.role === "record" && options.document === undefined ? rules : whole;
  const value = withMessageStandIns(text.value, (at) => text.number?.(at), protocol.schemas);
  const violations = [...textFindings(await ruled(protocol), document.name, bytes), ...judge(document, value)];
  const findings = violations.map((violation) => ({ ...violation, ...text.locate(violation.at) }));
  return { file, protocol: protocol.name, version: protocol.version, document: document.name, findings };
}

async function validateRecording(
  file: string,
  bytes: Uint8Array,
  options: FileOptions,
  sources: FileSources,
): Promise<ValidatedFile> {
  const { lines, unreadableLines } = parseLines(bytes, file);
  const unreadableFindings = unreadableLines.map(({ number, error }) => ({ ...findingOf(error), line: number }));
  if (lines.length === 0 && unreadableFindings.length > 0)
    return { file, protocol: "", version: "", document: "unreadable", findings: unreadableFindings };
  if (lines.length === 0)
    throw new TouchstoneError("usage", "the recording is empty", { where: file, hint: "give one JSON value per line" });
  if (isScenarioRecording(lines[0]?.value, file))
    return validatePlayedScenario(file, { lines, unreadableFindings, head: lines[0].value }, options, sources);
  const messages = lines.map(({ value }) => messageIn(value));
  const { protocol: name, partial = false } = options;
  const protocol =
    (name === undefined ? undefined : sources.packsNamed(name)[0]) ??
    identifyDocument(file, messages, {}, sources).protocol;
  const values = lines.map(({ value }) => value);
  // The content of an unreadable line is unknown. It is reported, and the rest is judged as a recording with a gap at that line.
  const gaps = new Set(unreadableLines.map(({ number }) => lines.filter((line) => line.number < number).length));
  const result = await judgeMessages(protocol, await sources.judgesOf(protocol), values, { partial, gaps });
  const { document, isPart, only } = result;
  const findings = [
    ...result.findings.map((finding) => ({ ...finding, line: lines[finding.line]?.number ?? 1, column: 1 })),
    ...unreadableFindings,
  ].sort((first, second) => first.line - second.line);
  const judgedAs = { file, protocol: protocol.name, version: protocol.version, document };
  return { ...judgedAs, findings, isPart, ...(only === undefined ? {} : { only }) };
}

/** Judges the messages of a recording by the rules about sequences, or only by pairs of requests and answers if the pack has no such rules. */
async function judgeMessages(
  protocol: Protocol,
  judges: DocumentJudges,
  lines: readonly Json[],
  { partial, gaps }: { partial: boolean; gaps: Set<number> },
): Promise<RecordingFindings> {
  const readPairs = pairsOf(protocol);
  const { session } = await packOf(protocol);
  if (readPairs !== undefined && session === undefined)
    return judgePairs(protocol, judges, { read: readPairs, lines, isPart: partial || gaps.size > 0 });
  return judgeRecording(protocol, judges, { read: await readerOf(protocol), lines }, { partial, gaps });
}

/** Judges the recording of a scenario. Its first line names the protocol and the scenario. */
async function validatePlayedScenario(
  file: string,
  {
    lines,
    unreadableFindings,
    head,
  }: { lines: PlayedLine[]; unreadableFindings: ValidatedFile["findings"]; head: RecordingHead },
  options: FileOptions,
  { packsNamed, judgesOf }: FileSources,
): Promise<ValidatedFile> {
  const protocolAndVersion = `${head.protocol}@${head.version}`;
  // A recording is data, so the folder of a user's pack must be named on the command line.
  if (
    options.protocol === undefined &&
    !builtInPacks.some((builtInPack) => `${builtInPack.name}@${builtInPack.version}` === protocolAndVersion)
  )
    throw new TouchstoneError(
      "usage",
      `the recording is about ${escapeInvisible(protocolAndVersion)}, which is not a known protocol`,
      {
        where: file,
        hint: "name the folder of its pack with --protocol",
      },
    );
  const [protocol] = packsNamed(options.protocol ?? protocolAndVersion) as [Protocol];
  const lostLines = unreadableFindings.map(({ line }) => line);
  const { document, findings } = await judgeScenarioRecording(protocol, await judgesOf(protocol), lines, {
    unreadLines: lostLines,
  });
  const allFindings = [...findings.map((finding) => ({ ...finding, column: 1 })), ...unreadableFindings].sort(
    (first, second) => first.line - second.line,
  );
  return { file, protocol: protocol.name, version: protocol.version, document, findings: allFindings, isPart: true };
}

/** The result for a file that cannot be parsed: the error is its only finding. */
function unreadableFile(file: string, error: unknown): ValidatedFile {
  if (!(error instanceof TouchstoneError) || !/:\d+:\d+$/.test(error.where ?? "")) throw error;
  return { file, protocol: "", version: "", document: "unreadable", findings: [findingOf(error)] };
}

function findingOf({ what, where }: TouchstoneError): ValidatedFile["findings"][number] {
  const [, line, column] = /:(\d+):(\d+)$/.exec(where ?? "") ?? [];
  return { at: "", why: what, level: "MUST", line: Number(line ?? 1), column: Number(column ?? 1) };
}

/** Finds the document of a file: the one named in the options, or otherwise the document of the first recognized instance. */
function identifyDocument(
  file: string,
  instances: readonly Json[],
  { protocol: name, document }: FileOptions,
  { packsNamed }: FileSources,
): { protocol: Protocol; document: Document } {
  const protocols = packsNamed(name);
  if (document !== undefined && name !== undefined) {
    const [protocol] = protocols as [Protocol];
    return { protocol, document: documentNamed(protocol, document) };
  }
  const singleDocument = onlyDocument(protocols);
  if (singleDocument !== undefined) return singleDocument;
  let nearestNames: string | undefined;
  for (const instance of instances) {
    const recognition = recognize(protocols, instance);
    if (isRecognized(recognition) && document === undefined) return recognition;
    if (nearestNames === undefined && !isRecognized(recognition))
      nearestNames = describeNearest(recognition.nearest) || undefined;
  }
  throw new TouchstoneError("usage", "the document of this message cannot be recognized", {
    where: file,
    hint: `${nearestNames === undefined ? "" : `the nearest: ${nearestNames}; `}give --protocol and --document; \`touchstone list documents\` lists them`,
  });
}

/** The only document of a pack, if it has just one. */
function onlyDocument([protocol, ...others]: readonly Protocol[]):
  | { protocol: Protocol; document: Document }
  | undefined {
  const [document, ...otherDocuments] = protocol?.profile.documents.filter(({ standalone }) => standalone) ?? [];
  if (protocol === undefined || document === undefined || others.length + otherDocuments.length > 0) return undefined;
  return { protocol, document };
}

/** Separates the lines that are JSON from the others. Empty lines are left out. */
function parseLines(
  bytes: Uint8Array,
  file: string,
): { lines: PlayedLine[]; unreadableLines: { number: number; error: TouchstoneError }[] } {
  const lines: PlayedLine[] = [];
  const unreadableLines: { number: number; error: TouchstoneError }[] = [];
  for (const [index, line] of splitLines(bytes, file).entries()) {
    if (line.trim() === "") continue;
    const number = index + 1;
    try {
      lines.push({ value: readJson(line, `${file}:${number}`).value, number });
    } catch (error) {
      if (!(error instanceof TouchstoneError)) throw error;
      unreadableLines.push({ number, error });
    }
  }
  return { lines, unreadableLines };
}

/** The most lines of a recording, because all of them stay in memory while it is judged. */
const maxLines = 250_000;
const maxLineLength = 2 ** 24;

function splitLines(bytes: Uint8Array, file: string): string[] {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("utf8")
    .split("\n", maxLines + 2);
  const tooLongIndex = lines.findIndex(({ length }) => length > maxLineLength);
  if (tooLongIndex >= 0)
    throw new TouchstoneError(
      "usage",
      `the line has ${lines[tooLongIndex]?.length} characters, at most ${maxLineLength} are read`,
      {
        where: `${file}:${tooLongIndex + 1}`,
        hint: "give one message per line",
      },
    );
  if (lines.length <= maxLines || (lines.length === maxLines + 1 && lines[maxLines] === "")) return lines;
  throw new TouchstoneError("usage", `the recording has more than ${maxLines} lines`, {
    where: file,
    hint: "split it, and judge each part with --partial",
  });
}

function readFileBytes(file: string): Uint8Array {
  try {
    return readWhole(file === "-" ? 0 : file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "EISDIR")
      throw new TouchstoneError("usage", `"${file}" is a folder`, {
        hint: "give the files in it; --record writes them as DIR/PROTOCOL/VERSION/SCENARIO.jsonl",
        cause,
      });
    const problem =
      code === "ENOENT" ? `the file "${file}" does not exist` : `"${file}" cannot be read: ${describeReadError(cause)}`;
    throw new TouchstoneError("usage", problem, {
      hint: "give the path of a JSON or YAML file, or - for standard input",
      cause,
    });
  }
}
