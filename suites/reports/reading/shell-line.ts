import { parseArgs } from "node:util";
import { type ReportOptions, type ReportTarget, reportVerbs } from "../../../schemas/index.ts";
import { shellWords } from "./shell-words.ts";

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true } as const;
const flag = { type: "boolean" } as const;
const known = {
  module: text,
  command: text,
  http: text,
  header: texts,
  endpoint: texts,
  reference: flag,
  variant: text,
  seed: text,
  timeout: text,
  vectors: text,
  scenarios: flag,
  config: text,
  "no-config": flag,
  runs: text,
  walk: text,
};

/** The options of a run, from the shell line of a report that does not have them as data. Undefined for a line that is not ours, or names no target. */
export function optionsIn(command: string): ReportOptions | undefined {
  const words = shellWords(command);
  // The words before the verb call the program, perhaps by `npm run`.
  const begin = words.findIndex((word, index) => isVerb(word) && /^(touchstone|--)$/.test(words[index - 1] ?? ""));
  const [verb, protocol, ...args] = begin === -1 ? [] : words.slice(begin);
  if (verb === undefined || protocol === undefined) return undefined;
  const { values } = parseArgs({ args, options: known, strict: false, allowPositionals: true });
  const options = values as ShellOption;
  const target = targetIn(options);
  if (target === undefined) return undefined;
  const numbers = { seed: options.seed, timeoutMs: options.timeout, runs: options.runs };
  const { vectors, scenarios, walk } = options;
  return {
    verb: verb as ReportOptions["verb"],
    protocol,
    target,
    ...Object.fromEntries(
      Object.entries(numbers).flatMap(([name, of]) => (of === undefined ? [] : [[name, Number(of)]])),
    ),
    ...Object.fromEntries(Object.entries({ vectors, scenarios, walk }).filter(([, value]) => value !== undefined)),
    ...(options["no-config"] === true
      ? { config: false }
      : options.config === undefined
        ? {}
        : { config: options.config }),
  };
}

type ShellOption = {
  [K in keyof typeof known]?: (typeof known)[K] extends typeof texts
    ? string[]
    : (typeof known)[K] extends typeof flag
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
}: ShellOption): ReportTarget | undefined {
  if (module !== undefined) return { kind: "module", file: module };
  if (command !== undefined) return { kind: "command", command };
  if (reference === true) return { kind: "reference", ...(variant === undefined ? {} : { variant }) };
  if (http === undefined) return undefined;
  return {
    kind: "http",
    url: http,
    ...(header === undefined ? {} : { headers: header.map((each) => each.slice(0, each.indexOf(":"))) }),
    ...(endpoint === undefined ? {} : { endpoints: Object.fromEntries(endpoint.map(pair)) }),
  };
}

function pair(text: string): [name: string, path: string] {
  const index = text.indexOf("=");
  return [text.slice(0, index), text.slice(index + 1)];
}
