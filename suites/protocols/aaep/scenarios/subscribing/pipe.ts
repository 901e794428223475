import { spawn } from "node:child_process";
import { connect } from "node:net";
import {
  isObject,
  type Json,
  type JsonObject,
  type ScenarioContext,
  TargetFailure,
} from "../../../../../schemas/index.ts";
import { quote } from "../../../../base/text/show.ts";
import { boundOf } from "../bounds.ts";
import { isAnswer, subscriptionOn } from "./duplex-subscription.ts";
import { frameMessage, splitMessages } from "./frames.ts";
import { closeNote, type Inbox, openInbox } from "./inbox.ts";
import type { OpenSubscription, SubscriptionOptions } from "./open-subscription.ts";
import { requestOf } from "./request.ts";

/** Subscribes over a Unix socket, with the same framing throughout. */
export async function subscribeOverSocket(
  context: ScenarioContext,
  path: string,
  framing: "lines" | "length",
  options: SubscriptionOptions,
): Promise<OpenSubscription> {
  const { name = "subscriber" } = options;
  const inbox = openInbox(context, name);
  const socket = connect(path);
  context.closing(() => void socket.destroy());
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", (error) => reject(new TargetFailure("errored", "connect", `no socket: ${error.message}`)));
  });
  socket.on(
    "data",
    splitMessages(framing, (text) => inbox.push(text)),
  );
  socket.on("error", (error) => inbox.end(new TargetFailure("errored", "read", `the socket broke: ${error.message}`)));
  socket.on("close", () => inbox.end());
  const write = (text: string): void => {
    context.record({ from: name, to: "producer", text });
    socket.write(frameMessage(framing, text));
  };
  write(JSON.stringify(requestOf(context, options)));
  const answer = await inbox.waitFor(isAnswer);
  const cut = (): void => {
    context.record({ from: name, to: "producer", text: closeNote });
    socket.destroy();
  };
  return subscriptionOn({ inbox, options, answer, write, cut });
}

/** Starts a command, and subscribes by JSON-RPC, one message a line. */
export async function subscribeOverCommand(
  context: ScenarioContext,
  options: SubscriptionOptions,
): Promise<OpenSubscription> {
  const { name = "subscriber" } = options;
  const inbox = openInbox(context, name);
  const child = spawn(context.setting.command ?? "", {
    shell: true,
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // The command has ended by itself.
    }
  };
  context.closing(kill);
  child.on("error", (error) => inbox.end(new TargetFailure("errored", "start", `it does not start: ${error.message}`)));
  child.on("close", () => inbox.end());
  child.stdin.on("error", () => {});
  child.stdout.on(
    "data",
    splitMessages("lines", (text) => handleLine(inbox, text)),
  );
  const write = (message: JsonObject): void => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    context.record({ from: name, to: "producer", text });
    child.stdin.write(`${text}\n`);
  };
  write({ id: context.fresh("call"), method: "aaep.subscribe", params: requestOf(context, options) });
  const answer = await inbox.waitFor(
    isAnswer,
    boundOf(context, "start-up") / Math.min(1, context.setting.timeScale ?? 1),
  );
  return subscriptionOn({
    inbox,
    options,
    answer,
    write(text) {
      const params = JSON.parse(text) as JsonObject;
      const method = methodsByType[String(params.type)] ?? "aaep.reply";
      write({ ...(method === "aaep.renegotiate" ? { id: context.fresh("call") } : {}), method, params });
    },
    cut() {
      context.record({ from: name, to: "producer", text: closeNote });
      kill();
    },
  });
}

const methodsByType: Record<string, string> = {
  "subscription.renegotiate": "aaep.renegotiate",
  "subscription.close": "aaep.close",
};

/** Puts a line of JSON-RPC into the inbox: an event or an answer. Any other text is added unchanged, with a note about its fault. */
function handleLine(inbox: Inbox, text: string): void {
  let message: Json;
  try {
    message = JSON.parse(text) as Json;
  } catch {
    inbox.push(text, { profile: `is not JSON: ${quote(text, 100)}` });
    return;
  }
  const { jsonrpc, method, params, result, error } = isObject(message) ? message : {};
  if (jsonrpc !== "2.0") {
    inbox.push(text, { profile: `is not JSON-RPC 2.0: ${quote(text, 100)}` });
    return;
  }
  const isForeign = typeof method === "string" && !method.startsWith("aaep.");
  const content = JSON.stringify((method === undefined ? (result ?? error) : params) ?? null);
  inbox.push(content, isForeign ? { profile: `has the method ${method}` } : {}, text);
}
