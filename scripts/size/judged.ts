import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { home, type Report } from "../../schemas/index.ts";

const usage = fileURLToPath(new URL("../documents/usage.js", import.meta.url));

/** The result of a command: its exit code (null if it was killed), its processor time in seconds, and its memory. */
export interface CommandRun {
  code: number | null;
  seconds: number;
  mebibytes: number;
  /** Seconds of processor time beyond the deadline. */
  late?: number;
}

/** Runs a command of a built program with a deadline in seconds of processor time. It is killed 15 minutes plus 15 deadlines after its start. */
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

const judgeSource = `import { validator } from ${JSON.stringify(import.meta.resolve("@exodus/schemasafe"))};
const validators = new Map();
const withHttpIds = (text) =>
  text.replaceAll('"schema:/', '"http://schema.example/').replace(/"([$]?id|[$]ref)":"urn:/g, '"$1":"http://urn.example/');
export const claims = [];
export default (instance, { document, schema, schemas }) => {
  if (!validators.has(document)) {
    // It refuses schemas with a string as \`deprecated\`, formats of numbers, or a \`discriminator\`. None of these keywords asserts anything here.
    const isIdle = (name, value) =>
      ((name === "deprecated" || name === "format") && typeof value === "string") || (name === "discriminator" && value?.propertyName);
    const usableSchemas = JSON.parse(withHttpIds(JSON.stringify(schemas)), (name, value) => (isIdle(name, value) ? undefined : value));
    const { $id: id } = JSON.parse(withHttpIds(JSON.stringify({ $id: schema })));
    const documentSchema = usableSchemas.find(({ $id }) => $id === id);
    validators.set(document, validator(documentSchema, { mode: "lax", schemas: usableSchemas, formatAssertion: false, contentValidation: false }));
  }
  return validators.get(document)(instance);
};
`;

/** The vectors that a validator judges differently, as lines of JSON. */
function formatDifferences(name: string, { runs }: Report): string {
  const differingResults = runs.flatMap(({ results }) => results).filter(({ outcome }) => outcome === "violates");
  const entries = differingResults.map(({ id, site, verdict, description, why }) => ({
    validator: name,
    id,
    site,
    verdict,
    description,
    why,
  }));
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

function reportIn(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Report;
  } catch {
    return undefined;
  }
}

/**
 * Counts the vectors of a pack that @exodus/schemasafe and Python's `jsonschema` judge differently, by validator; null if a validator could
 * not be run. Writes into the folder that contains the pack. `list` is a file to which these vectors are appended.
 */
export function foreignVerdicts(
  program: string,
  pack: string,
  { deadline, list }: { deadline: number; list?: string },
): Record<string, number | null> {
  const folder = join(pack, "..");
  const module = join(folder, "judge.mjs");
  writeFileSync(module, judgeSource);
  const python = `python3 -W ignore ${join(home, "suites", "adapters", "python-jsonschema.py")}`;
  const countDifferences = (name: string, target: readonly string[]): number | null => {
    const report = join(folder, `${name}.json`);
    // A validator compiles the schema for its first vector, which is slow.
    const limits = ["--timeout", String(deadline * 1000), "--deadline", String(deadline)];
    runCommand(program, ["run", pack, ...target, "--report", `json=${report}`, ...limits], deadline);
    const answeredReport = reportIn(report);
    if (answeredReport === undefined || answeredReport.counts.conforms + answeredReport.counts.violates === 0)
      return null;
    if (list !== undefined) appendFileSync(list, formatDifferences(name, answeredReport));
    return answeredReport.counts.violates;
  };
  return {
    schemasafe: countDifferences("schemasafe", ["--module", module]),
    jsonschema: countDifferences("jsonschema", ["--command", python]),
  };
}
