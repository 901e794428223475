import { parseArgs } from "node:util";
import { type ReportOptions, type ReportTarget, reportVerbs } from "../../../schemas/index.ts";
import { splitShellWords } from "./shell-words.ts";

const textOption = { type: "string" } as const;
const listOption = { type: "string", multiple: true } as const;
const flagOption = { type: "boolean" } as const;
const knownOptions = {
  module: textOption,
  command: textOption,
  http: textOption,
  header: listOption,
  endpoint: listOption,
  reference: flagOption,
  variant: textOption,
  seed: textOption,
  timeout: textOption,
  vectors: textOption,
  scenarios: flagOption,
  config: textOption,
  "no-config": flagOption,
  runs: textOption,
  walk: textOption,
};

/** Reads the options of a run from the command line in a report that does not contain them as data. Undefined if it is not a command of this tool, or if it names no target. */
export function parseCommandLine(command: string): ReportOptions | undefined {
  const words = splitShellWords(command);
  // The words before the verb call the program, possibly by `npm run`.
  const verbIndex = words.findIndex((word, index) => isVerb(word) && /^(touchstone|--)$/.test(words[index - 1] ?? ""));
  const [verb, protocol, ...args] = verbIndex === -1 ? [] : words.slice(verbIndex);
  if (verb === undefined || protocol === undefined) return undefined;
  const { values } = parseArgs({ args, options: knownOptions, strict: false, allowPositionals: true });
  const options = values as ShellOptions;
  const target = targetIn(options);
  if (target === undefined) return undefined;
  const numbers = { seed: options.seed, timeoutMs: options.timeout, runs: options.runs };
  const { vectors, scenarios, walk } = options;
  const config = options["no-config"] === true ? false : options.config;
  return {
    verb: verb as ReportOptions["verb"],
    protocol,
    target,
    ...Object.fromEntries(
      Object.entries(numbers).flatMap(([name, value]) => (value === undefined ? [] : [[name, Number(value)]])),
    ),
    ...Object.fromEntries(Object.entries({ vectors, scenarios, walk }).filter(([, value]) => value !== undefined)),
    ...(config === undefined ? {} : { config }),
  };
}

type ShellOptions = {
  [K in keyof typeof knownOptions]?: (typeof knownOptions)[K] extends typeof listOption
    ? string[]
    : (typeof knownOptions)[K] extends typeof flagOption
      ? boolean
      : string;
};

function isVerb(word: string): boolean {
  return (reportVerbs as readonly string[]).includes(word);
}

function targetIn({
  module,
  command,
  http,
  reference,
  variant,
  header,
  endpoint,
}: ShellOptions): ReportTarget | undefined {
  if (module !== undefined) return { kind: "module", file: module };
  if (command !== undefined) return { kind: "command", command };
  if (reference === true) return { kind: "reference", ...(variant === undefined ? {} : { variant }) };
  if (http === undefined) return undefined;
  return {
    kind: "http",
    url: http,
    ...(header === undefined
      ? {}
      : { headers: header.map((headerLine) => headerLine.slice(0, headerLine.indexOf(":"))) }),
    ...(endpoint === undefined ? {} : { endpoints: Object.fromEntries(endpoint.map(splitPair)) }),
  };
}

function splitPair(text: string): [name: string, path: string] {
  const index = text.indexOf("=");
  return [text.slice(0, index), text.slice(index + 1)];
}
