import { describe, expect, it } from "vitest";
import { type Json, protocolsNamed } from "../../schemas/index.ts";
import { recognize } from "./recognize.ts";

const protocols = protocolsNamed("all");
const samples = protocols.flatMap((protocol) =>
  protocol.profile.documents
    .filter(({ role }) => role === "entry")
    .flatMap((document) => (document.samples ?? []).map((sample) => ({ protocol: protocol.name, document, sample }))),
);

function name(instance: Json): string | undefined {
  const found = recognize(protocols, instance);
  return found === undefined ? undefined : `${found.protocol.name} ${found.document.name}`;
}

describe("recognize", () => {
  it("knows every sample of a message that implementations receive, or one that is a kind of it", () => {
    const wrong = samples
      .map(({ protocol, document, sample }) => ({ protocol, document, found: recognize(protocols, sample) }))
      .filter(({ protocol, found }) => found?.protocol.name !== protocol);
    expect(wrong.map(({ document }) => document.name)).toEqual([]);
  });

  it.each([
    [{ type: "ask", title: "?" }, "ahcp message"],
    [{ type: "aaep:agent.progress.updated" }, "aaep agent.progress.updated"],
    [{ message_type: "coord.go" }, "agent-conventions coordination"],
    [{ schema_version: "1.0.0", metadata: {}, interface: {}, execution_policy: {} }, "agentformat agent"],
    [{}, undefined],
    [7, undefined],
    [{ hello: "world" }, undefined],
  ])("takes %j for %s", (instance, expected) => {
    expect(name(instance as Json)).toBe(expected);
  });
});
