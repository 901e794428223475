import { expect, it } from "vitest";
import { documentNamed, type Json, protocolNamed } from "../../../schemas/index.ts";
import { withCredential, withSender } from "./identity.ts";

const ahcp = protocolNamed("ahcp");
const withBotAsSender = (instance: Json, keep: string[] = [], document = "message"): Json =>
  withSender("bot", instance, { sender: "/agent/id", document: documentNamed(ahcp, document), keep });
const message = { title: "t", agent: { id: "other", run_id: "r" } };
const ownMessage = { title: "t", agent: { id: "bot", run_id: "r" } };

it("replaces the sender in a copy of the message", () => {
  expect(withBotAsSender(message)).toEqual(ownMessage);
  expect(withBotAsSender(message, ["/title", "/agent/run_id"])).toEqual(ownMessage);
  expect(message.agent.id).toBe("other");
});

it.each<[Json, string[]?, string?]>([
  [message, ["/agent/id"]],
  [message, ["/agent"]],
  [{ agent: { id: 3 } }],
  [{ agent: {} }],
  ["text"],
  [message, [], "response"],
])("does not change a message that is about the sender or has no sender: %j %j %s", (instance, keep, document) => {
  expect(withBotAsSender(instance, keep, document)).toEqual(instance);
});

it("adds the credential, unless the headers contain a different one", () => {
  const credential = { agent: "bot", token: "t" };
  const credentialHeader = { authorization: "Bearer t" };
  expect(withCredential({ "x-more": "1" }, credential)).toEqual({
    headers: { ...credentialHeader, "x-more": "1" },
    agent: "bot",
  });
  expect(withCredential({ Authorization: "Bearer t" }, credential).agent).toBe("bot");
  for (const otherCredential of [{ Authorization: "Bearer u" }, { "X-API-Key": "t" }])
    expect(withCredential(otherCredential, credential)).toEqual({ headers: otherCredential });
  expect(withCredential({}, { agent: "bot", apikey: "k" })).toEqual({ headers: { "x-api-key": "k" }, agent: "bot" });
});
