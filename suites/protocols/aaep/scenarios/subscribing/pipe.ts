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
import { isAnswer, lineOn } from "./duplex.ts";
import { frameMessage, messagesIn } from "./frames.ts";
import { closes, type Inbox, inboxOf } from "./inbox.ts";
import type { Line, SubscriptionWishes } from "./line.ts";
import { requestOf } from "./request.ts";

/** Speaks over a Unix socket, with the same framing throughout. */
export async function overSocket(
  context: ScenarioContext,
  path: string,
  framing: "lines" | "length",
  wanted: SubscriptionWishes,
): Promise<Line> {
  const { name = "subscriber" } = wanted;
  const inbox = inboxOf(context, name);
  const socket = connect(path);
  context.closing(() => void socket.destroy());
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", (error) => reject(new TargetFailure("errored", "connect", `no socket: ${error.message}`)));
  });
  socket.on(
    "data",
    messagesIn(framing, (text) => inbox.push(text)),
  );
  socket.on("error", (error) => inbox.end(new TargetFailure("errored", "read", `the socket broke: ${error.message}`)));
  socket.on("close", () => inbox.end());
  const write = (text: string): void => {
    context.record({ from: name, to: "producer", text });
    socket.write(frameMessage(framing, text));
  };
  write(JSON.stringify(requestOf(context, wanted)));
  const answer = await inbox.seen(isAnswer);
  const cut = (): void => {
    context.record({ from: name, to: "producer", text: closes });
    socket.destroy();
  };
  return lineOn({ inbox, wanted, answer, write, cut });
}

/** Starts a command, and speaks JSON-RPC with it, one message per line. */
export async function overCommand(context: ScenarioContext, wanted: SubscriptionWishes): Promise<Line> {
  const { name = "subscriber" } = wanted;
  const inbox = inboxOf(context, name);
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
    messagesIn("lines", (text) => takeLine(inbox, text)),
  );
  const write = (message: JsonObject): void => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    context.record({ from: name, to: "producer", text });
    child.stdin.write(`${text}\n`);
  };
  write({ id: context.fresh("call"), method: "aaep.subscribe", params: requestOf(context, wanted) });
  const answer = await inbox.seen(isAnswer, boundOf(context, "start-up") / Math.min(1, context.setting.timeScale ?? 1));
  return lineOn({
    inbox,
    wanted,
    answer,
    write(text) {
      const params = JSON.parse(text) as JsonObject;
      const method = methods[String(params.type)] ?? "aaep.reply";
      write({ ...(method === "aaep.renegotiate" ? { id: context.fresh("call") } : {}), method, params });
    },
    cut() {
      context.record({ from: name, to: "producer", text: closes });
      kill();
    },
  });
}

const methods: Record<string, string> = {
  "subscription.renegotiate": "aaep.renegotiate",
  "subscription.close": "aaep.close",
};

/** Handles a line of JSON-RPC: an event or an answer. Any other text is stored unchanged, as a fault of the framing. */
function takeLine(inbox: Inbox, text: string): void {
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
  const said = JSON.stringify((method === undefined ? (result ?? error) : params) ?? null);
  inbox.push(said, isForeign ? { profile: `has the method ${method}` } : {}, text);
}
