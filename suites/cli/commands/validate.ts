import { readFileSync } from "node:fs";
import {
  type Document,
  documentNamed,
  type Json,
  type Place,
  type Protocol,
  protocolNamed,
  protocolsNamed,
  readJson,
  readYaml,
  type Text,
  TouchstoneError,
} from "../../../schemas/index.ts";
import type { Found, Validator } from "../../validate/validate.ts";
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
  findings: (Found & { line: number; column: number })[];
}

export const validate: CliCommand = {
  name: "validate",
  summary: "judge messages, documents or recorded sessions by every rule that there is",
  define(command) {
    command
      .argument("<file...>", "JSON, YAML, or JSON lines with --trace; - reads standard input")
      .option("--protocol <name>", "whose message it is (default: recognized by its members)")
      .option("--document <name>", "which document it is (default: recognized by its members)")
      .option("--trace", "each line is a message of one session, in order")
      .option("--fail-on <level>", "least level whose breach fails: must, should or may (default: must)", level)
      .option("--json", "as a JSON array");
  },
  async run(files, given) {
    const options = given as Options;
    const validators = new Map<string, Validator>();
    const all: Validated[] = [];
    for (const file of files) all.push(await validated(file, options, validators));
    const { failing, rendered } = await import("../../validate/render.ts");
    process.stdout.write(options.json === true ? `${JSON.stringify(all, null, 2)}\n` : rendered(all, options.failOn));
    return all.some(({ findings }) => findings.some((found) => failing(found, options.failOn))) ? 1 : 0;
  },
};

async function validated(file: string, options: Options, validators: Map<string, Validator>): Promise<Validated> {
  const bytes = bytesOf(file);
  let text: Text;
  try {
    text = await read(bytes, file, options.trace === true);
  } catch (error) {
    return unread(file, error);
  }
  const { protocol, document } = await about(file, text.value, options);
  const { validatorFor } = await import("../../validate/validate.ts");
  const validator = validators.get(protocol.name) ?? (await validatorFor(protocol));
  validators.set(protocol.name, validator);
  const { textFindings } = await import("../../../generators/index.ts");
  const findings = [...textFindings(protocol, document.name, bytes), ...validator(document, text.value)].map(
    (found) => ({
      ...found,
      ...text.locate(found.at),
    }),
  );
  return { file, protocol: protocol.name, version: protocol.version, document: document.name, findings };
}

/** A text that holds no value breaks whatever rules there are about it. */
function unread(file: string, error: unknown): Validated {
  const [, line, column] = /:(\d+):(\d+)$/.exec(error instanceof TouchstoneError ? (error.where ?? "") : "") ?? [];
  if (!(error instanceof TouchstoneError) || line === undefined) throw error;
  const finding = { at: "", why: error.what, level: "MUST" as const, line: Number(line), column: Number(column) };
  return { file, protocol: "", version: "", document: "unreadable", findings: [finding] };
}

async function about(
  file: string,
  instance: Json,
  { protocol: name, document, trace }: Options,
): Promise<{ protocol: Protocol; document: Document }> {
  const { recognize } = await import("../../validate/recognize.ts");
  const protocols = name === undefined ? protocolsNamed("all") : [protocolNamed(name)];
  if (document !== undefined && protocols.length === 1) {
    const [protocol] = protocols as [Protocol];
    return { protocol, document: documentNamed(protocol, document) };
  }
  const sample = trace === true && Array.isArray(instance) ? messageOf(instance[0]) : instance;
  const found = recognize(protocols, sample);
  if (found === undefined || (document !== undefined && name === undefined)) {
    throw new TouchstoneError("usage", "it is not plain which document this is", {
      where: file,
      hint: "name it with --protocol and --document; `touchstone list documents` shows what there is",
    });
  }
  if (trace !== true) return found;
  const session = found.protocol.profile.documents.find(({ role }) => role === "trace");
  if (session !== undefined) return { protocol: found.protocol, document: session };
  throw new TouchstoneError("usage", `${found.protocol.name} has no rules about sequences of messages`, {
    where: file,
  });
}

function messageOf(entry: Json | undefined): Json {
  return typeof entry === "object" && entry !== null && "message" in entry ? (entry.message as Json) : (entry ?? null);
}

async function read(bytes: Uint8Array, file: string, isTrace: boolean): Promise<Text> {
  if (isTrace) return lines(bytes, file);
  return /\.ya?ml$/i.test(file) ? readYaml(bytes, file) : readJson(bytes, file);
}

/** JSON lines as one array; a line is where its entry stands. */
async function lines(bytes: Uint8Array, file: string): Promise<Text> {
  const { entryOf } = await import("../../../generators/index.ts");
  const written = Buffer.from(bytes).toString("utf8").split("\n");
  const kept = written.flatMap((line, index) => (line.trim() === "" ? [] : [{ line, number: index + 1 }]));
  const entries = kept.map(({ line, number }) => entryOf(readJson(line, `${file}:${number}`).value));
  const locate = (pointer: string): Place => ({
    line: kept[Number(pointer.split("/")[1] ?? 0)]?.number ?? 1,
    column: 1,
  });
  return { value: entries as Json, locate };
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
