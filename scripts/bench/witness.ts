import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { isObject, type Json, TouchstoneError } from "../../schemas/index.ts";
import { median, round, table } from "./table.ts";
import type { WitnessReport } from "./witness-of.ts";

/** The maximum milliseconds for one schema, including the confirmation of its instance, which may keep Ajv busy for very long. */
const deadline = 60_000;

interface FailedWitness extends Pick<WitnessReport, "notes" | "loading" | "solving" | "why"> {
  outcome: "timed out" | "broke down";
}

type WitnessResult = WitnessReport | FailedWitness;

/**
 * Looks for a valid instance of every schema in folders and files, in one thread that is restarted if a schema takes too long.
 * Ajv judges the instances. If it cannot compile a schema, our evaluator does, and these instances are counted separately.
 */
export async function witness(args: readonly string[]): Promise<void> {
  const isVerbose = args.includes("--each");
  const files = args.filter((arg) => arg !== "--each").flatMap(schemaFiles);
  if (files.length === 0) {
    throw new TouchstoneError("usage", "bench witness needs folders or files of schemas", {
      hint: "npm run bench witness -- DIR|FILE… [--each]",
    });
  }
  const library: Record<string, Json> = {};
  const unreadable: string[] = [];
  const schemas: { file: string; address: string; schema: Json }[] = [];
  for (const file of files) {
    try {
      const schema = JSON.parse(readFileSync(file, "utf8").replace(/^\ufeff/, "")) as Json;
      const address = `https://witness.example${pathToFileURL(file).pathname}`;
      schemas.push({ file, address, schema });
      library[address] = schema;
      const id = isObject(schema) ? (schema.$id ?? schema.id) : undefined;
      if (typeof id === "string" && URL.canParse(id, address))
        library[new URL(id, address).href.replace(/#$/, "")] ??= schema;
    } catch (error) {
      unreadable.push(`${file}: ${(error as Error).message}`);
    }
  }
  const results: { file: string; result: WitnessResult }[] = [];
  let thread = await startThread(library);
  // The first schemas only warm up the program, and are measured again.
  for (const entry of [...schemas.slice(0, 20), ...schemas]) {
    const result = await thread.ask(entry);
    results.push({ file: entry.file, result });
    if (result.outcome !== "timed out" && result.outcome !== "broke down") continue;
    await thread.stop();
    thread = await startThread(library);
  }
  await thread.stop();
  report(results.slice(-schemas.length), unreadable, isVerbose);
}

/** The schemas in a folder and its subfolders, or the single file. */
function schemaFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

interface Thread {
  ask(question: { schema: Json; address: string }): Promise<WitnessResult>;
  stop(): Promise<unknown>;
}

/** Starts a thread with all documents that schemas may refer to. */
async function startThread(library: Record<string, Json>): Promise<Thread> {
  // Hyperjump prints some refusals.
  const options = { workerData: library, stdout: true, stderr: true };
  const worker = new Worker(new URL("witness-worker.js", import.meta.url), options);
  const failWith = (outcome: FailedWitness["outcome"], why: string): WitnessResult => ({
    outcome,
    why,
    notes: [],
    loading: 0,
    solving: deadline,
  });
  let settle: (result: WitnessResult) => void = () => {};
  worker.on("message", (result: WitnessResult) => settle(result));
  worker.on("error", (error) => settle(failWith("broke down", error.message.split("\n")[0] as string)));
  const untilSettled = () => new Promise<WitnessResult>((resolve) => (settle = resolve));
  await untilSettled();
  return {
    async ask({ schema, address }) {
      const pendingResult = untilSettled();
      const timer = setTimeout(() => settle(failWith("timed out", "")), deadline);
      worker.postMessage({ schema, address });
      const result = await pendingResult;
      clearTimeout(timer);
      return result;
    },
    stop: () => worker.terminate(),
  };
}

/** The result for one file. */
interface FileResult {
  file: string;
  result: WitnessResult;
}

function reportTimes(results: readonly FileResult[]): void {
  for (const [label, time] of [
    ["reading and compiling", ({ loading }: WitnessResult) => loading],
    ["solving", ({ solving }: WitnessResult) => solving],
    ["total", ({ loading, solving }: WitnessResult) => loading + solving],
  ] as const) {
    const times = results.map(({ result }) => time(result)).sort((a, b) => a - b);
    const p95 = times[Math.floor(times.length * 0.95)] ?? Number.NaN;
    console.log(
      `${label}: median ${round(median(times))} ms, p95 ${round(p95)} ms, at most ${round(times.at(-1) ?? Number.NaN)} ms`,
    );
  }
}

/** Prints the reasons why schemas have no confirmed witness, the most frequent first. */
function reportCauses(results: readonly FileResult[], isVerbose: boolean): void {
  const causes = new Map<string, string[]>();
  for (const { file, result } of results) {
    const refusal = "refused" in result ? result.refused : undefined;
    if (refusal === undefined && (result.outcome === "found" || result.outcome === "none")) continue;
    const cause = (refusal === undefined ? `${result.outcome}: ${result.why ?? ""}` : `refused: ${refusal}`).replace(
      /https:\/\/witness\.example\S*: /g,
      "",
    );
    const causeKind = isVerbose ? cause : cause.replace(/"[^"]*"|\/.*\//g, "…").slice(0, 110);
    causes.set(causeKind, [...(causes.get(causeKind) ?? []), file]);
  }
  const sortedCauses = [...causes].sort(([, a], [, b]) => b.length - a.length);
  if (sortedCauses.length > 0)
    console.log(
      `\n${table(
        ["cause", "schemas", "such as"],
        sortedCauses.map(([cause, files]) => [cause, String(files.length), files[0] as string]),
      )}`,
    );
}

function reportUnread(results: readonly FileResult[]): void {
  const notes = new Map<string, number>();
  for (const { result } of results) for (const label of result.notes) notes.set(label, (notes.get(label) ?? 0) + 1);
  if (notes.size > 0)
    console.log(
      `\n${table(
        ["not read literally", "schemas"],
        [...notes].map(([label, count]) => [label, String(count)]),
      )}`,
    );
}

function report(results: readonly FileResult[], unreadable: readonly string[], isVerbose: boolean): void {
  const withOutcome = (outcome: WitnessResult["outcome"]) => results.filter(({ result }) => result.outcome === outcome);
  const foundResults = withOutcome("found").map(({ result }) => result as WitnessReport);
  const countConfirmedBy = (confirmer: WitnessReport["by"]) =>
    foundResults.filter((witnessed) => witnessed.by === confirmer).length;
  const refusedCount = foundResults.filter((witnessed) => witnessed.refused !== undefined).length;
  const danglingCount = withOutcome("refers to a missing schema").length;
  const decidedCount = foundResults.length - refusedCount + withOutcome("none").length;
  const rows = [
    ["a witness that Ajv accepts", countConfirmedBy("Ajv")],
    ["a witness that our evaluator accepts, if Ajv cannot compile the schema", countConfirmedBy("our evaluator")],
    ["a witness that Hyperjump accepts and Ajv refuses", countConfirmedBy("Hyperjump")],
    ["proven to have no instance", withOutcome("none").length],
    ["a witness that is refused", refusedCount],
    ["gave up", withOutcome("gave up").length],
    [`unfinished after ${deadline / 1000} s`, withOutcome("timed out").length],
    ["broke down", withOutcome("broke down").length],
    ["unreadable", withOutcome("unreadable").length + unreadable.length],
    ["refers to a missing schema", danglingCount],
  ] as const;
  const schemaCount = results.length + unreadable.length;
  console.log(
    table(["", "schemas"], [...rows.map(([label, count]) => [label, String(count)]), ["all", String(schemaCount)]]),
  );
  const compiledUnchanged = foundResults.filter(({ acceptsUnchanged }) => acceptsUnchanged !== undefined);
  const acceptedCount = compiledUnchanged.filter(({ acceptsUnchanged }) => acceptsUnchanged).length;
  console.log(
    `\nAjv compiles ${compiledUnchanged.length} of the schemas unchanged, and accepts the witnesses of ${acceptedCount} of these`,
  );
  console.log(
    `decided: ${decidedCount} of ${schemaCount}, and of ${schemaCount - danglingCount} whose references can be resolved`,
  );
  reportTimes(results);
  reportCauses(results, isVerbose);
  reportUnread(results);
  for (const line of unreadable) console.log(line);
  if (isVerbose)
    for (const { file, result } of results)
      if (result.outcome === "none" || result.loading + result.solving > 100)
        console.log(`${file}: ${result.outcome}, ${round(result.loading)} + ${round(result.solving)} ms`);
}
