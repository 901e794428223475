import type { ChildProcess } from "node:child_process";
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

/** A question as it is sent to a module, without its number. */
export interface ModuleQuestion {
  document: string;
  schema: string;
  instance: Json | Uint8Array;
  yaml?: true;
}

/** A started module: the worker that answers questions, and what the module says of itself. */
export interface StartedModule {
  worker: Worker<ModuleQuestion>;
  about: AboutModule;
}

/** Starts a process that has imported the module. Throws a target error if the module cannot be imported or is not a validator. */
export function startModule(
  file: string,
  protocol: Protocol,
  listener: Listener,
  signal: AbortSignal,
): Promise<StartedModule> {
  return new ModuleProcess(file, listener).start(protocol, signal);
}

/** The milliseconds for which an ended process may keep its pipes open. */
const pipesEndMs = 200;

/** The process that imports a module and asks it questions. */
class ModuleProcess implements Worker<ModuleQuestion> {
  readonly #file: string;
  readonly #listener: Listener;
  readonly #child: ChildProcess;
  readonly #questions: Writable;
  readonly #outputTail: () => string;
  /** Resolves with a description of the end of the process. */
  readonly #ended: Promise<string>;
  /** Aborted when the module is imported, or when the start has failed. */
  readonly #startEnd = new AbortController();
  #succeed: (started: StartedModule) => void = () => {};
  #reject: (error: TouchstoneError) => void = () => {};
  #busy: number | undefined;
  /** The bytes of memory that the module used when it was killed for using too many. */
  #memory: number | undefined;
  /** The module's own reason for its end. */
  #reasonForEnd: string | undefined;
  #batch: AskedQuestion[] = [];

