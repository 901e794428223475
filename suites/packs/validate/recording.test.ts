import { describe, expect, it } from "vitest";
import { documentNamed, isObject, type Json, type JsonObject, protocolNamed } from "../../../schemas/index.ts";
import { loadVectors } from "../corpus/index.ts";
import { judgedRecording } from "./recording.ts";
import { readerOf } from "./session.ts";
import { judgesFor } from "./validate.ts";

const aaep = protocolNamed("aaep");
const judges = judgesFor(aaep);
const sessions = loadVectors(aaep)
  .files.filter(({ document }) => document === "session")
  .flatMap(({ tests }) => tests);

/** A recording for a rule with a valid sequence. */
function recorded(name: string): JsonObject[] {
  const session = sessions.find(({ id, valid }) => valid === true && id.endsWith(name));
  return structuredClone(session?.data) as JsonObject[];
}

async function judged(lines: readonly Json[], partial = false): Promise<string[]> {
  const { findings } = judgedRecording(aaep, await judges, { read: await readerOf(aaep), lines }, { partial });
  return findings
    .filter(({ level }) => level === "MUST")
    .map(({ line, rule, accuses }) => `${line} ${rule} ${accuses}`);
}

/** The recording with the first message of a type changed. */
function changed(lines: readonly JsonObject[], type: string, change: JsonObject): JsonObject[] {
  const index = lines.findIndex(({ message }) => isObject(message) && message.type === type);
  return lines.map((line, at) =>
    at === index ? { ...line, message: { ...(line.message as JsonObject), ...change } } : line,
  );
}

const accepted = recorded("AAEP-TOOL-004/named");
const replied = accepted.findIndex(({ message }) => isObject(message) && message.type === "confirmation.reply");

describe("a recording", () => {
  it("is valid if its messages and their sequence are", async () => {
    expect(replied).toBeGreaterThan(0);
    expect(await judged(accepted)).toEqual([]);
  });

  it("judges each message by its own document, and names its sender", async () => {
    const wrong = changed(accepted, "aaep:agent.session.started", { event_id: "evt 1!!" });
    expect((await judged(wrong)).map((each) => each.replace(/^\d+ /, ""))).toEqual(["AAEP-ENV-011 producer"]);
  });

  it("ignores a malformed reply as an answer: it blames its sender, and any party that acts on it", async () => {
    const wrong = changed(accepted, "confirmation.reply", { timestamp: "yesterday" });
    const found = await judged(wrong);
    expect(found[0]).toBe(`${replied} AAEP-RPL-003 subscriber`);
    expect(found.slice(1).map((each) => each.replace(/^\d+ /, ""))).toContain("AAEP-TOOL-004 producer");
  });

  it("reports a fault once, however often the same message is repeated", async () => {
    const wrong = changed(accepted, "confirmation.reply", { decision: "yes" });
    const again = [...wrong.slice(0, replied + 1), wrong[replied] as Json, ...wrong.slice(replied + 1)];
    const replies = (await judged(again)).filter((each) => each.includes("AAEP-RPL-003"));
    expect(replies).toEqual([`${replied} AAEP-RPL-003 subscriber`]);
  });

  it("judges an acceptance together with its request", async () => {
    const request = { from: "subscriber", message: sample("subscription.request") };
    const granted = sample("subscription.accepted");
    const wider = { ...granted, aaep_version: "2.0.0" };
    expect(await judged([request, { from: "producer", message: wider }])).toContain("1 AAEP-HS-010 producer");
  });

  it("judges the acceptance of new terms with the repeated and with the first request", async () => {
    const rate = (max_events_per_second: number): JsonObject => ({ max_events_per_second });
    const request = { from: "subscriber", message: { ...sample("subscription.request"), capabilities: rate(5) } };
    const grant = (honored: JsonObject): JsonObject => ({
      from: "producer",
      message: { ...sample("subscription.accepted"), aaep_version: "1.0.0", honored_capabilities: honored },
    });
    const anew = (capabilities: JsonObject): JsonObject => ({
      from: "subscriber",
      message: { type: "subscription.renegotiate", subscription_id: "sub_1", capabilities },
    });
    const over = "3 AAEP-HS-005 producer";
    const rates = async (wish: JsonObject, ...more: JsonObject[]): Promise<string[]> =>
      (await judged([request, grant(rate(5)), anew(wish), ...more])).filter((each) => each.includes("HS-005"));
    expect(await rates(rate(1), grant(rate(1)))).toEqual([]);
    expect(await rates(rate(1), grant(rate(5)))).toEqual([over]);
    expect(await rates({ languages: ["en"] }, grant(rate(9)))).toEqual([over]);
    expect(await rates(rate(9), grant(rate(9)))).toEqual([]);
    expect(await rates(rate(1), { gap: "the connection was lost" }, grant(rate(5)))).toEqual([]);
  });

  it("is judged as a part if it begins late and is declared to be one", async () => {
    const late = accepted.slice(replied);
    expect(await judged(late)).not.toEqual([]);
    expect(await judged(late, true)).toEqual([]);
  });

  it("notes an unrecognized message, which is not a violation", async () => {
    const { findings } = judgedRecording(
      aaep,
      await judges,
      { read: await readerOf(aaep), lines: [{ hello: true }] },
      {},
    );
    expect(findings.map(({ level, why }) => `${level} ${why}`)).toEqual(["SHOULD the message is not recognized"]);
  });
});

