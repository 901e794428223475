import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documentNamed, type Json, type JsonObject, protocolNamed } from "../../../schemas/index.ts";
import { fileValidator } from "./file.ts";
import { judgedPlayed } from "./played-lines.ts";
import { judgesFor } from "./validate.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const validated = fileValidator({ trace: true });
const started = documentNamed(protocolNamed("aaep"), "agent.session.started").samples?.[0] as JsonObject;
const head = { recording: 1, protocol: "aaep", version: "1.0", scenario: "plain", side: "producer", seed: 1 };
const numbered = { ...started, sequence_number: 0 };
const later = {
  ...Object.fromEntries(Object.entries(started).filter(([name]) => !/^(?:user_|session_k)/.test(name))),
  type: "aaep:agent.session.completed",
  event_id: "evt_2",
  sequence_number: 9,
  summary_normal: "Done.",
};
const badly = { ...started, event_id: "evt 1!!" };

async function found(...lines: (Json | string)[]): Promise<string[]> {
  const file = join(folder, `${Math.round(performance.now() * 1000)}.jsonl`);
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(file, `${texts.join("\n")}\n`);
  const { document, findings } = await validated(file);
  return [document, ...findings.map(({ line, level, rule, why }) => `${line} ${level} ${rule ?? why}`)];
}

function sent(from: string, to: string, message: Json): JsonObject {
  return { ms: 1, from, to, message };
}

describe("a recording of a scenario", () => {
  it("is judged for the party under test, with line numbers", async () => {
    expect(await found(head, sent("producer", "reader", started))).toEqual(["session"]);
    expect(await found(head, sent("reader", "producer", { type: "noise" }), sent("producer", "reader", badly))).toEqual(
      ["session", "3 MUST AAEP-ENV-011"],
    );
  });

  it("finds no fault in the suite's messages, which are wrong on purpose", async () => {
    expect(await found(head, sent("reader", "producer", { type: "confirmation.reply", decision: "perhaps" }))).toEqual([
      "session",
    ]);
    const subscriber = { ...head, side: "subscriber" };
    expect(await found(subscriber, sent("producer", "subscriber", badly))).toEqual(["session"]);
  });

  it("reports damaged and foreign lines, and judges the rest as a session with a gap", async () => {
    const lines = [head, sent("producer", "reader", numbered), sent("producer", "reader", later)];
    expect(await found(...lines)).toContain("3 MUST AAEP-ENV-026");
    const [first, ...rest] = lines as [JsonObject, JsonObject, JsonObject];
    const torn = await found(first, rest[0] as JsonObject, '{"ms":2,"from":"pro', rest[1] as JsonObject);
    expect(torn[1]).toMatch(/^3 MUST /);
    expect(torn.filter((each) => each.includes("ENV-026"))).toEqual([]);
    const foreign = await found(first, rest[0] as JsonObject, { hello: "world" }, rest[1] as JsonObject);
    expect(foreign).toContain("3 MUST is not a line of a recording");
    expect(foreign.filter((each) => each.includes("ENV-026"))).toEqual([]);
  });

  it("does not blame an answer for a fault that it repeats from the question", async () => {
    const [, request] = documentNamed(protocolNamed("snap"), "envelope").samples as [JsonObject, JsonObject];
    const snap = { ...head, protocol: "snap", version: "0.1", side: "agent" };
    const from = `${String(request.from).slice(0, -1)}q`;
    const asked = sent("touchstone", "agent", { ...request, from });
    const answered = sent("agent", "touchstone", { ...request, type: "response", to: from });
    expect((await found(snap, asked, answered)).filter((each) => each.includes("ADDR"))).toEqual([]);
    expect((await found(snap, answered)).filter((each) => each.includes("ADDR"))).not.toEqual([]);
  });

  it("leaves out a message that is nested too deeply for validators, and judges the others", async () => {
    const protocol = protocolNamed("aaep");
    const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`);
    const lines = [head, sent("reader", "producer", deep), sent("producer", "reader", badly)];
    const numbered = lines.map((value, index) => ({ value, number: index + 1 }));
    const { findings } = await judgedPlayed(protocol, await judgesFor(protocol), numbered, { unread: [] });
    expect(findings.map(({ line, rule }) => `${line} ${rule}`)).toContain("3 AAEP-ENV-011");
  });

  it("reads an answer as the document that its request requires", async () => {
    const ask = documentNamed(protocolNamed("ahcp"), "message").samples?.[2] as JsonObject;
    const hub = { ...head, protocol: "ahcp", version: "0.3", side: "hub" };
    const asked = (line: string, message?: Json): JsonObject => ({
      ms: 1,
      from: "touchstone",
      to: "hub",
      head: line,
      ...(message === undefined ? {} : { message }),
    });
    const answered = (message: Json, status = 202): JsonObject => ({
      ms: 2,
      from: "hub",
      to: "touchstone",
      head: `HTTP ${status}`,
      message,
    });
    const ack = (status: string): JsonObject => answered({ id: "m1", status, poll_url: "http://h/v1/messages/m1" });
    const submit = asked("POST /v1/messages", ask);
    const cancel = [asked("POST /v1/messages/m1/cancel", {}), answered({ id: "m1", status: "cancelled" }, 200)];
    expect(await found(hub, submit, ack("open"), ...cancel, submit, ack("cancelled"))).toEqual(["messages"]);
    expect(await found(hub, submit, ack("cancelled"))).toContain("3 MUST AHCP-ACK-002");
    expect(await found(hub, submit, ack("open"), submit, ack("gone"))).toContain("5 MUST AHCP-ACK-002");
    const bare = answered({ id: "m1", status: "cancelled" }, 200);
    expect(await found(hub, asked("GET /v1/messages/m1"), bare)).toContain("3 MUST AHCP-ENV-001");
    // Two requests at once, answered in reverse order.
    const both = [asked("GET /v1/messages/m1"), submit];
    expect(await found(hub, ...both, ack("open"), answered({ ...ask, id: "m1", status: "open" }, 200))).toEqual([
      "messages",
    ]);
  });

  it("names the wrong one of several messages in a line", async () => {
    const update = documentNamed(protocolNamed("agent-conventions"), "task").samples?.[1] as JsonObject;
    const agent = { ...head, protocol: "agent-conventions", side: "agent" };
    const wrong = [1, 2].map((number) => ({ ...update, [`other${number}`]: true }));
    const file = join(folder, "outbox.jsonl");
    const lines = [agent, sent("agent", "suite", { answer: { messages: [update, ...wrong] } })];
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
    const { findings } = await validated(file);
    const grave = findings.filter(({ rule }) => rule === "CONV-BASE-007");
    expect(grave.map(({ line, why }) => `${line} ${why.replace(/.*"/, "")}`)).toEqual([
      "2  (message 2 of 3 in this line)",
      "2  (message 3 of 3 in this line)",
    ]);
  });

  it("in an unknown format is refused", async () => {
    await expect(found({ ...head, recording: 2 })).rejects.toThrow(/not the head of a recording of version 1/);
    await expect(found({ ...head, protocol: "morse" })).rejects.toThrow(/morse/);
  });
});
