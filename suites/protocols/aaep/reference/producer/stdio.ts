import { protocolNamed } from "../../../../../schemas/index.ts";
import { splitMessages } from "../../scenarios/subscribing/frames.ts";
import { channelOf } from "./channel.ts";
import { openProducer } from "./open.ts";
import { startSession } from "./work.ts";

/** Serves one subscriber by JSON-RPC 2.0 over standard input and output, and starts a session for it. */
export async function serveStdio(variant: string | undefined, choices: readonly string[] = []): Promise<void> {
  const { producer, isValid } = await openProducer(protocolNamed("aaep"), {
    variant,
    manifestUri: "https://harbour.example/manifest",
    principals: [],
    choices,
  });
  const { clock, policy } = producer;
  const write = (message: object): void => void process.stdout.write(policy.writeLine(message));
  let openRequestId: string | number | undefined;
  const channel = channelOf(producer, isValid, undefined, {
    send(message) {
      const isAnswer = openRequestId !== undefined && String(message.type).startsWith("subscription.");
      write({
        jsonrpc: "2.0",
        ...(isAnswer ? { id: openRequestId, result: message } : { method: "aaep.event", params: message }),
      });
      if (isAnswer) openRequestId = undefined;
    },
    end: () => process.exit(0),
  });
  process.stdin.on(
    "data",
    splitMessages("lines", (text) => {
      const { id, method, params } = JSON.parse(text);
      if (method === "aaep.ping") return write({ jsonrpc: "2.0", id, result: {} });
      openRequestId = id;
      channel.handle(JSON.stringify(params));
      if (method === "aaep.subscribe") startSession(producer, { task: "plain" });
    }),
  );
  process.stdin.on("end", () => {
    clock.close();
    process.exit(0);
  });
}
