import { protocolNamed } from "../../../../../schemas/index.ts";
import { messagesIn } from "../../scenarios/subscribing/frames.ts";
import { channelOf } from "./channel.ts";
import { openProducer } from "./open.ts";
import { start } from "./work.ts";

/** Speaks JSON-RPC 2.0 over standard input and output with one subscriber, and starts a session for it. */
export async function speak(variant: string | undefined, choices: readonly string[] = []): Promise<void> {
  const { producer, isWhole } = await openProducer(protocolNamed("aaep"), {
    variant,
    manifestUri: "https://harbour.example/manifest",
    principals: [],
    choices,
  });
  const { clock, policy } = producer;
  const write = (message: object): void => void process.stdout.write(policy.inLines(message));
  let asked: string | number | undefined;
  const channel = channelOf(producer, isWhole, undefined, {
    send(message) {
      const isAnswer = asked !== undefined && String(message.type).startsWith("subscription.");
      write({
        jsonrpc: "2.0",
        ...(isAnswer ? { id: asked, result: message } : { method: "aaep.event", params: message }),
      });
      if (isAnswer) asked = undefined;
    },
    end: () => process.exit(0),
  });
  process.stdin.on(
    "data",
    messagesIn("lines", (text) => {
      const { id, method, params } = JSON.parse(text);
      if (method === "aaep.ping") return write({ jsonrpc: "2.0", id, result: {} });
      asked = id;
      channel.take(JSON.stringify(params));
      if (method === "aaep.subscribe") start(producer, { task: "plain" });
    }),
  );
  process.stdin.on("end", () => {
    clock.close();
    process.exit(0);
  });
}
