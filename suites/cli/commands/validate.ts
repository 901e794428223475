import { readFileSync } from "node:fs";
import {
  type Document,
  documentNamed,
  type Json,
  type Protocol,
  protocolNamed,
  protocolsNamed,
  readJson,
  readYaml,
  TouchstoneError,
  type Violation,
} from "../../../schemas/index.ts";
import type { Validator } from "../../validate/validate.ts";
import type { CliCommand } from "../command.ts";
import { level } from "../parse.ts";

interface Options {
  protocol?: string;
  document?: string;
  trace?: true;
  json?: true;
  failOn?: "must" | "should" | "may";
}

/** One file as it is shown. */
interface Validated {
  file: string;
  protocol: string;
  version: string;
  document: string;
  findings: (Violation & { line: number; column: number })[];
}

export const validate: CliCommand = {
  define(command) {
    command
      .argument("<file...>", "JSON, YAML, or JSON lines with --trace; - reads standard input")
      .option(
        "--protocol <name>",
        "whose message it is, or the folder of the pack (default: recognized by its members)",
      )
      .option("--document <name>", "which document it is (default: recognized by its members)")
      .option("--trace", "each line is a message of one session, in order")
      .option("--fail-on <level>", "least level whose breach fails: must, should or may (default: must)", level)
      .option("--json", "as a JSON array");
  },
  async run(files, given) {
    const options = given as Options;
    const { validatorFor } = await import("../../validate/validate.ts");
    const validators = new Map<string, Promise<Validator>>();
    const judges = (protocol: Protocol): Promise<Validator> => {
      const key = `${protocol.folder} ${protocol.name}`;
      const known = validators.get(key) ?? validatorFor(protocol);
      validators.set(key, known);
      return known;
    };
    const all: Validated[] = [];
    for (const file of files) all.push(await validated(file, options, judges));
    const { failing, rendered } = await import("../../validate/render.ts");
    process.stdout.write(options.json === true ? `${JSON.stringify(all, null, 2)}\n` : rendered(all, options.failOn));
    return all.some(({ findings }) => findings.some((found) => failing(found, options.failOn))) ? 1 : 0;
  },
};

type Judges = (protocol: Protocol) => Promise<Validator>;

async function validated(file: string, options: Options, judges: Judges): Promise<Validated> {
  const bytes = bytesOf(file);
  try {
    return await (options.trace === true ? session : single)(file, bytes, options, judges);
  } catch (error) {
    return unread(file, error);
  }
}

async function single(file: string, bytes: Uint8Array, options: Options, judges: Judges): Promise<Validated> {
  const text = /\.ya?ml$/i.test(file) ? await readYaml(bytes, file) : readJson(bytes, file);
  const { protocol, document } = await about(file, text.value, options);
  const { textFindings } = await import("../../../generators/index.ts");
  const { ruled } = await import("../../pack/load.ts");
  const validator = await judges(protocol);
  const all = [...textFindings(await ruled(protocol), document.name, bytes), ...validator(document, text.value)];
  const findings = all.map((found) => ({ ...found, ...text.locate(found.at) }));
  return { file, protocol: protocol.name, version: protocol.version, document: document.name, findings };
}

async function session(file: string, bytes: Uint8Array, options: Options, judges: Judges): Promise<Validated> {
  const lines = linesOf(bytes, file);
  const protocol =
    options.protocol === undefined
      ? (await about(file, messageOf(lines[0]?.value), options)).protocol
      : protocolNamed(options.protocol);
  const { sessionOf } = await import("../../validate/session.ts");
  const { document, value, at } = await sessionOf(
    protocol,
    lines.map((line) => line.value),
  );
  const validator = await judges(protocol);
  const findings = validator(documentNamed(protocol, document), value).map((found) => {
    const index = Number(found.at.slice(at.length + 1).split("/")[0]);
    return { ...found, line: lines[index]?.number ?? 1, column: 1 };
  });
  return { file, protocol: protocol.name, version: protocol.version, document, findings };
}

/** A text that holds no value breaks whatever rules there are about it. */
function unread(file: string, error: unknown): Validated {
  const [, line, column] = /:(\d+):(\d+)$/.exec(error instanceof TouchstoneError ? (error.where ?? "") : "") ?? [];
  if (!(error instanceof TouchstoneError) || line === undefined) throw error;
  const finding = { at: "", why: error.what, level: "MUST" as const, line: Number(line), column: Number(column) };
  return { file, protocol: "", version: "", document: "unreadable", findings: [finding] };
}

/** What the file holds, or the first message of a session. */
async function about(
  file: string,
  instance: Json,
  { protocol: name, document }: Options,
): Promise<{ protocol: Protocol; document: Document }> {
  const { recognize } = await import("../../validate/recognize.ts");
  const protocols = name === undefined ? protocolsNamed("all") : [protocolNamed(name)];
  if (document !== undefined && name !== undefined) {
    const [protocol] = protocols as [Protocol];
    return { protocol, document: documentNamed(protocol, document) };
  }
  const found = recognize(protocols, instance) ?? only(protocols);
  if (found !== undefined && document === undefined) return found;
  throw new TouchstoneError("usage", "it is not plain which document this is", {
    where: file,
    hint: "name it with --protocol and --document; `touchstone list documents` shows what there is",
  });
}

/** The one document that a pack has. */
function only([protocol, ...others]: readonly Protocol[]): { protocol: Protocol; document: Document } | undefined {
  const [document, ...more] = protocol?.profile.documents.filter(({ standalone }) => standalone) ?? [];
  if (protocol === undefined || document === undefined || others.length + more.length > 0) return undefined;
  return { protocol, document };
}

interface Line {
  value: Json;
  /** Counted from 1. */
  number: number;
}

/** The message of an entry, or what is one itself. */
function messageOf(entry: Json | undefined): Json {
  return typeof entry === "object" && entry !== null && "message" in entry ? (entry.message as Json) : (entry ?? null);
}

/** JSON lines; empty ones are left out. */
function linesOf(bytes: Uint8Array, file: string): Line[] {
  return Buffer.from(bytes)
    .toString("utf8")
    .split("\n")
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== "")
    .map(({ line, number }) => ({ value: readJson(line, `${file}:${number}`).value, number }));
}

function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file === "-" ? 0 : file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new TouchstoneError(
      "usage",
      code === "ENOENT" ? `there is no file "${file}"` : `"${file}" cannot be read (${code})`,
      {
        hint: "give the path of a JSON or YAML file, or - for standard input",
        cause,
      },
    );
  }
}
