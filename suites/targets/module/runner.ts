import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { tsxModulesFor } from "../../base/import/typescript.ts";
import { showError } from "../../base/text/show.ts";
import { createLineReader } from "../command/lines.ts";
import {
  type AskedQuestion,
  channelNumbers,
  type FromModule,
  type ModuleInstance,
  type ModuleTask,
  maxMemory,
} from "./channel.ts";
import { loadModule } from "./import.ts";
import { type Context, judgeFor, type ModuleJudge, type ModuleJudges, type ModuleResult } from "./judges.ts";
import type { WatcherData } from "./watcher.ts";

// This is the process of a user's module. Questions and answers are sent in batches, because a message between processes takes as long as many validations.

/** Answers are held back until there are this many, or for these milliseconds. */
const batchSize = 64;
const maxDelayMs = 5;

const sendLine = (message: FromModule): void => {
  const line = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let writtenBytes = 0; writtenBytes < line.length; )
    writtenBytes += writeSync(channelNumbers.answers, line, writtenBytes);
};

const crash = (error: unknown): void => {
  sendLine({ dying: error instanceof Error && error.name === "Error" ? error.message : showError(error) });
  process.exit(1);
};
process.on("uncaughtException", crash);

const busy = new Int32Array(new SharedArrayBuffer(4));
// This worker has exactly one module, so its state is that of the thread.
let task: ModuleTask | undefined;
let judges: ModuleJudges | undefined;
let batch: [number, ModuleResult][] = [];
let flushedAt = performance.now();

const flush = (): void => {
  flushedAt = performance.now();
  if (batch.length === 0) return;
  const sentBatch = batch;
  batch = [];
  sendLine({ said: sentBatch });
};

const instanceOf = (instance: ModuleInstance): unknown =>
  "bytes" in instance ? new Uint8Array(Buffer.from(instance.bytes, "base64")) : instance.data;

const answer = (
  { protocol, version, schemas }: ModuleTask,
  [seq, document, schema, given, yaml]: AskedQuestion,
): void => {
  const context: Context = { document, schema, protocol, version, schemas, ...(yaml === undefined ? {} : { yaml }) };
  const verdict = (judgeFor(judges as ModuleJudges, { name: document, schema }) as ModuleJudge)(
    instanceOf(given),
    context,
  );
  if (!(verdict instanceof Promise)) {
    batch.push([seq, verdict]);
    return;
  }
  void verdict.then((lateVerdict) => {
    batch.push([seq, lateVerdict]);
    setImmediate(flush);
  });
};

const start = async (firstTask: ModuleTask): Promise<void> => {
  task = firstTask;
  watch();
  const loadedModule = await loadModule(pathToFileURL(firstTask.file));
  judges = loadedModule.judges;
  sendLine({ ready: loadedModule.about });
};

const { push } = createLineReader((line) => {
  const message = JSON.parse(line as string) as ModuleTask | AskedQuestion[];
  if (!Array.isArray(message)) {
    start(message).catch(crash);
    return;
  }
  for (const askedQuestion of message) {
    Atomics.store(busy, 0, askedQuestion[0]);
    answer(task as ModuleTask, askedQuestion);
    if (batch.length >= batchSize || performance.now() - flushedAt > maxDelayMs) flush();
  }
  Atomics.store(busy, 0, 0);
  flush();
});

const input = new Socket({ fd: channelNumbers.questions, readable: true, writable: false });
input.on("data", push);
// The asking process is gone.
input.on("end", () => process.exit());

function watch(): void {
  const isSource = import.meta.url.endsWith(".ts");
  const watcher = new URL(isSource ? "./watcher.ts" : "./watcher.js", import.meta.url);
  const hooks = isSource ? tsxModulesFor(watcher).map((address) => `(await import("${address}")).register();`) : [];
  const program = isSource
    ? new URL(`data:text/javascript,${encodeURIComponent(`${hooks.join("\n")}\nawait import("${watcher.href}");`)}`)
    : watcher;
  const workerData: WatcherData = { busy, output: channelNumbers.observations, maxMemory };
  new Worker(program, { workerData, execArgv: [] }).unref();
}