  constructor(file: string, listener: Listener) {
    this.#file = file;
    this.#listener = listener;
    const nodeArguments = [
      `--max-old-space-size=${maxHeap}`,
      ...loadingFlags(),
      ...nodeArgumentsFor("./runner", import.meta.url),
    ];
    // Output of the module must not appear between the lines of a report.
    const child = spawnGroup(process.execPath, nodeArguments, {
      stdio: ["ignore", "pipe", "pipe", "pipe", "pipe", "pipe"],
    });
    const [, stdout, stderr, questions, answers, watcher] = child.stdio as unknown as [
      null,
      Readable,
      Readable,
      Writable,
      Readable,
      Readable,
    ];
    this.#child = child;
    this.#questions = questions;
    this.#outputTail = keepTail(stdout, stderr);
    this.#ended = endOf(child, [stdout, stderr, answers, watcher]);
    for (const stream of [questions, answers, watcher]) stream.on("error", () => {});
    onLines(answers, (line) => this.#readAnswer(line));
    onLines(watcher, (line) => this.#readState(line));
    void this.#ended.then((endText) => this.#handleEnd(endText));
  }

  start({ name: protocol, version, schemas }: Protocol, signal: AbortSignal): Promise<StartedModule> {
    return new Promise((resolve, reject) => {
      this.#succeed = resolve;
      this.#reject = reject;
      const seconds = importTimeout / 1000;
      const timer = setTimeout(() => this.#failStart(`it was not imported within ${seconds} s`), importTimeout);
      this.#startEnd.signal.addEventListener("abort", () => clearTimeout(timer));
      signal.addEventListener("abort", () => this.#failStart("it was closed"), { signal: this.#startEnd.signal });
      this.#write({ file: this.#file, protocol, version, schemas });
    });
  }

  ask(seq: number, { document, schema, instance, yaml }: ModuleQuestion): void {
    if (this.#batch.length === 0) queueMicrotask(() => this.#sendBatch());
    const message =
      instance instanceof Uint8Array ? { bytes: Buffer.from(instance).toString("base64") } : { data: instance };
    this.#batch.push(yaml === undefined ? [seq, document, schema, message] : [seq, document, schema, message, yaml]);
  }

  busy(): number | undefined {
    return this.#busy;
  }

  async stop(): Promise<void> {
    this.kill();
    await this.#ended;
  }

  kill(): void {
    killGroup(this.#child);
  }

  get #hasStartEnded(): boolean {
    return this.#startEnd.signal.aborted;
  }

  /** Sends the questions. This copies their instances, so the module may change them. */
  #sendBatch(): void {
    const questions = this.#batch;
    this.#batch = [];
    try {
      this.#write(questions);
    } catch (error) {
      this.#listener.lost("send", `cannot be copied to the module: ${showError(error)}`);
    }
  }

  #write(value: ModuleTask | AskedQuestion[]): void {
    this.#questions.write(`${JSON.stringify(value)}\n`);
  }

  #failStart(problem: string): void {
    this.#startEnd.abort();
    this.kill();
    const hint = problem.startsWith("SyntaxError") ? { hint: "repair that line: Node cannot parse the module" } : {};
    const message = `cannot use this module: ${problem}${this.#outputTail()}`;
    this.#reject(new TouchstoneError("target", message, { where: this.#file, ...hint }));
  }

  #loseModule(problem: string): void {
    if (this.#hasStartEnded) this.#listener.lost("protocol", `${problem}${this.#outputTail()}`);
    else this.#failStart(problem);
  }

  #readAnswer(line: string | undefined): void {
    const message = line === undefined ? undefined : parseModuleLine(line);
    if (line === undefined) this.#loseModule(`it wrote more than ${maxLineLength / 2 ** 20} MiB`);
    else if (message === undefined || !this.#receive(message))
      this.#loseModule("the module wrote something that is not an answer");
  }

  /** Handles a line that any code within the module may have written. Returns false if it is not an answer, and the module is then lost. */
  #receive({ ready, said, dying: reason }: Record<string, unknown>): boolean {
    if (typeof reason === "string") {
      this.#reasonForEnd = quote(reason, 1000);
      return true;
    }
    if (this.#hasStartEnded) {
      this.#busy = undefined;
      return (
        Array.isArray(said) &&
        said
          .map(readObservation)
          .every((observation) => observation !== undefined && this.#listener.answered(...observation))
      );
    }
    const about = aboutFrom(ready);
    if (about === undefined) return false;
    this.#startEnd.abort();
    this.#succeed({ worker: this, about });
    return true;
  }

  #readState(line: string | undefined): void {
    const state = line === undefined ? undefined : parseModuleLine(line);
    if (typeof state?.busy === "number") this.#busy = state.busy;
    if (typeof state?.memory === "number") this.#memory = state.memory;
  }

  #handleEnd(endText: string): void {
    const reason = this.#reasonForEnd;
    if (!this.#hasStartEnded) {
      this.#failStart(reason ?? `it ended its process: ${endText}`);
      return;
    }
    const why =
      this.#memory === undefined ? (reason ?? endText) : `it used ${Math.round(this.#memory / 2 ** 20)} MiB of memory`;
    this.#listener.lost("crash", `the module ended its process: ${why}${this.#outputTail()}`);
  }
}

/** Resolves with a description when a process has ended. */
function endOf(child: ChildProcess, streams: readonly Readable[]): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(`it could not be started: ${error.message}`));
    child.once("close", (code, signal) => resolve(signal === null ? `exit code ${code}` : signal));
    // A process that left the group may still keep the pipes open.
    const closeStreams = (): void => {
      for (const stream of streams) stream.destroy();
    };
    child.once("exit", () => setTimeout(closeStreams, pipesEndMs).unref());
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

/** Returns the Node options of this process that affect how modules are loaded. */
function loadingFlags(): string[] {
  const flagsWithValue = /^(--import|--require|-r|--loader|--experimental-loader|--conditions|-C)$/;
  return process.execArgv.flatMap((flag, index, options) => {
    if (flagsWithValue.test(flag)) return [flag, options[index + 1] as string];
    return /^--(import|require|loader|experimental-|conditions|no-warnings|enable-source-maps)/.test(flag)
      ? [flag]
      : [];
  });
}
