import { once } from "node:events";
import { afterEach, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { Noted, ScenarioContext } from "../../../../../schemas/index.ts";
import { openTestStand, placesOf } from "./test-stand.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (let last = closing.pop(); last !== undefined; last = closing.pop()) await last();
});

/** The parts of a context that a stand uses. */
function contextWith(
  options: Record<string, string | number>,
  record: (sent: Noted) => void = () => {},
): ScenarioContext {
  let drawn = 0;
  const context = {
    setting: { options },
    signal: new AbortController().signal,
    record,
    fresh: (kind: string) => `${kind}-${++drawn}`,
    closing: (close: () => unknown) => void closing.push(close),
  };
  return context as unknown as ScenarioContext;
}

async function guestOf(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, ["aaep.v1"]);
  closing.push(() => socket.terminate());
  await once(socket, "open");
  return socket;
}

it("sends events over a WebSocket, if required only after a request", async () => {
  for (const level of [2, 3]) {
    const producer = await openTestStand(contextWith({ level, binding: "websocket" }));
    const guest = await guestOf(producer.websocket);
    const first = once(guest, "message");
    if (level === 3) guest.send('{"type":"subscription.request"}');
    expect(await producer.until(() => producer.streams.opened === 1)).toBe(true);
    producer.emit({ type: "aaep:agent.session.started" });
    const [text] = await first;
    expect([level, guest.protocol, JSON.parse(String(text)).type]).toEqual([
      level,
      "aaep.v1",
      level === 2 ? "aaep:agent.session.started" : "subscription.accepted",
    ]);
  }
});

it("explains which binding it cannot use with a subscriber", async () => {
  const context = contextWith({ binding: "socket" });
  const producer = await openTestStand(context);
  expect(() => placesOf(context, producer)).toThrow("options.binding is sse or websocket");
});

it("records its answers, over HTTP with the status", async () => {
  const noted: Noted[] = [];
  const { url } = await openTestStand(contextWith({ level: 3 }, (sent) => void noted.push(sent)));
  const post = (path: string, body: string) => fetch(`${url}/aaep/v1/${path}`, { method: "POST", body });
  await post("subscriptions", '{"type":"subscription.request","capabilities":{}}');
  await post("replies", '{"type":"confirmation.reply"}');
  await post("replies", "no message");
  const answers = noted.filter(({ from }) => from === "producer");
  expect(answers.map(({ head }) => head)).toEqual(["HTTP 201", "HTTP 204", "HTTP 400"]);
  expect(JSON.parse(answers[0]?.text ?? "")).toMatchObject({ type: "subscription.accepted" });
});
