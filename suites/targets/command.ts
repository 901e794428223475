import { type Capability, type Protocol, type Target, wireVersion } from "../../schemas/index.ts";
import { quote } from "../text/show.ts";
import { claimsFrom } from "./claims.ts";
import { checkOf } from "./command/check.ts";
import { type Check, startWorker } from "./command/worker.ts";
import { Connection } from "./connection/connection.ts";

/** A command in any language that speaks the wire protocol: one JSON text a line on stdin and stdout. */
export function commandTarget(command: string): Target {
  let protocol: Protocol | undefined;
  let hello: Record<string, unknown> = {};
  let claims: Capability[] | undefined;

  const adapter = new Connection<Check>("the command", async (listener, signal) => {
    const { name, version, schemas } = protocol as Protocol;
    const greeting = { command: "hello", touchstone: wireVersion, protocol: name, version, schemas } as const;
    const started = await startWorker(command, greeting, listener, signal);
    hello = started.hello;
    return started.worker;
  });

  return {
    kind: "command",
    get name() {
      return typeof hello.name === "string" ? quote(hello.name) : command;
    },
    get claims() {
      return claims;
    },
    concurrency: 16,
    async open(opened) {
      protocol = opened;
      try {
        await adapter.open();
        claims = claimsFrom(hello.claims ?? undefined, command);
      } catch (error) {
        await adapter.close();
        throw error;
      }
    },
    skips: () => undefined,
    check: (question, signal) => adapter.ask(checkOf(question), signal),
    close: () => adapter.close(),
  };
}
