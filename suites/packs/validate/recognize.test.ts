import { describe, expect, it } from "vitest";
import { type Json, protocolsNamed } from "../../../schemas/index.ts";
import { describeNearest, isRecognized, recognize } from "./recognize.ts";

const protocols = protocolsNamed("all");
const samples = protocols.flatMap((protocol) =>
  protocol.profile.documents
    .filter(({ role }) => role === "entry")
    .flatMap((document) => (document.samples ?? []).map((sample) => ({ protocol: protocol.name, document, sample }))),
);

function describeRecognition(instance: Json): string {
  const recognition = recognize(protocols, instance);
  return isRecognized(recognition)
    ? `${recognition.document.name} of ${recognition.protocol.name}`
    : `? ${describeNearest(recognition.nearest)}`;
}

describe("recognize", () => {
  it("recognizes each sample, or names its document among the nearest if two documents are alike", () => {
    const unrecognized = samples.filter(({ protocol, document, sample }) => {
      // An empty sample resembles every document.
      if (Object.keys(sample as object).length === 0) return false;
      const description = describeRecognition(sample);
      const isEnvelope = document.name === "envelope" && description.endsWith(` of ${protocol}`);
      return !isEnvelope && !description.includes(`${document.name} of ${protocol}`);
    });
    expect(unrecognized.map(({ document }) => document.name)).toEqual([]);
  });

  it.each([
    [{ type: "ask", title: "?" }, "message of ahcp"],
    [{ type: "ask", title: "?", id: "msg_1", status: "open" }, "get-message of ahcp"],
    [{ ahcp_version: "0.3", type: "ask", title: "?" }, "message of ahcp"],
    [{ ma2h_version: "0.5", type: "ask", title: "?" }, "message of ma2h"],
    [{ type: "aaep:agent.progress.updated" }, "agent.progress.updated of aaep"],
    [{ type: "tides:level.read", event_id: "evt_1" }, "envelope of aaep"],
    [{ type: "subscription.renegotiate", capabilities: {} }, "subscription-change of aaep"],
    [{ type: "subscription.close" }, "subscription-change of aaep"],
    [{ agent_id: "a", aaep_versions_supported: ["1.0.0"] }, "producer-manifest of aaep"],
    [{ message_type: "coord.go" }, "coordination of agent-conventions"],
    [{ schema_version: "1.0.0", metadata: {}, interface: {}, execution_policy: {} }, "agent of agentformat"],
  ])("recognizes %j as a %s", (instance, expected) => {
    expect(describeRecognition(instance as Json)).toBe(expected);
  });

  it.each([
    [{}, "? "],
    [7, "? "],
    [{ hello: "world" }, "? "],
    [{ taskId: "t-1" }, "? tasks-get.request of snap or tasks-cancel.request of snap"],
    [{ title: "Lunch", type: "poll" }, "? message of ahcp or get-message of ahcp"],
    [
      { message_type: "coord.gone", message_id: "1", timestamp: "2", sender: "a", recipient: "b" },
      "? task of agent-conventions or status of agent-conventions",
    ],
  ])("does not guess the document of %j", (instance, expected) => {
    expect(describeRecognition(instance as Json)).toBe(expected);
  });
});
