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
import { whyNot } from "../../base/format/bytes.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import { packOf, ruled } from "../pack/load.ts";
import { pairsOf } from "../pack/pairs.ts";
import { judgedPairs } from "./pairs.ts";
import { isPlayed, judgedPlayed, messageIn, type PlayedLine } from "./played-lines.ts";
import { inWords, isRecognized, recognize } from "./recognize.ts";
import { judgedRecording } from "./recording.ts";
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
export interface Validated {
  file: string;
  protocol: string;
  version: string;
  document: string;
  findings: (Violation & { line: number; column: number; accuses?: string })[];
  /** For a recording: whether it was judged as a part of a session. */
  isPart?: boolean;
  /** For a recording: the only role with lines in it. */
  only?: string;
}

/** Judges one file after another, compiling the schemas once. Throws a usage error for a file that is unreadable or not recognized. */
export function fileValidator(options: FileOptions): (file: string) => Promise<Validated> {
  const packs = new Map<string | undefined, readonly Protocol[]>();
  const known = new Map<string, Promise<DocumentJudges>>();
  const sources: FileSources = {
    named(name) {
      const found = packs.get(name) ?? (name === undefined ? protocolsNamed("all") : [protocolNamed(name)]);
      packs.set(name, found);
      return found;
    },
    judges(protocol) {
      const key = `${protocol.folder} ${protocol.name}`;
      const found = known.get(key) ?? judgesFor(protocol);
      known.set(key, found);
      return found;
    },
  };
  return async (file) => {
    const bytes = bytesOf(file);
    try {
      return await (options.trace === true ? recording : validateOne)(file, bytes, options, sources);
    } catch (error) {
      return unreadableFile(file, error);
    }
  };
}

/** The named pack, or all packs, and the judges of their messages; each is read and compiled once. */
interface FileSources {
  named: (name: string | undefined) => readonly Protocol[];
  judges: (protocol: Protocol) => Promise<DocumentJudges>;
}

async function validateOne(
  file: string,
  bytes: Uint8Array,
  options: FileOptions,
  sources: FileSources,
): Promise<Validated> {
  const text = /\.ya?ml$/i.test(file) ? await readYaml(bytes, file) : readJson(bytes, file);
  const { protocol, document } = about(file, [text.value], options, sources);
  const { textFindings } = await import("../../../generators/index.ts");
  const { whole, rules } = await sources.judges(protocol);
  // If only a record of ours has a schema for the message, the rules bind it but the schema does not.
  const judge = document.role === "record" && options.document === undefined ? rules : whole;
  const value = withMessageStandIns(text.value, (at) => text.number?.(at), protocol.schemas);
  const all = [...textFindings(await ruled(protocol), document.name, bytes), ...judge(document, value)];
  const findings = all.map((found) => ({ ...found, ...text.locate(found.at) }));
  return { file, protocol: protocol.name, version: protocol.version, document: document.name, findings };
}

async function recording(
  file: string,
  bytes: Uint8Array,
  options: FileOptions,
  sources: FileSources,
): Promise<Validated> {
  const { lines, broken } = linesOf(bytes, file);
  const lost = broken.map(({ number, error }) => ({ ...findingOfError(error), line: number }));
  if (lines.length === 0 && lost.length > 0)
    return { file, protocol: "", version: "", document: "unreadable", findings: lost };
  if (lines.length === 0)
    throw new TouchstoneError("usage", "the recording is empty", { where: file, hint: "give one JSON value a line" });
  if (isPlayed(lines[0]?.value, file)) return playFile(file, { lines, lost, head: lines[0].value }, options, sources);
  const messages = lines.map(({ value }) => messageIn(value));
  const { protocol: name, partial = false } = options;
  const protocol =
    (name === undefined ? undefined : sources.named(name)[0]) ?? about(file, messages, {}, sources).protocol;
  const values = lines.map(({ value }) => value);
  // The content of an unreadable line is unknown: it is reported, and the rest is judged as a recording with a gap there.
  const gaps = new Set(broken.map(({ number }) => lines.filter((line) => line.number < number).length));
  const pairs = pairsOf(protocol);
  const { session } = await packOf(protocol);
  const judged =
    pairs !== undefined && session === undefined
      ? judgedPairs(protocol, await sources.judges(protocol), {
          read: pairs,
          lines: values,
          isPart: partial || gaps.size > 0,
        })
      : judgedRecording(
          protocol,
          await sources.judges(protocol),
          { read: await readerOf(protocol), lines: values },
          { partial, gaps },
        );
  const { document, isPart, only } = judged;
  const findings = [
    ...judged.findings.map((finding) => ({ ...finding, line: lines[finding.line]?.number ?? 1, column: 1 })),
    ...lost,
  ].sort((a, b) => a.line - b.line);
  const judgedAs = { file, protocol: protocol.name, version: protocol.version, document };
  return { ...judgedAs, findings, isPart, ...(only === undefined ? {} : { only }) };
}

