import { Worker } from "node:worker_threads";
import { type Json, type Protocol, TargetFailure, TouchstoneError } from "../../../schemas/index.ts";
import { importTime } from "../../import/importing.ts";
import { tsxFor } from "../../import/typescript.ts";
import { quote, showError } from "../../text/show.ts";
import type { Ear, Peer } from "../line/peer.ts";
import { tail } from "../tail.ts";
import type { About } from "./import.ts";
import type { Said } from "./judges.ts";

export interface ThreadData {
  file: string;
  protocol: string;
  version: string;
  schemas: readonly unknown[];
  /** The number of the question being worked on, or 0. */
  busy: Int32Array;
}

/** Number, document, schema, the instance or its text, and whether that is YAML. */
export type Asked = [seq: number, document: string, schema: string, instance: Json | Uint8Array, yaml?: true];
export type FromThread = { ready: About } | { said: [number, Said][] };

/** What is put to a module: a question without its number. */
export interface ModuleQuestion {
  document: string;
  schema: string;
  instance: Json | Uint8Array;
  yaml?: true;
}

/** Starts a thread that has imported the module. Throws a target error when the module cannot be imported or is no validator. */
export function startThread(
  file: string,
  { name: protocol, version, schemas }: Protocol,
  ear: Ear,
  signal: AbortSignal,
): Promise<{ peer: Peer<ModuleQuestion>; about: About }> {
  const busy = new Int32Array(new SharedArrayBuffer(4));
  const workerData: ThreadData = { file, protocol, version, schemas, busy };
  // What the module prints must not get between the lines of a report.
  const worker = new Worker(entry(), { workerData, stdout: true, stderr: true });
  const printed = tail(worker.stdout, worker.stderr);
  let batch: Asked[] = [];

  const peer: Peer<ModuleQuestion> = {
    ask(seq, { document, schema, instance, yaml }) {
      if (batch.length === 0) queueMicrotask(send);
      batch.push(yaml === undefined ? [seq, document, schema, instance] : [seq, document, schema, instance, yaml]);
    },
    busy: () => Atomics.load(busy, 0) || undefined,
    stop: async () => void (await worker.terminate()),
    kill: () => void worker.terminate(),
  };
  // The copy that a message makes is the module's own: what it does to an instance is seen by nobody else.
  const send = (): void => {
    const questions = batch;
    batch = [];
    try {
      worker.postMessage(questions);
    } catch (error) {
      ear.lost("send", `cannot be copied to the thread: ${showError(error)}`);
    }
  };

  return new Promise((resolve, reject) => {
    const settled = new AbortController();
    const fail = (what: string): void => {
      settled.abort();
      peer.kill();
      reject(new TouchstoneError("target", `cannot use this module: ${what}${printed()}`, { where: file }));
    };
    const timer = setTimeout(() => fail(`it was not imported within ${importTime / 1000} s`), importTime);
    settled.signal.addEventListener("abort", () => clearTimeout(timer));
    signal.addEventListener("abort", () => fail("it was closed"), { signal: settled.signal });

    let dying: string | undefined;
    worker.on("message", (message: FromThread) => {
      if ("ready" in message) {
        settled.abort();
        resolve({ peer, about: message.ready });
      } else for (const [seq, said] of message.said) ear.answered(seq, heard(said));
    });
    worker.on("error", (error) => {
      dying = error.name === "Error" ? quote(error.message, 400) : showError(error);
    });
    worker.on("exit", (code) => {
      if (!settled.signal.aborted) fail(dying ?? `it ended its thread with exit code ${code}`);
      else ear.lost("crash", `the module ended its thread: ${dying ?? `exit code ${code}`}${printed()}`);
    });
  });
}

function heard(said: Said): Parameters<Ear["answered"]>[1] {
  if ("stage" in said) return new TargetFailure("errored", said.stage, said.message);
  return { verdict: said.valid ? "accepted" : "rejected", reasons: said.reasons };
}

/** The thread's program; from source it begins by registering tsx. */
function entry(): URL {
  const source = import.meta.url.endsWith(".ts");
  const worker = new URL(source ? "./worker.ts" : "./worker.js", import.meta.url);
  if (!source) return worker;
  const hooks = tsxFor(worker).map((each) => `(await import("${each}")).register();`);
  const program = `${hooks.join("\n")}\nawait import("${worker.href}");`;
  return new URL(`data:text/javascript,${encodeURIComponent(program)}`);
}
