import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documentNamed, type Json, type JsonObject, protocolNamed } from "../../../schemas/index.ts";
import { fileValidator } from "./file.ts";
import { judgeScenarioRecording } from "./played-lines.ts";
import { judgesFor } from "./validate.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const validateFile = fileValidator({ trace: true });
const startedEvent = documentNamed(protocolNamed("aaep"), "agent.session.started").samples?.[0] as JsonObject;
const recordingHead = { recording: 1, protocol: "aaep", version: "1.0", scenario: "plain", side: "producer", seed: 1 };
const numberedEvent = { ...startedEvent, sequence_number: 0 };
const completedEvent = {
  ...Object.fromEntries(Object.entries(startedEvent).filter(([name]) => !/^(?:user_|session_k)/.test(name))),
  type: "aaep:agent.session.completed",
  event_id: "evt_2",
  sequence_number: 9,
  summary_normal: "Done.",
};
const invalidEvent = { ...startedEvent, event_id: "evt 1!!" };

async function findingsIn(...lines: (Json | string)[]): Promise<string[]> {
  const file = join(folder, `${Math.round(performance.now() * 1000)}.jsonl`);
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(file, `${texts.join("\n")}\n`);
  const { document, findings } = await validateFile(file);
  return [document, ...findings.map(({ line, level, rule, why }) => `${line} ${level} ${rule ?? why}`)];
}

function sentLine(from: string, to: string, message: Json): JsonObject {
  return { ms: 1, from, to, message };
}

