import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Json, protocolNamed } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { touchstone } from "../process.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));

function written(name: string, text: string): string {
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
  it("prints line, rule and reason of each fault, and ends with 1", async () => {
    const wrong = written("wrong.json", JSON.stringify({ ...handoff, task_id: "CODE-1", severity: "HIGH" }, null, 2));
    const right = written("right.json", JSON.stringify({ ...handoff, message_type: "task.update", task_id: "CODE-1" }));
    const { code, out } = await touchstone("validate", wrong, right, "--protocol", "agent-conventions");
    expect(code).toBe(1);
    expect(out).toMatch(/wrong\.json: task of agent-conventions 1\.0/);
    expect(out).toMatch(/MUST\s+CONV-BASE-007/);
    expect(out).toMatch(/right\.json/);
  });

  it("gives data, and counts advice only on request", async () => {
    const file = written("advised.json", JSON.stringify({ ...handoff, task_id: "CODE-1" }));
    const asked = ["validate", file, "--protocol", "agent-conventions", "--json"];
    const lenient = await touchstone(...asked);
    const strict = await touchstone(...asked, "--fail-on", "should");
    expect([lenient.code, strict.code]).toEqual([0, 1]);
    const [{ document, findings }] = JSON.parse(lenient.out) as [{ document: string; findings: { level: string }[] }];
    expect(document).toBe("task");
    expect(new Set(findings.map(({ level }) => level))).toEqual(new Set(["SHOULD"]));
  });

  it("judges a recorded session, and names the wrong message", async () => {
    const { files } = loadVectors(protocolNamed("aaep"));
    const sessions = files.filter(({ document }) => document === "session").flatMap(({ tests }) => tests);
    const recorded = (valid: boolean): string => {
      const { data = [] } =
        sessions.find((session) => session.valid === valid && session.rule === "AAEP-ENV-012") ?? {};
      return written(`${valid}.jsonl`, (data as Json[]).map((entry) => JSON.stringify(entry)).join("\n"));
    };
    const { code, out } = await touchstone("validate", "--trace", recorded(false), recorded(true));
    expect(code).toBe(1);
    const [wrong, right] = out.split("\n\n");
    expect(wrong).toMatch(
      /false\.jsonl: session of aaep 1\.0[\s\S]*\n +2:1 +MUST AAEP-ENV-012 \(producer\) .*\n[\s\S]* 1 wrong/,
    );
    expect(right).toMatch(/true\.jsonl: session of aaep 1\.0\n[\s\S]*(nothing is|0) wrong/);
  });

  it("judges the other files if one cannot be read or recognized", async () => {
    const right = written("known.json", JSON.stringify({ ...handoff, message_type: "task.update", task_id: "CODE-1" }));
    const strange = written("strange.json", JSON.stringify({ hello: "world" }));
    const { code, out, err } = await touchstone("validate", join(folder, "none.json"), strange, right);
    expect(code).toBe(2);
    expect(out).toMatch(/known\.json: task of agent-conventions 1\.0\n[\s\S]*(nothing is|0) wrong/);
    expect(err).toMatch(/not judged: the file ".*none\.json" does not exist/);
    expect(err).toMatch(/not judged: .*strange\.json: the document of this message cannot be recognized/);
  });

  it("reports a line that cannot be read, and judges the rest as a session with a gap", async () => {
    const task = { ...handoff, message_type: "task.update", task_id: "CODE-1" };
    const other = { ...task, message_id: "6513270e-269e-4d37-b2a7-4de452e6b439", recipient: "a b" };
    const torn = JSON.stringify(task).slice(0, 50);
    const plain = await touchstone(
      ...["validate", "--trace", written("torn.jsonl", [JSON.stringify(task), torn, JSON.stringify(other)].join("\n"))],
    );
    expect(plain.code).toBe(1);
    expect(plain.out).toMatch(/exchange of agent-conventions 1\.0\n.*\n +2:51 +MUST {2}.*\n +3:1 +MUST CONV-BASE-004/);

    const { files } = loadVectors(protocolNamed("aaep"));
    const sessions = files.filter(({ document }) => document === "session").flatMap(({ tests }) => tests);
    const whole = sessions.find(({ valid, rule }) => valid && rule === "AAEP-ENV-026")?.data;
    const lines = (whole as Json[]).map((entry) => JSON.stringify(entry));
    const cut = lines.map((line, index) => (index === 2 ? "{" : line));
    const missing = lines.filter((_, index) => index !== 2);
    const one = await touchstone("validate", "--trace", "--json", written("cut.jsonl", cut.join("\n")));
    const none = await touchstone("validate", "--trace", "--json", written("missing.jsonl", missing.join("\n")));
    const wrong = ({ out }: { out: string }): string[] =>
      (JSON.parse(out) as [{ findings: { level: string; line: number; rule?: string }[] }])[0].findings
        .filter(({ level }) => level === "MUST")
        .map(({ line, rule }) => `${line} ${rule}`);
    expect([one.code, wrong(one)]).toEqual([1, ["3 undefined"]]);
    expect(wrong(none).length).toBeGreaterThan(0);

    const broken = await touchstone("validate", "--trace", written("broken.jsonl", "{\n\n[1,"));
    expect([broken.code, broken.out]).toEqual([1, expect.stringMatching(/unreadable\n +1:2 +MUST.*\n +3:4 +MUST/)]);
  });

  it("accepts plain messages, one per line, and names the party at fault for each", async () => {
    const task = { ...handoff, message_type: "task.update", task_id: "CODE-1" };
    const lines = [task, { ...task, message_id: "6513270e-269e-4d37-b2a7-4de452e6b439", recipient: "a b" }];
    const file = written("plain.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));
    const { code, out } = await touchstone("validate", "--trace", file);
    expect(code).toBe(1);
    expect(out).toMatch(/2:1 +MUST CONV-BASE-004 \(orchestrator-main\) {2}\/recipient/);
  });

  it("judges a message without a schema of the protocol by the rules alone, and refuses an empty recording", async () => {
    const close = { type: "subscription.close", subscription_id: "sub_p4", farewell: "Bye." };
    const more = await touchstone("validate", written("close.json", JSON.stringify(close)));
    expect([more.code, more.out]).toEqual([
      0,
      expect.stringMatching(/subscription-change of aaep 1\.0\n +no violations/),
    ]);
    const bare = await touchstone("validate", written("bare.json", JSON.stringify({ type: "subscription.close" })));
    expect([bare.code, bare.out]).toEqual([1, expect.stringMatching(/1 wrong/)]);
    const line = (from: string): string => JSON.stringify({ from, message: close });
    const alone = await touchstone("validate", "--trace", written("alone.jsonl", line("subscriber")));
    expect(alone.out).toMatch(
      /^ {2}it has only lines of the subscriber: findings that need the other side's messages are left out$/m,
    );
    const both = `${line("subscriber")}\n${line("producer")}`;
    expect((await touchstone("validate", "--trace", written("both.jsonl", both))).out).not.toContain("no line but");
    const empty = await touchstone("validate", "--trace", "--protocol", "aaep", written("empty.jsonl", "\n"));
    expect([empty.code, empty.err]).toEqual([2, expect.stringMatching(/the recording is empty/)]);
  });
});
