import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  builtInPacks,
  documentNamed,
  type JsonObject,
  type Level,
  levels,
  protocolNamed,
  readPack,
} from "../../../schemas/index.ts";
import { shardOf } from "../../../schemas/part.fixture.ts";
import { loadVectors } from "../corpus/index.ts";
import { type Recognized, recognize } from "./recognize.ts";
import { countsAsFailure, renderFiles } from "./render.ts";
import { validate } from "./validate.ts";

const base: JsonObject = {
  message_id: "6513270e-269e-4d37-b2a7-4de452e6b438",
  timestamp: "2026-01-15T09:30:00Z",
  sender: "orchestrator-main",
  recipient: "specialist-code",
};

async function failuresIn(document: string, message: JsonObject): Promise<string[]> {
  const violations = await validate("agent-conventions", document, message);
  return violations.filter((violation) => countsAsFailure(violation)).map(({ rule, at }) => `${rule} ${at}`);
}

function sampleOf(protocol: string, document: string): JsonObject {
  return documentNamed(protocolNamed(protocol), document).samples?.[0] as JsonObject;
}

describe("a string on which validators disagree", () => {
  const $id = "https://example.org/mail";
  const properties = { mail: { format: "email" }, host: { format: "hostname" } };
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const dialect = "https://json-schema.org/draft/2020-12/schema";
  writeFileSync(join(folder, "mail.schema.json"), JSON.stringify({ $schema: dialect, $id, properties }));
  const profile = { protocol: "mail", formats: "assert", documents: [{ file: "mail.schema.json" }] };
  writeFileSync(join(folder, "profile.json"), JSON.stringify(profile));
  const findingsFor = async (instance: JsonObject): Promise<string[]> =>
    (await validate(readPack(folder), "mail", instance)).map(({ at, level, why }) => `${level} ${at} ${why}`);
  const disputedFinding = (mail: string): string =>
    `NOTE /mail is ${JSON.stringify(mail)}, and must match format "email": disputed, since validators differ on it`;

  it("is reported as disputed, which is not a violation, as in a run", async () => {
    for (const mail of ["a@[127.0.0.1]", '"a b"@example.org'])
      expect(await findingsFor({ mail })).toEqual([disputedFinding(mail)]);
  });

  it("does not hide other faults, or excuse a message that all validators refuse", async () => {
    const host = 'MUST /host is "-", and must match format "hostname"';
    expect(await findingsFor({ mail: "a@[127.0.0.1]", host: "-" })).toEqual([disputedFinding("a@[127.0.0.1]"), host]);
    expect(await findingsFor({ mail: "nope" })).toEqual(['MUST /mail is "nope", and must match format "email"']);
    expect(await findingsFor({ mail: "a@example.org", host: "example.org" })).toEqual([]);
  });
});

describe("a value with two allowed spellings", () => {
  const longSpelling = { ...sampleOf("aaep", "agent.awaiting.confirmation") };
  longSpelling.type = String(longSpelling.type).replace("aaep:", "https://aaep-protocol.org/types/");
  const failuresOf = async (instance: JsonObject): Promise<string[]> => {
    const recognized = recognize([protocolNamed("aaep")], instance);
    const { document } = recognized as Recognized;
    return (await validate("aaep", document.name, instance))
      .filter((violation) => countsAsFailure(violation))
      .map(({ rule, at }) => `${document.name}: ${rule} ${at}`);
  };

  it("is not a fault, and is checked by the schema of the intended document", async () => {
    expect(await failuresOf(longSpelling)).toEqual([]);
    expect((await validate("aaep", "agent.awaiting.confirmation", longSpelling)).map(({ rule }) => rule)).toContain(
      "AAEP-ENV-009",
    );
    const { reply_token: _, ...rest } = longSpelling;
    expect(await failuresOf({ ...rest, default_decision: "perhaps" } as JsonObject)).toEqual([
      "agent.awaiting.confirmation: AAEP-CONF-001 ",
      "agent.awaiting.confirmation: AAEP-CONF-002 /default_decision",
    ]);
  });

  it("does not select a document that does not exist", async () => {
    const unknownEvent = { ...longSpelling, type: "https://aaep-protocol.org/types/agent.state.paused" };
    expect((await validate("aaep", "agent.awaiting.confirmation", unknownEvent)).map(({ rule }) => rule)).toContain(
      "AAEP-ENV-006",
    );
  });
});

describe("a string in a wrong format", () => {
  const findingsOn = async (protocol: string, document: string, change: JsonObject): Promise<string[]> =>
    (await validate(protocol, document, { ...sampleOf(protocol, document), ...change })).map(
      ({ rule, level, at, why }) => `${level} ${rule} ${at} ${why}`,
    );

  it("gets only one finding if a rule also covers it", async () => {
    expect(await findingsOn("aaep", "agent.session.completed", { timestamp: "2026-03-01T12:00:60Z" })).toEqual([
      'MUST AAEP-ENV-015 /timestamp is "2026-03-01T12:00:60Z", which is not a time of the calendar',
    ]);
    const { metadata } = sampleOf("agentformat", "agent");
    const homepage = async (text: string): Promise<string[]> =>
      (await findingsOn("agentformat", "agent", { metadata: { ...(metadata as JsonObject), homepage: text } })).filter(
        (finding) => finding.includes("homepage"),
      );
    expect(await homepage("not a uri")).toEqual([
      'MUST AGF-META-007 /metadata/homepage is "not a uri", which is not a URI',
    ]);
    expect((await homepage("https://a.example/%zz")).map((finding) => finding.split(" ")[0])).toEqual(["SHOULD"]);
  });
});