describe("a recording of a scenario", () => {
  it("is judged for the party under test, with line numbers", async () => {
    expect(await findingsIn(recordingHead, sentLine("producer", "reader", startedEvent))).toEqual(["session"]);
    expect(
      await findingsIn(
        recordingHead,
        sentLine("reader", "producer", { type: "noise" }),
        sentLine("producer", "reader", invalidEvent),
      ),
    ).toEqual(["session", "3 MUST AAEP-ENV-011"]);
  });

  it("does not report faults of the suite, because its messages are wrong on purpose", async () => {
    expect(
      await findingsIn(
        recordingHead,
        sentLine("reader", "producer", { type: "confirmation.reply", decision: "perhaps" }),
      ),
    ).toEqual(["session"]);
    const subscriber = { ...recordingHead, side: "subscriber" };
    expect(await findingsIn(subscriber, sentLine("producer", "subscriber", invalidEvent))).toEqual(["session"]);
  });

  it("reports damaged and foreign lines, and judges the other lines as a session with a gap", async () => {
    const lines = [
      recordingHead,
      sentLine("producer", "reader", numberedEvent),
      sentLine("producer", "reader", completedEvent),
    ];
    expect(await findingsIn(...lines)).toContain("3 MUST AAEP-ENV-026");
    const [first, ...eventLines] = lines as [JsonObject, JsonObject, JsonObject];
    const withDamagedLine = await findingsIn(
      first,
      eventLines[0] as JsonObject,
      '{"ms":2,"from":"pro',
      eventLines[1] as JsonObject,
    );
    expect(withDamagedLine[1]).toMatch(/^3 MUST /);
    expect(withDamagedLine.filter((finding) => finding.includes("ENV-026"))).toEqual([]);
    const withForeignLine = await findingsIn(
      first,
      eventLines[0] as JsonObject,
      { hello: "world" },
      eventLines[1] as JsonObject,
    );
    expect(withForeignLine).toContain("3 MUST is not a line of a recording");
    expect(withForeignLine.filter((finding) => finding.includes("ENV-026"))).toEqual([]);
  });

  it("does not blame an answer for a fault that it copies from the request", async () => {
    const [, request] = documentNamed(protocolNamed("snap"), "envelope").samples as [JsonObject, JsonObject];
    const snapHead = { ...recordingHead, protocol: "snap", version: "0.1", side: "agent" };
    const from = `${String(request.from).slice(0, -1)}q`;
    const requestEntry = sentLine("touchstone", "agent", { ...request, from });
    const responseEntry = sentLine("agent", "touchstone", { ...request, type: "response", to: from });
    expect(
      (await findingsIn(snapHead, requestEntry, responseEntry)).filter((finding) => finding.includes("ADDR")),
    ).toEqual([]);
    expect((await findingsIn(snapHead, responseEntry)).filter((finding) => finding.includes("ADDR"))).not.toEqual([]);
  });

  it("skips a message that is nested too deeply for validators, and judges the others", async () => {
    const protocol = protocolNamed("aaep");
    const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`);
    const lines = [recordingHead, sentLine("reader", "producer", deep), sentLine("producer", "reader", invalidEvent)];
    const numberedLines = lines.map((value, index) => ({ value, number: index + 1 }));
    const { findings } = await judgeScenarioRecording(protocol, await judgesFor(protocol), numberedLines, {
      unreadLines: [],
    });
    expect(findings.map(({ line, rule }) => `${line} ${rule}`)).toContain("3 AAEP-ENV-011");
  });

  it("judges an answer as the document that its request calls for", async () => {
    const ask = documentNamed(protocolNamed("ahcp"), "message").samples?.[2] as JsonObject;
    const hubHead = { ...recordingHead, protocol: "ahcp", version: "0.3", side: "hub" };
    const requestLine = (line: string, message?: Json): JsonObject => ({
      ms: 1,
      from: "touchstone",
      to: "hub",
      head: line,
      ...(message === undefined ? {} : { message }),
    });
    const answerLine = (message: Json, status = 202): JsonObject => ({
      ms: 2,
      from: "hub",
      to: "touchstone",
      head: `HTTP ${status}`,
      message,
    });
    const ack = (status: string): JsonObject => answerLine({ id: "m1", status, poll_url: "http://h/v1/messages/m1" });
    const submit = requestLine("POST /v1/messages", ask);
    const cancel = [requestLine("POST /v1/messages/m1/cancel", {}), answerLine({ id: "m1", status: "cancelled" }, 200)];
    expect(await findingsIn(hubHead, submit, ack("open"), ...cancel, submit, ack("cancelled"))).toEqual(["messages"]);
    expect(await findingsIn(hubHead, submit, ack("cancelled"))).toContain("3 MUST AHCP-ACK-002");
    expect(await findingsIn(hubHead, submit, ack("open"), submit, ack("gone"))).toContain("5 MUST AHCP-ACK-002");
    const incompleteMessage = answerLine({ id: "m1", status: "cancelled" }, 200);
    expect(await findingsIn(hubHead, requestLine("GET /v1/messages/m1"), incompleteMessage)).toContain(
      "3 MUST AHCP-ENV-001",
    );
    // Two requests at once, answered in reverse order.
    const requests = [requestLine("GET /v1/messages/m1"), submit];
    expect(
      await findingsIn(hubHead, ...requests, ack("open"), answerLine({ ...ask, id: "m1", status: "open" }, 200)),
    ).toEqual(["messages"]);
  });

  it("says which message of a line is wrong if it contains several", async () => {
    const update = documentNamed(protocolNamed("agent-conventions"), "task").samples?.[1] as JsonObject;
    const agentHead = { ...recordingHead, protocol: "agent-conventions", side: "agent" };
    const invalidUpdates = [1, 2].map((number) => ({ ...update, [`other${number}`]: true }));
    const file = join(folder, "outbox.jsonl");
    const lines = [agentHead, sentLine("agent", "suite", { answer: { messages: [update, ...invalidUpdates] } })];
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
    const { findings } = await validateFile(file);
    const findingsOfRule = findings.filter(({ rule }) => rule === "CONV-BASE-007");
    expect(findingsOfRule.map(({ line, why }) => `${line} ${why.replace(/.*"/, "")}`)).toEqual([
      "2  (message 2 of 3 in this line)",
      "2  (message 3 of 3 in this line)",
    ]);
  });

  it("is refused if its version or protocol is unknown", async () => {
    await expect(findingsIn({ ...recordingHead, recording: 2 })).rejects.toThrow(
      /not the head of a recording of version 1/,
    );
    await expect(findingsIn({ ...recordingHead, protocol: "morse" })).rejects.toThrow(/morse/);
  });
});
