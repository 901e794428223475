import { expect, it } from "vitest";
import type { JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";
import type { Socket } from "../../../../running/scenarios/way/websocket.ts";
import { answersTo, socketTo } from "./connect.ts";

const limited: JsonObject = { type: "response", payload: { error: { code: 5002, message: "later" } } };
const old: JsonObject = { type: "response", payload: { error: { code: 2004, message: "too old" } } };
const done: JsonObject = { type: "response", payload: { task: { id: "task-1" } } };

/** A socket with these answers, and a context that waits whenever it is asked to, twice at most. */
function socketAnswering(...answers: JsonObject[]): { context: ScenarioContext; socket: Socket; sent: string[] } {
  const sent: string[] = [];
  const socket = {
    send: (text: string) => void sent.push(text),
    next: async () => ({ item: JSON.stringify(answers[sent.length - 1]) }),
  } as unknown as Socket;
  const later: ScenarioContext["later"] = async ({ json }, tries) =>
    JSON.stringify(json) === JSON.stringify(limited) && tries < 2 ? 30_000 : 0;
  return { context: { later, setting: {}, signal: new AbortController().signal } as ScenarioContext, socket, sent };
}

it("sends a message again when the agent asks to wait", async () => {
  const { context, socket, sent } = socketAnswering(limited, limited, done);
  expect(await answersTo(context, socket, { id: "one" })).toEqual([done]);
  expect(sent).toEqual(Array.from({ length: 3 }, () => '{"id":"one"}'));
});

it("names the option that is not an address", async () => {
  const setting = { options: { websocket: "ws://127.0.0.1:PORT/ws" } };
  const context = { setting } as unknown as ScenarioContext;
  const peer = { identity: "", network: "main", path: "/snap" } as const;
  await expect(socketTo(context, peer)).rejects.toThrow(
    'the option `websocket` is "ws://127.0.0.1:PORT/ws", which is not a URL',
  );
});

it("concludes nothing about an agent that keeps limiting, or accepts the message too late", async () => {
  const always = socketAnswering(limited, limited, limited);
  await expect(answersTo(always.context, always.socket, {})).rejects.toThrow(/limits the rate so much that nothing/);
  const late = socketAnswering(limited, limited, old);
  await expect(answersTo(late.context, late.socket, {})).rejects.toThrow(/too old when it is finally accepted/);
  const prompt = socketAnswering(old);
  expect(await answersTo(prompt.context, prompt.socket, {})).toEqual([old]);
});
