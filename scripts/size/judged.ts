import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { home, type Report } from "../../schemas/index.ts";

const usage = fileURLToPath(new URL("../documents/usage.js", import.meta.url));

/** The end of a command: its exit code (null if it was killed), seconds of the processor, and its memory. */
export interface CommandRun {
  code: number | null;
  seconds: number;
  mebibytes: number;
  /** Seconds of the processor beyond its deadline. */
  late?: number;
}

/** Runs a command of a built program with a deadline in seconds of the processor; it is killed after a quarter of an hour and 15 times that, by the clock. */
export function runCommand(program: string, args: readonly string[], deadline: number): CommandRun {
  const { status, stderr, signal } = spawnSync(process.execPath, ["--import", usage, program, ...args], {
    encoding: "utf8",
    timeout: 15 * (60 + deadline) * 1000,
    killSignal: "SIGKILL",
    maxBuffer: 2 ** 26,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const lastLine = stderr.trimEnd().split("\n").at(-1) ?? "";
  const { seconds = 0, mebibytes = 0 } = lastLine.startsWith("{") ? (JSON.parse(lastLine) as Partial<CommandRun>) : {};
  const late = Math.max(0, seconds - deadline);
  return { code: signal === null ? status : null, seconds, mebibytes, late };
}

const judge = `import { validator } from ${JSON.stringify(import.meta.resolve("@exodus/schemasafe"))};
const known = new Map();
const placed = (text) =>
  text.replaceAll('"schema:/', '"http://schema.example/').replace(/"([$]?id|[$]ref)":"urn:/g, '"$1":"http://urn.example/');
export const claims = [];
export default (instance, { document, schema, schemas }) => {
  if (!known.has(document)) {
    // It refuses \`deprecated\` that is a text, formats of numbers, and kinds of \`discriminator\`; none of them asserts anything here.
    const isIdle = (name, value) =>
      ((name === "deprecated" || name === "format") && typeof value === "string") || (name === "discriminator" && value?.propertyName);
    const all = JSON.parse(placed(JSON.stringify(schemas)), (name, value) => (isIdle(name, value) ? undefined : value));
    const { $id: id } = JSON.parse(placed(JSON.stringify({ $id: schema })));
    const own = all.find(({ $id }) => $id === id);
    known.set(document, validator(own, { mode: "lax", schemas: all, formatAssertion: false, contentValidation: false }));
  }
  return known.get(document)(instance);
};
`;

/** Results that a validator judges otherwise than the vectors, as lines of JSON. */
function linesOf(name: string, { runs }: Report): string {
  const differing = runs.flatMap(({ results }) => results).filter(({ outcome }) => outcome === "violates");
  const entries = differing.map(({ id, site, verdict, description, why }) => ({
    validator: name,
    id,
    site,
    verdict,
    description,
    why,
  }));
  return entries.map((each) => `${JSON.stringify(each)}\n`).join("");
}

function reportIn(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Report;
  } catch {
    return undefined;
  }
}

/**
 * How many vectors of a pack @exodus/schemasafe and Python's `jsonschema` judge otherwise, by name; null if a validator could not be asked. Writes
 * into the folder in which the pack is. `list`: a file to which these vectors are added, each as a line.
 */
export function foreignVerdicts(
  program: string,
  pack: string,
  { deadline, list }: { deadline: number; list?: string },
): Record<string, number | null> {
  const folder = join(pack, "..");
  const module = join(folder, "judge.mjs");
  writeFileSync(module, judge);
  const python = `python3 -W ignore ${join(home, "suites", "adapters", "python-jsonschema.py")}`;
  const countDifferences = (name: string, target: readonly string[]): number | null => {
    const report = join(folder, `${name}.json`);
    // A validator compiles the schema when it is first asked, which is slow.
    const limits = ["--timeout", String(deadline * 1000), "--deadline", String(deadline)];
    runCommand(program, ["run", pack, ...target, "--report", `json=${report}`, ...limits], deadline);
    const answeredReport = reportIn(report);
    if (answeredReport === undefined || answeredReport.counts.conforms + answeredReport.counts.violates === 0)
      return null;
    if (list !== undefined) appendFileSync(list, linesOf(name, answeredReport));
    return answeredReport.counts.violates;
  };
  return {
    schemasafe: countDifferences("schemasafe", ["--module", module]),
    jsonschema: countDifferences("jsonschema", ["--command", python]),
  };
}
