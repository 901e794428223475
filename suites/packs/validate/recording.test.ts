import { describe, expect, it } from "vitest";
import { documentNamed, isObject, type Json, type JsonObject, protocolNamed } from "../../../schemas/index.ts";
import { loadVectors } from "../corpus/index.ts";
import { judgeRecording } from "./recording.ts";
import { readerOf } from "./session.ts";
import { judgesFor } from "./validate.ts";

const aaep = protocolNamed("aaep");
const judges = judgesFor(aaep);
const sessions = loadVectors(aaep)
  .files.filter(({ document }) => document === "session")
  .flatMap(({ tests }) => tests);

/** A copy of the recording in a valid vector. */
function recordingNamed(name: string): JsonObject[] {
  const session = sessions.find(({ id, valid }) => valid === true && id.endsWith(name));
  return structuredClone(session?.data) as JsonObject[];
}

async function accusationsIn(lines: readonly Json[], partial = false): Promise<string[]> {
  const { findings } = judgeRecording(aaep, await judges, { read: await readerOf(aaep), lines }, { partial });
  return findings
    .filter(({ level }) => level === "MUST")
    .map(({ line, rule, accuses }) => `${line} ${rule} ${accuses}`);
}

/** A copy of the recording in which the first message of a type is changed. */
function withChanged(lines: readonly JsonObject[], type: string, change: JsonObject): JsonObject[] {
  const index = lines.findIndex(({ message }) => isObject(message) && message.type === type);
  return lines.map((line, at) =>
    at === index ? { ...line, message: { ...(line.message as JsonObject), ...change } } : line,
  );
}

const acceptedSession = recordingNamed("AAEP-TOOL-004/named");
const replyIndex = acceptedSession.findIndex(
  ({ message }) => isObject(message) && message.type === "confirmation.reply",
);

describe("a recording", () => {
  it("is valid if its messages and their sequence are", async () => {
    expect(replyIndex).toBeGreaterThan(0);
    expect(await accusationsIn(acceptedSession)).toEqual([]);
  });

  it("judges each message by its own document, and names its sender", async () => {
    const withInvalidStart = withChanged(acceptedSession, "aaep:agent.session.started", { event_id: "evt 1!!" });
    expect((await accusationsIn(withInvalidStart)).map((accusation) => accusation.replace(/^\d+ /, ""))).toEqual([
      "AAEP-ENV-011 producer",
    ]);
  });

  it("reports the sender of a malformed reply, and any party that acts on it", async () => {
    const withMalformedReply = withChanged(acceptedSession, "confirmation.reply", { timestamp: "yesterday" });
    const accusations = await accusationsIn(withMalformedReply);
    expect(accusations[0]).toBe(`${replyIndex} AAEP-RPL-003 subscriber`);
    expect(accusations.slice(1).map((accusation) => accusation.replace(/^\d+ /, ""))).toContain(
      "AAEP-TOOL-004 producer",
    );
  });

  it("reports a fault once, however often the same message is repeated", async () => {
    const withInvalidReply = withChanged(acceptedSession, "confirmation.reply", { decision: "yes" });
    const repeated = [
      ...withInvalidReply.slice(0, replyIndex + 1),
      withInvalidReply[replyIndex] as Json,
      ...withInvalidReply.slice(replyIndex + 1),
    ];
    const replies = (await accusationsIn(repeated)).filter((accusation) => accusation.includes("AAEP-RPL-003"));
    expect(replies).toEqual([`${replyIndex} AAEP-RPL-003 subscriber`]);
  });

  it("judges an acceptance together with its request", async () => {
    const request = { from: "subscriber", message: sample("subscription.request") };
    const acceptance = sample("subscription.accepted");
    const acceptanceOfVersion2 = { ...acceptance, aaep_version: "2.0.0" };
    expect(await accusationsIn([request, { from: "producer", message: acceptanceOfVersion2 }])).toContain(
      "1 AAEP-HS-010 producer",
    );
  });

  it("judges the acceptance of new terms by both the renegotiation and the first request", async () => {
    const limitedTo = (max_events_per_second: number): JsonObject => ({ max_events_per_second });
    const request = { from: "subscriber", message: { ...sample("subscription.request"), capabilities: limitedTo(5) } };
    const accept = (honored: JsonObject): JsonObject => ({
      from: "producer",
      message: { ...sample("subscription.accepted"), aaep_version: "1.0.0", honored_capabilities: honored },
    });
    const renegotiate = (capabilities: JsonObject): JsonObject => ({
      from: "subscriber",
      message: { type: "subscription.renegotiate", subscription_id: "sub_1", capabilities },
    });
    const tooManyEvents = "3 AAEP-HS-005 producer";
    const rateFindings = async (newTerms: JsonObject, ...laterLines: JsonObject[]): Promise<string[]> =>
      (await accusationsIn([request, accept(limitedTo(5)), renegotiate(newTerms), ...laterLines])).filter(
        (accusation) => accusation.includes("HS-005"),
      );
    expect(await rateFindings(limitedTo(1), accept(limitedTo(1)))).toEqual([]);
    expect(await rateFindings(limitedTo(1), accept(limitedTo(5)))).toEqual([tooManyEvents]);
    expect(await rateFindings({ languages: ["en"] }, accept(limitedTo(9)))).toEqual([tooManyEvents]);
    expect(await rateFindings(limitedTo(9), accept(limitedTo(9)))).toEqual([]);
    expect(await rateFindings(limitedTo(1), { gap: "the connection was lost" }, accept(limitedTo(5)))).toEqual([]);
  });

  it("may begin late if it is declared as part of a session", async () => {
    const laterPart = acceptedSession.slice(replyIndex);
    expect(await accusationsIn(laterPart)).not.toEqual([]);
    expect(await accusationsIn(laterPart, true)).toEqual([]);
  });

  it("reports an unrecognized message as advice, not as a violation", async () => {
    const { findings } = judgeRecording(
      aaep,
      await judges,
      { read: await readerOf(aaep), lines: [{ hello: true }] },
      {},
    );
    expect(findings.map(({ level, why }) => `${level} ${why}`)).toEqual(["SHOULD the message is not recognized"]);
  });
});

