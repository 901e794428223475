import {
  isObject,
  type Json,
  type JsonObject,
  missingNeeds,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { binary, openSocket, type Socket } from "../../../../running/scenarios/way/websocket.ts";
import { boundOf } from "../bounds.ts";
import { storeExchange } from "../exchanges.ts";
import { contentOf, type Peer, throwIfHeldUp } from "../parties.ts";

/** Finds the address of the agent's WebSocket: in the options, or in its card. */
export function socketUrl({ setting }: ScenarioContext, { card }: Peer): string | undefined {
  const { websocket } = setting.options ?? {};
  const endpoints = (Array.isArray(card?.endpoints) ? card.endpoints : []).filter(isObject);
  const url = websocket ?? endpoints.find(({ protocol }) => protocol === "wss")?.url;
  return typeof url === "string" && /^wss?:/.test(url) ? url : undefined;
}

export async function socketTo(context: ScenarioContext, peer: Peer): Promise<Socket> {
  const url = socketUrl(context, peer);
  if (url !== undefined && !URL.canParse(url)) {
    const source = context.setting.options?.websocket === url ? "the option `websocket`" : "an endpoint of its card";
    throw new TargetFailure("errored", "connect", `${source} is ${JSON.stringify(url)}, which is not a URL`);
  }
  if (url !== undefined) return openSocket(context, url);
  throw new TargetSkip(
    "needs the option `websocket`: the address of the agent's WebSocket, or a card that names one",
    missingNeeds("options.websocket"),
  );
}

interface ConnectOptions {
  /** Whether the agent may stay silent; otherwise silence is a failure. */
  mayBeSilent?: boolean;
  /** The rule that is violated by a binary frame or a frame without a message; absent if frames are not judged. */
  frameRule?: string;
}

/**
 * Sends a message on a socket, and returns its answers up to the response. Repeats the message whenever the agent asks to wait. Throws a TargetFailure
 * if no answer arrives in time, unless the agent may stay silent.
 */
export async function answersTo(
  context: ScenarioContext,
  socket: Socket,
  message: JsonObject,
  options: ConnectOptions = {},
): Promise<JsonObject[]> {
  let waitedMs = 0;
  for (let attempt = 0; ; attempt++) {
    const answers = await sendOnce(context, socket, message, options);
    const last = answers.at(-1);
    // A socket has no status, so only the body can ask to wait.
    const wait = last === undefined ? 0 : await context.later({ status: 200, headers: {}, json: last }, attempt);
    if (wait === 0) {
      storeExchange(context, { request: message, messages: answers });
      throwIfHeldUp(last === undefined ? undefined : contentOf(last).code, waitedMs);
      return answers;
    }
    waitedMs += wait;
  }
}

async function sendOnce(
  context: ScenarioContext,
  socket: Socket,
  message: JsonObject,
  { mayBeSilent = false, frameRule }: ConnectOptions,
): Promise<JsonObject[]> {
  socket.send(JSON.stringify(message));
  const answers: JsonObject[] = [];
  for (;;) {
    const frame = await socket.next(boundOf(context, "socket"));
    context.signal.throwIfAborted();
    if (frame === "silence" && !mayBeSilent)
      throw new TargetFailure("timed-out", "read", "a message on its WebSocket is not answered in time");
    if (frame === "end" || frame === "silence") return answers;
    if (frame.item === binary && frameRule !== undefined) {
      context.expect(frameRule, false, "a message on its WebSocket is sent in a binary frame instead of a text frame");
      return answers;
    }
    const answer = messageIn(frame.item);
    if (answer === undefined && frameRule !== undefined) {
      const why = `a frame of its WebSocket is not a message: ${frame.item.slice(0, 100)}`;
      context.expect(frameRule, false, why);
      return answers;
    }
    if (answer === undefined)
      throw new TargetFailure("errored", "read", `a frame of its socket is not a message: ${frame.item.slice(0, 100)}`);
    answers.push(answer);
    if (answer.type !== "event") return answers;
  }
}

/** Parses a text as a JSON object. Undefined if it is anything else. */
export function messageIn(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