describe("validate", () => {
  it("finds both faults of an assignment: a nested id, and an endpoint instead of a path", async () => {
    const resources = [
      { type: "file", path: "src/login.ts" },
      { type: "api", endpoint: "https://api.example.org/login" },
    ];
    const task = { task_id: "CODE-100", description: "Write the login form.", resources };
    expect(await failuresIn("task", { ...base, message_type: "task.assignment", task })).toEqual([
      "CONV-TASK-001 ",
      "CONV-TASK-004 /task/resources/1",
    ]);
  });

  it("finds the three faults of an escalation that wraps everything in one member", async () => {
    const error = { severity: "HIGH", category: "resource", description: "No answer.", task_id: "CODE-100" };
    const failures = await failuresIn("escalation", { ...base, message_type: "escalation.error", error });
    expect(failures.sort()).toEqual(["CONV-BASE-007 ", "CONV-ESC-001 ", "CONV-ESC-002 "]);
  });

  it("refuses an agent interface that contains strings instead of schemas", async () => {
    const agent = { ...sampleOf("agentformat", "agent"), interface: { input: "string", output: "string" } };
    const violations = await validate("agentformat", "agent", agent);
    expect(violations.filter((violation) => countsAsFailure(violation)).map(({ at }) => at)).toEqual([
      "/interface/input",
      "/interface/output",
    ]);
  });

  it("finds a signature that is three bytes short, and an address with a wrong checksum", async () => {
    const sample = sampleOf("snap", "envelope");
    const short = await validate("snap", "envelope", { ...sample, sig: "ab".repeat(61) });
    expect(short.filter((violation) => countsAsFailure(violation)).map(({ at }) => at)).toEqual(["/sig"]);
    const from = `${String(sample.from).slice(0, -1)}${String(sample.from).endsWith("q") ? "p" : "q"}`;
    const foreign = await validate("snap", "envelope", { ...sample, from });
    expect(foreign.filter((violation) => countsAsFailure(violation)).map(({ at }) => at)).toContain("/from");
  });

  it("finds violations of semantic rules, with their levels", async () => {
    const message = { ...base, message_type: "task.failed", task_id: "CODE-1", task: { dependencies: ["CODE-1"] } };
    const violations = await validate("agent-conventions", "task", message);
    expect(violations.map(({ rule, level }) => `${rule} ${level}`).sort()).toEqual([
      "CONV-TASK-002 SHOULD",
      "CONV-TASK-009 MUST",
      "CONV-TASK-010 SHOULD",
      "CONV-TASK-013 MUST",
    ]);
    expect(violations.filter((violation) => countsAsFailure(violation))).toHaveLength(2);
    expect(violations.filter((violation) => countsAsFailure(violation, "should"))).toHaveLength(4);
  });

  it.each(builtInPacks.map(({ name }) => name))(
    "reports each schema fault of %s at least at the level of its vector",
    async (name) => {
      const protocol = protocolNamed(name);
      const weight = (level: Level): number => levels.indexOf(level);
      const shard = shardOf(6);
      let count = 0;
      for (const { document, tests } of loadVectors(protocol).files) {
        for (const { id, data, valid, site, level = "MUST" } of tests) {
          if (valid !== false || site === undefined || data === undefined) continue;
          count += 1;
          if (shard !== undefined && count % shard.count !== shard.index - 1) continue;
          const violations = await validate(protocol, document, data);
          const mostSevere = Math.min(...violations.map((violation) => weight(violation.level)));
          expect(mostSevere, id).toBeLessThanOrEqual(weight(level));
        }
      }
      expect(count).toBeGreaterThan(500);
    },
  );

  it("refuses a document that does not exist", async () => {
    await expect(validate("agent-conventions", "tusk", base)).rejects.toThrow('did you mean "task"?');
    await expect(validate("agent-convention", "task", base)).rejects.toThrow('did you mean "agent-conventions"?');
  });
});

describe("many files", () => {
  it("are counted at the end, but a single file is not", () => {
    const file = { file: "a.json", protocol: "", version: "", document: "note", findings: [] };
    const violation = { at: "", level: "MUST", why: "is wrong", line: 1, column: 1 } as const;
    const text = renderFiles([
      file,
      { ...file, findings: [violation] },
      { ...file, findings: [{ ...violation, level: "MAY" }] },
    ]);
    expect(text).toMatch(/3 files: 1 with faults, 1 only with advice, 1 without findings\n$/);
    expect(renderFiles([file])).not.toContain("files:");
    const noted = renderFiles([file, { ...file, findings: [{ ...violation, level: "NOTE" }] }]);
    expect(noted).toContain("  0 wrong, 0 advised against, 1 noted\n");
    expect(noted).toMatch(/2 files: 0 with faults, 0 only with advice, 2 without findings\n$/);
  });
});
