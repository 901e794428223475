import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Json, protocolNamed } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { touchstone } from "../process.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));

function writeFile(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const handoff = {
  message_id: "6513270e-269e-4d37-b2a7-4de452e6b438",
  message_type: "task.failed",
  timestamp: "2026-01-15T09:30:00Z",
  sender: "orchestrator-main",
  recipient: "specialist-code",
};

describe("touchstone validate", { timeout: 300_000 }, () => {
  it("prints the place, rule and reason of each fault, and exits with 1", async () => {
    const invalidFile = writeFile(
      "wrong.json",
      JSON.stringify({ ...handoff, task_id: "CODE-1", severity: "HIGH" }, null, 2),
    );
    const validFile = writeFile(
      "right.json",
      JSON.stringify({ ...handoff, message_type: "task.update", task_id: "CODE-1" }),
    );
    const { code, out } = await touchstone("validate", invalidFile, validFile, "--protocol", "agent-conventions");
    expect(code).toBe(1);
    expect(out).toMatch(/wrong\.json: task of agent-conventions 1\.0/);
    expect(out).toMatch(/MUST\s+CONV-BASE-007/);
    expect(out).toMatch(/right\.json/);
  });

  it("prints JSON, and fails for a broken SHOULD only with --fail-on should", async () => {
    const file = writeFile("advised.json", JSON.stringify({ ...handoff, task_id: "CODE-1" }));
    const args = ["validate", file, "--protocol", "agent-conventions", "--json"];
    const lenientRun = await touchstone(...args);
    const strictRun = await touchstone(...args, "--fail-on", "should");
    expect([lenientRun.code, strictRun.code]).toEqual([0, 1]);
    const [{ document, findings }] = JSON.parse(lenientRun.out) as [
      { document: string; findings: { level: string }[] },
    ];
    expect(document).toBe("task");
    expect(new Set(findings.map(({ level }) => level))).toEqual(new Set(["SHOULD"]));
  });

  it("judges a recorded session, and prints the line of the wrong message", async () => {
    const { files } = loadVectors(protocolNamed("aaep"));
    const sessions = files.filter(({ document }) => document === "session").flatMap(({ tests }) => tests);
    const traceLines = (valid: boolean): string => {
      const { data = [] } =
        sessions.find((session) => session.valid === valid && session.rule === "AAEP-ENV-012") ?? {};
      return writeFile(`${valid}.jsonl`, (data as Json[]).map((entry) => JSON.stringify(entry)).join("\n"));
    };
    const { code, out } = await touchstone("validate", "--trace", traceLines(false), traceLines(true));
    expect(code).toBe(1);
    const [invalidPart, validPart] = out.split("\n\n");
    expect(invalidPart).toMatch(
      /false\.jsonl: session of aaep 1\.0[\s\S]*\n +2:1 +MUST AAEP-ENV-012 \(producer\) .*\n[\s\S]* 1 wrong/,
    );
    expect(validPart).toMatch(/true\.jsonl: session of aaep 1\.0\n[\s\S]*(nothing is|0) wrong/);
  });

  it("judges the other files if one cannot be read or recognized", async () => {
    const validFile = writeFile(
      "known.json",
      JSON.stringify({ ...handoff, message_type: "task.update", task_id: "CODE-1" }),
    );
    const unknownFile = writeFile("strange.json", JSON.stringify({ hello: "world" }));
    const { code, out, err } = await touchstone("validate", join(folder, "none.json"), unknownFile, validFile);
    expect(code).toBe(2);
    expect(out).toMatch(/known\.json: task of agent-conventions 1\.0\n[\s\S]*(nothing is|0) wrong/);
    expect(err).toMatch(/not judged: the file ".*none\.json" does not exist/);
    expect(err).toMatch(/not judged: .*strange\.json: the document of this message cannot be recognized/);
  });

  it("reports a line that cannot be read, and judges the rest as a session with a gap", async () => {
    const task = { ...handoff, message_type: "task.update", task_id: "CODE-1" };
    const secondTask = { ...task, message_id: "6513270e-269e-4d37-b2a7-4de452e6b439", recipient: "a b" };
    const cutText = JSON.stringify(task).slice(0, 50);
    const textOutput = await touchstone(
      "validate",
      "--trace",
      writeFile("torn.jsonl", [JSON.stringify(task), cutText, JSON.stringify(secondTask)].join("\n")),
    );
    expect(textOutput.code).toBe(1);
    expect(textOutput.out).toMatch(
      /exchange of agent-conventions 1\.0\n.*\n +2:51 +MUST {2}.*\n +3:1 +MUST CONV-BASE-004/,
    );

    const { files } = loadVectors(protocolNamed("aaep"));
    const sessions = files.filter(({ document }) => document === "session").flatMap(({ tests }) => tests);
    const wholeSession = sessions.find(({ valid, rule }) => valid && rule === "AAEP-ENV-026")?.data;
    const lines = (wholeSession as Json[]).map((entry) => JSON.stringify(entry));
    const tornLines = lines.map((recordedLine, index) => (index === 2 ? "{" : recordedLine));
    const remainingLines = lines.filter((_, index) => index !== 2);
    const tornTrace = await touchstone("validate", "--trace", "--json", writeFile("cut.jsonl", tornLines.join("\n")));
    const gapTrace = await touchstone(
      "validate",
      "--trace",
      "--json",
      writeFile("missing.jsonl", remainingLines.join("\n")),
    );
    const findingsIn = ({ out }: { out: string }): string[] =>
      (JSON.parse(out) as [{ findings: { level: string; line: number; rule?: string }[] }])[0].findings
        .filter(({ level }) => level === "MUST")
        .map(({ line, rule }) => `${line} ${rule}`);
    expect([tornTrace.code, findingsIn(tornTrace)]).toEqual([1, ["3 undefined"]]);
    expect(findingsIn(gapTrace).length).toBeGreaterThan(0);

    const brokenTrace = await touchstone("validate", "--trace", writeFile("broken.jsonl", "{\n\n[1,"));
    expect([brokenTrace.code, brokenTrace.out]).toEqual([
      1,
      expect.stringMatching(/unreadable\n +1:2 +MUST.*\n +3:4 +MUST/),
    ]);
  });

  it("accepts plain messages, one per line, and prints the sender of each wrong one", async () => {
    const task = { ...handoff, message_type: "task.update", task_id: "CODE-1" };
    const lines = [task, { ...task, message_id: "6513270e-269e-4d37-b2a7-4de452e6b439", recipient: "a b" }];
    const file = writeFile("plain.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));
    const { code, out } = await touchstone("validate", "--trace", file);
    expect(code).toBe(1);
    expect(out).toMatch(/2:1 +MUST CONV-BASE-004 \(orchestrator-main\) {2}\/recipient/);
  });

  it("judges a message without a schema by the rules alone, and rejects an empty recording", async () => {
    const closeMessage = { type: "subscription.close", subscription_id: "sub_p4", farewell: "Bye." };
    const closeRun = await touchstone("validate", writeFile("close.json", JSON.stringify(closeMessage)));
    expect([closeRun.code, closeRun.out]).toEqual([
      0,
      expect.stringMatching(/subscription-change of aaep 1\.0\n +no violations/),
    ]);
    const bareRun = await touchstone(
      "validate",
      writeFile("bare.json", JSON.stringify({ type: "subscription.close" })),
    );
    expect([bareRun.code, bareRun.out]).toEqual([1, expect.stringMatching(/1 wrong/)]);
    const line = (from: string): string => JSON.stringify({ from, message: closeMessage });
    const oneSidedRun = await touchstone("validate", "--trace", writeFile("alone.jsonl", line("subscriber")));
    expect(oneSidedRun.out).toMatch(
      /^ {2}it contains only messages of the subscriber: rules that depend on the other side's messages are not judged$/m,
    );
    const bothLines = `${line("subscriber")}\n${line("producer")}`;
    expect((await touchstone("validate", "--trace", writeFile("both.jsonl", bothLines))).out).not.toContain(
      "it contains only messages of",
    );
    const emptyRecording = await touchstone(
      "validate",
      "--trace",
      "--protocol",
      "aaep",
      writeFile("empty.jsonl", "\n"),
    );
    expect([emptyRecording.code, emptyRecording.err]).toEqual([2, expect.stringMatching(/the recording is empty/)]);
  });
});
