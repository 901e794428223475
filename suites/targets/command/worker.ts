import { type CheckMessage, type HelloMessage, type StopMessage, TouchstoneError } from "../../../schemas/index.ts";
import { quote } from "../../base/text/show.ts";
import type { Listener, Worker } from "../connection/worker.ts";
import { answerFrom, parseLine } from "./answer.ts";
import { maxLineLength } from "./lines.ts";
import { startProcess } from "./process.ts";

/** A question without its number. */
export type CommandCheck = Omit<CheckMessage, "command" | "seq">;

/** The time limit for the answer to hello, in milliseconds. */
const helloTimeoutMs = 30_000;

const hint =
  'its first line on stdout must be {"ready":true}, flushed at once (flush=True in Python, $stdout.sync = true in Ruby, fflush in C); anything for people goes to stderr';

/** Starts the command and sends hello. Throws a target error if the answer is not a valid one. */
export function startWorker(
  command: string,
  hello: HelloMessage,
  listener: Listener,
  signal: AbortSignal,
): Promise<{ worker: Worker<CommandCheck>; hello: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const greetingEnd = new AbortController();

    const loseWorker = (stage: string, what: string): void => {
      const why = `${what}${adapter.outputTail()}`;
      if (greetingEnd.signal.aborted) {
        listener.lost(stage, why, adapter.exitCode());
        return;
      }
      greetingEnd.abort();
      adapter.kill();
      reject(
        new TouchstoneError("target", `the command did not answer the message hello: ${why}`, { where: command, hint }),
      );
    };

    const adapter = startProcess(command, (line) => {
      if (line === undefined)
        return loseWorker("protocol", `it wrote a line of more than ${maxLineLength / 2 ** 20} MiB`);
      const message = parseLine(line);
      if (message === undefined)
        return loseWorker("protocol", `it wrote a line that is not a JSON object: ${quote(line)}`);
      if (greetingEnd.signal.aborted) return receive(message, line);
      if (message.ready !== true) return loseWorker("hello", `it wrote ${quote(line)}`);
      greetingEnd.abort();
      resolve({ worker, hello: message });
    });
    const say = (message: HelloMessage | CheckMessage | StopMessage): void => adapter.write(JSON.stringify(message));

    const receive = (message: Record<string, unknown>, line: string): void => {
      const { seq } = message;
      if (typeof seq === "number" && listener.answered(seq, answerFrom(message, line))) return;
      loseWorker("protocol", `it wrote an answer to no open question: ${quote(line)}`);
    };

    const worker: Worker<CommandCheck> = {
      ask: (seq, check) => say({ command: "check", seq, ...check }),
      stop() {
        say({ command: "stop" });
        return adapter.finish();
      },
      kill: adapter.kill,
    };

    const timer = setTimeout(() => loseWorker("hello", `it was silent for ${helloTimeoutMs / 1000} s`), helloTimeoutMs);
    greetingEnd.signal.addEventListener("abort", () => clearTimeout(timer));
    signal.addEventListener("abort", () => loseWorker("hello", "it was closed"), { signal: greetingEnd.signal });
    void adapter.ended.then((what) =>
      loseWorker("crash", adapter.exitCode() === 0 ? `${what} before its input ended` : what),
    );
    say(hello);
  });
}
