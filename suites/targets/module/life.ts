import type { Readable, Writable } from "node:stream";
import { type Json, type Protocol, TouchstoneError } from "../../../schemas/index.ts";
import { importTimeout } from "../../base/import/module-import.ts";
import { killGroup, spawnGroup } from "../../base/process/group.ts";
import { nodeArgumentsFor } from "../../base/process/own-program.ts";
import { quote, showError } from "../../base/text/show.ts";
import { createLineReader, maxLineLength } from "../command/lines.ts";
import type { Listener, Worker } from "../connection/worker.ts";
import { keepTail } from "../tail.ts";
import { type AskedQuestion, type ModuleTask, maxHeap } from "./channel.ts";
import type { AboutModule } from "./import.ts";
import { aboutFrom, parseModuleLine, readObservation } from "./module-lines.ts";

/** The message to a module: a question without its number. */
export interface ModuleQuestion {
  document: string;
  schema: string;
  instance: Json | Uint8Array;
  yaml?: true;
}

/** Starts a process that has imported the module. Throws a target error if the module cannot be imported or is not a validator. */
export function startModule(
  file: string,
  { name: protocol, version, schemas }: Protocol,
  listener: Listener,
  signal: AbortSignal,
): Promise<{ worker: Worker<ModuleQuestion>; about: AboutModule }> {
  // Output of the module must not appear between the lines of a report.
  const child = spawnGroup(
    process.execPath,
    [`--max-old-space-size=${maxHeap}`, ...flags(), ...nodeArgumentsFor("./runner", import.meta.url)],
    {
      stdio: ["ignore", "pipe", "pipe", "pipe", "pipe", "pipe"],
    },
  );
  const [, stdout, stderr, questionStream, answerStream, watcherStream] = child.stdio as unknown as [
    null,
    Readable,
    Readable,
    Writable,
    Readable,
    Readable,
  ];
  const outputTail = keepTail(stdout, stderr);
  const kill = (): void => killGroup(child);
  const closeStreams = (): void => {
    for (const stream of [stdout, stderr, answerStream, watcherStream]) stream.destroy();
  };
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`it could not be started: ${error.message}`));
    child.once("close", (code, endSignal) => resolve(endSignal === null ? `exit code ${code}` : endSignal));
    // A process that left the group may still keep the pipes open.
    child.once("exit", () => setTimeout(closeStreams, 200).unref());
  });
  for (const stream of [questionStream, answerStream, watcherStream]) stream.on("error", () => {});

  let busy: number | undefined;
  let memory: number | undefined;
  let dying: string | undefined;
  let batch: AskedQuestion[] = [];
  const write = (value: ModuleTask | AskedQuestion[]): void => {
    questionStream.write(`${JSON.stringify(value)}\n`);
  };
  const worker: Worker<ModuleQuestion> = {
    ask(seq, { document, schema, instance, yaml }) {
      if (batch.length === 0) queueMicrotask(send);
      const instanceMessage =
        instance instanceof Uint8Array ? { bytes: Buffer.from(instance).toString("base64") } : { data: instance };
      batch.push(
        yaml === undefined ? [seq, document, schema, instanceMessage] : [seq, document, schema, instanceMessage, yaml],
      );
    },
    busy: () => busy,
    async stop() {
      kill();
      await ended;
    },
    kill,
  };
  // Sending makes a copy, which the module may change.
  const send = (): void => {
    const questions = batch;
    batch = [];
    try {
      write(questions);
    } catch (error) {
      listener.lost("send", `cannot be copied to the module: ${showError(error)}`);
    }
  };

  return new Promise((resolve, reject) => {
    const readyEnd = new AbortController();
    const failStart = (problem: string): void => {
      readyEnd.abort();
      kill();
      const hint = problem.startsWith("SyntaxError") ? { hint: "repair that line: Node cannot parse the module" } : {};
      reject(
        new TouchstoneError("target", `cannot use this module: ${problem}${outputTail()}`, { where: file, ...hint }),
      );
    };
    const timer = setTimeout(() => failStart(`it was not imported within ${importTimeout / 1000} s`), importTimeout);
    readyEnd.signal.addEventListener("abort", () => clearTimeout(timer));
    signal.addEventListener("abort", () => failStart("it was closed"), { signal: readyEnd.signal });
    const loseModule = (problem: string): void => {
      if (readyEnd.signal.aborted) listener.lost("protocol", `${problem}${outputTail()}`);
      else failStart(problem);
    };

    /** Any code within the module may have written the line: lines other than answers are ignored, and return false. */
    const receive = ({ ready, said, dying: why }: Record<string, unknown>): boolean => {
      if (typeof why === "string") {
        dying = quote(why, 1000);
        return true;
      }
      if (readyEnd.signal.aborted) {
        busy = undefined;
        return (
          Array.isArray(said) &&
          said.map(readObservation).every((each) => each !== undefined && listener.answered(...each))
        );
      }
      const about = aboutFrom(ready);
      if (about === undefined) return false;
      readyEnd.abort();
      resolve({ worker, about });
      return true;
    };
    onLines(answerStream, (line) => {
      const message = line === undefined ? undefined : parseModuleLine(line);
      if (line === undefined) loseModule(`it wrote more than ${maxLineLength / 2 ** 20} MiB`);
      else if (message === undefined || !receive(message))
        loseModule("the module wrote something that is not an answer");
    });
    onLines(watcherStream, (line) => {
      const parsedLine = line === undefined ? undefined : parseModuleLine(line);
      if (typeof parsedLine?.busy === "number") busy = parsedLine.busy;
      if (typeof parsedLine?.memory === "number") memory = parsedLine.memory;
    });
    void ended.then((endText) => {
      const why = memory === undefined ? (dying ?? endText) : `it used ${Math.round(memory / 2 ** 20)} MiB of memory`;
      if (!readyEnd.signal.aborted) failStart(dying ?? `it ended its process: ${endText}`);
      else listener.lost("crash", `the module ended its process: ${why}${outputTail()}`);
    });
    write({ file, protocol, version, schemas });
  });
}

function onLines(stream: Readable, hear: (line: string | undefined) => void): void {
  const { push } = createLineReader(hear);
  stream.on("data", (chunk: Buffer) => {
    if (push(chunk)) return;
    stream.destroy();
    hear(undefined);
  });
}

/** Node's own options that affect how modules are loaded; other options belong to this process. */
function flags(): string[] {
  const pairs = /^(--import|--require|-r|--loader|--experimental-loader|--conditions|-C)$/;
  return process.execArgv.flatMap((flag, index, options) => {
    if (pairs.test(flag)) return [flag, options[index + 1] as string];
    return /^--(import|require|loader|experimental-|conditions|no-warnings|enable-source-maps)/.test(flag)
      ? [flag]
      : [];
  });
}
