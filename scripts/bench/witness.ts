import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { isObject, type Json, TouchstoneError } from "../../schemas/index.ts";
import { median, round, table } from "./table.ts";
import type { Witnessed } from "./witness-of.ts";

/** The milliseconds for one schema, and for confirming its instance, which Ajv may need much longer for: then it is stopped. */
const deadline = 60_000;

interface FailedWitness extends Pick<Witnessed, "told" | "loading" | "solving" | "why"> {
  outcome: "timed out" | "broke down";
}

type WitnessResult = Witnessed | FailedWitness;

/**
 * Looks for a valid instance of every schema in folders and files, separately, in one thread that is restarted if a schema needs
 * too long. Ajv judges the instances; if it cannot compile the schema, our evaluator does, and these are counted separately.
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
  const unread: string[] = [];
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
      unread.push(`${file}: ${(error as Error).message}`);
    }
  }
  const results: { file: string; result: WitnessResult }[] = [];
  let thread = await start(library);
  // The first schemas warm up the program: they are measured again.
  for (const each of [...schemas.slice(0, 20), ...schemas]) {
    const result = await thread.ask(each);
    results.push({ file: each.file, result });
    if (result.outcome !== "timed out" && result.outcome !== "broke down") continue;
    await thread.stop();
    thread = await start(library);
  }
  await thread.stop();
  report(results.slice(-schemas.length), unread, isVerbose);
}

/** A folder's schemas, also in folders below. */
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

/** Starts a thread that knows the documents to which schemas may refer. */
async function start(library: Record<string, Json>): Promise<Thread> {
  // Hyperjump prints some refusals.
  const options = { workerData: library, stdout: true, stderr: true };
  const worker = new Worker(new URL("witness-worker.js", import.meta.url), options);
  const failWith = (outcome: FailedWitness["outcome"], why: string): WitnessResult => ({
    outcome,
    why,
    told: [],
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
      const answered = untilSettled();
      const timer = setTimeout(() => settle(failWith("timed out", "")), deadline);
      worker.postMessage({ schema, address });
      const result = await answered;
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
  for (const [what, time] of [
    ["reading and compiling", ({ loading }: WitnessResult) => loading],
    ["solving", ({ solving }: WitnessResult) => solving],
    ["both", ({ loading, solving }: WitnessResult) => loading + solving],
  ] as const) {
    const times = results.map(({ result }) => time(result)).sort((a, b) => a - b);
    const p95 = times[Math.floor(times.length * 0.95)] ?? Number.NaN;
    console.log(
      `${what}: median ${round(median(times))} ms, p95 ${round(p95)} ms, at most ${round(times.at(-1) ?? Number.NaN)} ms`,
    );
  }
}

/** The obstacles to witnesses of schemas, most frequent first. */
function reportCauses(results: readonly FileResult[], isVerbose: boolean): void {
  const causes = new Map<string, string[]>();
  for (const { file, result } of results) {
    const refusal = "refused" in result ? result.refused : undefined;
    if (refusal === undefined && (result.outcome === "found" || result.outcome === "none")) continue;
    const cause = (refusal === undefined ? `${result.outcome}: ${result.why ?? ""}` : `refused: ${refusal}`).replace(
      /https:\/\/witness\.example\S*: /g,
      "",
    );
    const kind = isVerbose ? cause : cause.replace(/"[^"]*"|\/.*\//g, "…").slice(0, 110);
    causes.set(kind, [...(causes.get(kind) ?? []), file]);
  }
  const listed = [...causes].sort(([, a], [, b]) => b.length - a.length);
  if (listed.length > 0)
    console.log(
      `\n${table(
        ["cause", "schemas", "such as"],
        listed.map(([cause, where]) => [cause, String(where.length), where[0] as string]),
      )}`,
    );
}

function reportUnread(results: readonly FileResult[]): void {
  const told = new Map<string, number>();
  for (const { result } of results) for (const what of result.told) told.set(what, (told.get(what) ?? 0) + 1);
  if (told.size > 0)
    console.log(
      `\n${table(
        ["not read as it stands", "schemas"],
        [...told].map(([what, count]) => [what, String(count)]),
      )}`,
    );
}

function report(results: readonly FileResult[], unread: readonly string[], isVerbose: boolean): void {
  const of = (outcome: WitnessResult["outcome"]) => results.filter(({ result }) => result.outcome === outcome);
  const found = of("found").map(({ result }) => result as Witnessed);
  const by = (who: Witnessed["by"]) => found.filter((witnessed) => witnessed.by === who).length;
  const refused = found.filter((witnessed) => witnessed.refused !== undefined).length;
  const absent = of("refers to what is not there").length;
  const decided = found.length - refused + of("none").length;
  const rows = [
    ["a witness that Ajv accepts", by("Ajv")],
    ["a witness that our evaluator accepts, where Ajv cannot compile", by("our evaluator")],
    ["a witness that Hyperjump accepts and Ajv refuses", by("Hyperjump")],
    ["proven to have no instance", of("none").length],
    ["a witness that is refused", refused],
    ["gave up", of("gave up").length],
    [`not done after ${deadline / 1000} s`, of("timed out").length],
    ["broke down", of("broke down").length],
    ["no schema that can be read", of("not read").length + unread.length],
    ["refers to what is not there", absent],
  ] as const;
  const all = results.length + unread.length;
  console.log(table(["", "schemas"], [...rows.map(([what, count]) => [what, String(count)]), ["all", String(all)]]));
  const plain = found.filter(({ asItStands }) => asItStands !== undefined);
  const taken = plain.filter(({ asItStands }) => asItStands).length;
  console.log(`\nof ${plain.length} that Ajv compiles as they stand it accepts the witnesses of ${taken}`);
  console.log(`decided: ${decided} of ${all}, and of ${all - absent} whose references lead somewhere`);
  reportTimes(results);
  reportCauses(results, isVerbose);
  reportUnread(results);
  for (const line of unread) console.log(line);
  if (isVerbose)
    for (const { file, result } of results)
      if (result.outcome === "none" || result.loading + result.solving > 100)
        console.log(`${file}: ${result.outcome}, ${round(result.loading)} + ${round(result.solving)} ms`);
}
