import { expect, it } from "vitest";
import type { JsonObject, ScenarioContext } from "../../../../../schemas/index.ts";
import type { Socket } from "../../../../running/scenarios/way/websocket.ts";
import { answersTo, socketTo } from "./connect.ts";

const limitedAnswer: JsonObject = { type: "response", payload: { error: { code: 5002, message: "later" } } };
const tooOldAnswer: JsonObject = { type: "response", payload: { error: { code: 2004, message: "too old" } } };
const doneAnswer: JsonObject = { type: "response", payload: { task: { id: "task-1" } } };

/** Makes a socket with these answers, and a context that agrees to wait at most twice. */
function socketAnswering(...answers: JsonObject[]): { context: ScenarioContext; socket: Socket; sent: string[] } {
  const sentTexts: string[] = [];
  const socket = {
    send: (text: string) => void sentTexts.push(text),
    next: async () => ({ item: JSON.stringify(answers[sentTexts.length - 1]) }),
  } as unknown as Socket;
  const waitAtMostTwice: ScenarioContext["later"] = async ({ json }, attempts) =>
    JSON.stringify(json) === JSON.stringify(limitedAnswer) && attempts < 2 ? 30_000 : 0;
  return {
    context: { later: waitAtMostTwice, setting: {}, signal: new AbortController().signal } as ScenarioContext,
    socket,
    sent: sentTexts,
  };
}

it("sends a message again when the agent asks to wait", async () => {
  const { context, socket, sent: sentTexts } = socketAnswering(limitedAnswer, limitedAnswer, doneAnswer);
  expect(await answersTo(context, socket, { id: "one" })).toEqual([doneAnswer]);
  expect(sentTexts).toEqual(Array.from({ length: 3 }, () => '{"id":"one"}'));
});

it("reports which option is not a URL", async () => {
  const setting = { options: { websocket: "ws://127.0.0.1:PORT/ws" } };
  const context = { setting } as unknown as ScenarioContext;
  const peer = { identity: "", network: "main", path: "/snap" } as const;
  await expect(socketTo(context, peer)).rejects.toThrow(
    'the option `websocket` is "ws://127.0.0.1:PORT/ws", which is not a URL',
  );
});

it("gives up on an agent that keeps limiting the rate, or refuses the message as too old after a wait", async () => {
  const always = socketAnswering(limitedAnswer, limitedAnswer, limitedAnswer);
  await expect(answersTo(always.context, always.socket, {})).rejects.toThrow(/limits the rate so much that nothing/);
  const tooLate = socketAnswering(limitedAnswer, limitedAnswer, tooOldAnswer);
  await expect(answersTo(tooLate.context, tooLate.socket, {})).rejects.toThrow(/too old when it is finally accepted/);
  const prompt = socketAnswering(tooOldAnswer);
  expect(await answersTo(prompt.context, prompt.socket, {})).toEqual([tooOldAnswer]);
});