/** Judges the recording of a scenario, which names its scenario itself. */
async function playFile(
  file: string,
  { lines, lost, head }: { lines: PlayedLine[]; lost: Validated["findings"]; head: RecordingHead },
  options: FileOptions,
  { named, judges }: FileSources,
): Promise<Validated> {
  const own = `${head.protocol}@${head.version}`;
  // A recording is data, so the folder of a user's pack must be named on the command line.
  if (
    options.protocol === undefined &&
    !builtInPacks.some((builtInPack) => `${builtInPack.name}@${builtInPack.version}` === own)
  )
    throw new TouchstoneError(
      "usage",
      `the recording is about ${escapeInvisible(own)}, which is not a known protocol`,
      {
        where: file,
        hint: "name the folder of its pack with --protocol",
      },
    );
  const [protocol] = named(options.protocol ?? own) as [Protocol];
  const lostLines = lost.map(({ line }) => line);
  const { document, findings } = await judgedPlayed(protocol, await judges(protocol), lines, {
    unread: lostLines,
  });
  const all = [...findings.map((finding) => ({ ...finding, column: 1 })), ...lost].sort((a, b) => a.line - b.line);
  return { file, protocol: protocol.name, version: protocol.version, document, findings: all, isPart: true };
}

/** A text without a value violates all rules about texts. */
function unreadableFile(file: string, error: unknown): Validated {
  if (!(error instanceof TouchstoneError) || !/:\d+:\d+$/.test(error.where ?? "")) throw error;
  return { file, protocol: "", version: "", document: "unreadable", findings: [findingOfError(error)] };
}

function findingOfError({ what, where }: TouchstoneError): Validated["findings"][number] {
  const [, line, column] = /:(\d+):(\d+)$/.exec(where ?? "") ?? [];
  return { at: "", why: what, level: "MUST", line: Number(line ?? 1), column: Number(column ?? 1) };
}

/** The description of the file, by its first recognized instance. */
function about(
  file: string,
  instances: readonly Json[],
  { protocol: name, document }: FileOptions,
  { named }: FileSources,
): { protocol: Protocol; document: Document } {
  const protocols = named(name);
  if (document !== undefined && name !== undefined) {
    const [protocol] = protocols as [Protocol];
    return { protocol, document: documentNamed(protocol, document) };
  }
  const alone = only(protocols);
  if (alone !== undefined) return alone;
  let near: string | undefined;
  for (const instance of instances) {
    const found = recognize(protocols, instance);
    if (isRecognized(found) && document === undefined) return found;
    if (near === undefined && !isRecognized(found)) near = inWords(found.nearest) || undefined;
  }
  throw new TouchstoneError("usage", "the document of this message cannot be recognized", {
    where: file,
    hint: `${near === undefined ? "" : `the nearest: ${near}; `}give --protocol and --document; \`touchstone list documents\` lists them`,
  });
}

/** The only document of a pack, if it has just one. */
function only([protocol, ...others]: readonly Protocol[]): { protocol: Protocol; document: Document } | undefined {
  const [document, ...more] = protocol?.profile.documents.filter(({ standalone }) => standalone) ?? [];
  if (protocol === undefined || document === undefined || others.length + more.length > 0) return undefined;
  return { protocol, document };
}

/** The lines that are JSON, and the others; empty lines are left out. */
function linesOf(
  bytes: Uint8Array,
  file: string,
): { lines: PlayedLine[]; broken: { number: number; error: TouchstoneError }[] } {
  const lines: PlayedLine[] = [];
  const broken: { number: number; error: TouchstoneError }[] = [];
  for (const [index, line] of linesIn(bytes, file).entries()) {
    if (line.trim() === "") continue;
    const number = index + 1;
    try {
      lines.push({ value: readJson(line, `${file}:${number}`).value, number });
    } catch (error) {
      if (!(error instanceof TouchstoneError)) throw error;
      broken.push({ number, error });
    }
  }
  return { lines, broken };
}

/** The maximum lines of a recording: all stay in memory while it is judged. */
const maxLines = 250_000;
const longestLine = 2 ** 24;

function linesIn(bytes: Uint8Array, file: string): string[] {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("utf8")
    .split("\n", maxLines + 2);
  const long = lines.findIndex(({ length }) => length > longestLine);
  if (long >= 0)
    throw new TouchstoneError(
      "usage",
      `the line has ${lines[long]?.length} characters, at most ${longestLine} are read`,
      {
        where: `${file}:${long + 1}`,
        hint: "give one message a line",
      },
    );
  if (lines.length <= maxLines || (lines.length === maxLines + 1 && lines[maxLines] === "")) return lines;
  throw new TouchstoneError("usage", `the recording has more than ${maxLines} lines`, {
    where: file,
    hint: "split it, and judge each part with --partial",
  });
}

function bytesOf(file: string): Uint8Array {
  try {
    return readWhole(file === "-" ? 0 : file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new TouchstoneError(
      "usage",
      code === "ENOENT"
        ? `the file "${file}" does not exist`
        : code === "EISDIR"
          ? `"${file}" is a folder`
          : `"${file}" cannot be read: ${whyNot(cause)}`,
      {
        hint:
          code === "EISDIR"
            ? "give the files in it; --record writes them as DIR/PROTOCOL/VERSION/SCENARIO.jsonl"
            : "give the path of a JSON or YAML file, or - for standard input",
        cause,
      },
    );
  }
}
