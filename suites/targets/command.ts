import { type Capability, type Protocol, type Target, wireVersion } from "../../schemas/index.ts";
import { quote } from "../base/text/show.ts";
import { defaultConcurrency } from "./at-once.ts";
import { claimsFrom } from "./claims.ts";
import { checkOf } from "./command/check.ts";
import { type CommandCheck, startWorker } from "./command/worker.ts";
import { WorkerConnection } from "./connection/connection.ts";
import type { Start } from "./connection/worker.ts";

const slowReason =
  "the program ends after each answer and is started again for each vector, which is slow: let it answer line after line until its input ends (suites/guides/wire.md, A command)";

/** Creates a target for a command in any language that implements the wire protocol: one JSON text per line on stdin and stdout. `onSlow` is called at most once, with the reason for an avoidable delay. */
export function commandTarget(command: string, onSlow?: (why: string) => void): Target {
  let protocol: Protocol | undefined;
  let helloAnswer: Record<string, unknown> = {};
  let claims: Capability[] | undefined;

  const start: Start<CommandCheck> = async (listener, signal) => {
    const { name, version, schemas } = protocol as Protocol;
    const greeting = { command: "hello", touchstone: wireVersion, protocol: name, version, schemas } as const;
    const worker = await startWorker(command, greeting, listener, signal);
    helloAnswer = worker.hello;
    return worker.worker;
  };
  const connection = new WorkerConnection("the command", start, () => onSlow?.(slowReason));

  return {
    kind: "command",
    get name() {
      return typeof helloAnswer.name === "string" ? quote(helloAnswer.name) : command;
    },
    get claims() {
      return claims;
    },
    concurrency: defaultConcurrency.command,
    async open(openedProtocol) {
      protocol = openedProtocol;
      try {
        await connection.open();
        claims = claimsFrom(helloAnswer.claims ?? undefined, command);
      } catch (error) {
        await connection.close();
        throw error;
      }
    },
    skips: () => undefined,
    check: (question, signal) => connection.ask(checkOf(question), signal),
    lost: () => connection.lost,
    close: () => connection.close(),
  };
}
