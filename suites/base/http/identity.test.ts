import { expect, it } from "vitest";
import { documentNamed, type Json, protocolNamed } from "../../../schemas/index.ts";
import { withCredential, withSender } from "./identity.ts";

const ahcp = protocolNamed("ahcp");
const sentMessage = (instance: Json, keep: string[] = [], document = "message"): Json =>
  withSender("bot", instance, { sender: "/agent/id", document: documentNamed(ahcp, document), keep });
const message = { title: "t", agent: { id: "other", run_id: "r" } };
const ownMessage = { title: "t", agent: { id: "bot", run_id: "r" } };

it("names the agent if a message has a sender, and does not change the instance", () => {
  expect(sentMessage(message)).toEqual(ownMessage);
  expect(sentMessage(message, ["/title", "/agent/run_id"])).toEqual(ownMessage);
  expect(message.agent.id).toBe("other");
});

it.each<[Json, string[]?, string?]>([
  [message, ["/agent/id"]],
  [message, ["/agent"]],
  [{ agent: { id: 3 } }],
  [{ agent: {} }],
  ["text"],
  [message, [], "response"],
])("leaves messages about the sender, and messages without a sender, alone: %j %j %s", (instance, keep, document) => {
  expect(sentMessage(instance, keep, document)).toEqual(instance);
});

it("sends the credential, unless the headers contain another one", () => {
  const credential = { agent: "bot", token: "t" };
  const shownHeaders = { authorization: "Bearer t" };
  expect(withCredential({ "x-more": "1" }, credential)).toEqual({
    headers: { ...shownHeaders, "x-more": "1" },
    agent: "bot",
  });
  expect(withCredential({ Authorization: "Bearer t" }, credential).agent).toBe("bot");
  for (const ownHeaders of [{ Authorization: "Bearer u" }, { "X-API-Key": "t" }])
    expect(withCredential(ownHeaders, credential)).toEqual({ headers: ownHeaders });
  expect(withCredential({}, { agent: "bot", apikey: "k" })).toEqual({ headers: { "x-api-key": "k" }, agent: "bot" });
});