describe("a recording in a format without gaps", () => {
  it("only gets advice if it is part of a session", async () => {
    const protocol = protocolNamed("agent-conventions");
    const lines = loadVectors(protocol)
      .files.filter(({ document }) => document === "exchange")
      .flatMap(({ tests }) => tests)
      .find(({ id, valid }) => valid === false && id.includes("CONV-CUE-002"))?.data as Json[];
    const levels = async (partial: boolean): Promise<string[]> => {
      const recording = judgeRecording(
        protocol,
        await judgesFor(protocol),
        { read: await readerOf(protocol), lines },
        { partial },
      );
      return recording.findings.filter(({ rule }) => rule === "CONV-CUE-002").map(({ level }) => level);
    };
    expect(new Set(await levels(false))).toEqual(new Set(["MUST"]));
    expect(new Set(await levels(true))).toEqual(new Set(["SHOULD"]));
  });
});

describe("messages without a sender", () => {
  const snap = protocolNamed("snap");
  const [stream, request] = documentNamed(snap, "envelope").samples as [JsonObject, JsonObject];
  const exchange = (id: string, method: string, payload: JsonObject, state: string): JsonObject[] => [
    { ...stream, id, type: "request", method, payload },
    { ...request, id, type: "response", method, payload: { task: { id: "task-7", status: { state, timestamp } } } },
  ];
  const timestamp = "2026-01-15T09:30:01Z";

  it("are matched by their ids, and judged in their order", async () => {
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
    const { findings } = judgeRecording(snap, await judgesFor(snap), { read: await readerOf(snap), lines }, {});
    expect(findings.map(({ line, rule }) => `${line} ${rule}`)).toContain("3 SNAP-TASK-002");
  });
});

function sample(document: string): JsonObject {
  return aaep.profile.documents.find(({ name }) => name === document)?.samples?.[0] as JsonObject;
}