describe("a recording in a form without gaps", () => {
  it("reports nothing as certain for a part of a session", async () => {
    const protocol = protocolNamed("agent-conventions");
    const lines = loadVectors(protocol)
      .files.filter(({ document }) => document === "exchange")
      .flatMap(({ tests }) => tests)
      .find(({ id, valid }) => valid === false && id.includes("CONV-CUE-002"))?.data as Json[];
    const levels = async (partial: boolean): Promise<string[]> => {
      const found = judgedRecording(
        protocol,
        await judgesFor(protocol),
        { read: await readerOf(protocol), lines },
        { partial },
      );
      return found.findings.filter(({ rule }) => rule === "CONV-CUE-002").map(({ level }) => level);
    };
    expect(new Set(await levels(false))).toEqual(new Set(["MUST"]));
    expect(new Set(await levels(true))).toEqual(new Set(["SHOULD"]));
  });
});

describe("messages as they were sent", () => {
  const snap = protocolNamed("snap");
  const [stream, request] = documentNamed(snap, "envelope").samples as [JsonObject, JsonObject];
  const exchange = (id: string, method: string, payload: JsonObject, state: string): JsonObject[] => [
    { ...stream, id, type: "request", method, payload },
    { ...request, id, type: "response", method, payload: { task: { id: "task-7", status: { state, timestamp } } } },
  ];
  const timestamp = "2026-01-15T09:30:01Z";

  it("are put together by their ids, and judged in their order", async () => {
    const send = { message: { messageId: "turn-1", role: "user", parts: [{ text: "Count." }] } };
    const lines = [
      ...exchange("a", "message/send", send, "completed"),
      ...exchange("b", "tasks/get", { taskId: "task-7" }, "working"),
    ];
    const session = (await readerOf(snap))(lines);
    expect(session.messages.map(({ line, document }) => `${line} ${document}`)).toEqual([
      "0 envelope",
      "1 envelope",
      "2 envelope",
      "3 envelope",
    ]);
    expect(session.lines).toEqual([1, 3]);
    const { findings } = judgedRecording(snap, await judgesFor(snap), { read: await readerOf(snap), lines }, {});
    expect(findings.map(({ line, rule }) => `${line} ${rule}`)).toContain("3 SNAP-TASK-002");
  });
});

function sample(document: string): JsonObject {
  return aaep.profile.documents.find(({ name }) => name === document)?.samples?.[0] as JsonObject;
}
