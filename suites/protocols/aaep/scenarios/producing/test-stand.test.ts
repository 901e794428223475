import { once } from "node:events";
import { afterEach, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { Noted, ScenarioContext } from "../../../../../schemas/index.ts";
import { addressesOf, openTestStand } from "./test-stand.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop()) await cleanup();
});

/** Makes a context with only the parts that the test stand uses. */
function contextWith(
  options: Record<string, string | number>,
  record: (sent: Noted) => void = () => {},
): ScenarioContext {
  let count = 0;
  const context = {
    setting: { options },
    signal: new AbortController().signal,
    record,
    fresh: (kind: string) => `${kind}-${++count}`,
    closing: (close: () => unknown) => void cleanups.push(close),
  };
  return context as unknown as ScenarioContext;
}

async function connectSubscriber(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, ["aaep.v1"]);
  cleanups.push(() => socket.terminate());
  await once(socket, "open");
  return socket;
}

it("sends events over a WebSocket, at level 3 only after a request", async () => {
  for (const level of [2, 3]) {
    const producer = await openTestStand(contextWith({ level, binding: "websocket" }));
    const subscriber = await connectSubscriber(producer.websocket);
    const firstMessage = once(subscriber, "message");
    if (level === 3) subscriber.send('{"type":"subscription.request"}');
    expect(await producer.waitUntil(() => producer.streams.opened === 1)).toBe(true);
    producer.emit({ type: "aaep:agent.session.started" });
    const [text] = await firstMessage;
    expect([level, subscriber.protocol, JSON.parse(String(text)).type]).toEqual([
      level,
      "aaep.v1",
      level === 2 ? "aaep:agent.session.started" : "subscription.accepted",
    ]);
  }
});

it("rejects a binding that is neither sse nor websocket", async () => {
  const context = contextWith({ binding: "socket" });
  const producer = await openTestStand(context);
  expect(() => addressesOf(context, producer)).toThrow("options.binding is sse or websocket");
});

it("records its HTTP answers with their status", async () => {
  const recordedMessages: Noted[] = [];
  const { url } = await openTestStand(contextWith({ level: 3 }, (sent) => void recordedMessages.push(sent)));
  const post = (path: string, body: string) => fetch(`${url}/aaep/v1/${path}`, { method: "POST", body });
  await post("subscriptions", '{"type":"subscription.request","capabilities":{}}');
  await post("replies", '{"type":"confirmation.reply"}');
  await post("replies", "no message");
  const answers = recordedMessages.filter(({ from }) => from === "producer");
  expect(answers.map(({ head }) => head)).toEqual(["HTTP 201", "HTTP 204", "HTTP 400"]);
  expect(JSON.parse(answers[0]?.text ?? "")).toMatchObject({ type: "subscription.accepted" });
});
