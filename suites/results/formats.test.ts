import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import formatsPlugin from "ajv-formats";
import { afterAll, describe, expect, it } from "vitest";
import { type Answer, type Json, ownSchemas, type Report } from "../../schemas/index.ts";
import { sampleProtocol, vector, writeSet } from "../packs/corpus/sample.fixture.ts";
import { runSuite } from "../running/run/suite.ts";
import { type Question, type Target, TargetFailure } from "../targets/index.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true, schemas: Object.values(ownSchemas()) });
formatsPlugin.default(ajv);

/** The errors of a value against the schema of one of our formats. */
function findErrors(format: string, value: unknown): unknown[] {
  const validate = ajv.getSchema(`https://touchstone.example/schemas/touchstone/${format}.schema.json`);
  return validate?.(value) === true ? [] : (validate?.errors ?? [`there is no format ${format}`]);
}

const note = "sample/1.0/note";
const site = "https://example.org/note#/properties/title/minLength";
const vectorFolder = writeSet([
  {
    path: `${note}/valid.json`,
    document: "note",
    tests: [
      vector({ id: `${note}/valid/conforms`, data: { title: "a" } }),
      vector({ id: `${note}/valid/violates`, data: { title: "no" } }),
      vector({ id: `${note}/valid/errored`, data: { title: "throw" } }),
      vector({ id: `${note}/valid/timed-out`, data: { title: "hang" } }),
    ],
  },
  {
    path: `${note}/invalid.json`,
    document: "note",
    tests: [
      vector({
        id: `${note}/invalid/title/too-short`,
        valid: false,
        rule: "NOTE-ENV-001",
        site,
        at: "/title",
        data: { title: "no" },
        parent: `${note}/valid/conforms`,
        change: [{ op: "replace", path: "/title", value: "no" }],
      }),
      vector({ id: `${note}/invalid/accepted`, valid: false, level: "SHOULD", data: { title: "a" } }),
      vector({ id: `${note}/invalid/text`, valid: false, raw: "{", needs: ["raw-text"] }),
      vector({ id: `${note}/invalid/bytes`, valid: false, base64: "/w==" }),
    ],
  },
  {
    path: `${note}/disputed.json`,
    document: "note",
    tests: [
      vector({
        id: `${note}/disputed/zone`,
        readings: [
          { verdict: "valid", by: ["one"] },
          { verdict: "invalid", by: ["two"] },
        ],
      }),
    ],
  },
]);

afterAll(() => rmSync(vectorFolder, { recursive: true }));

/** A target that fails in every way that a report can show. */
function makeTarget(): Target {
  return {
    kind: "module",
    name: "fake",
    claims: ["big-numbers"],
    concurrency: 4,
    open: async () => {},
    skips: () => undefined,
    async check({ data, bytes }: Question): Promise<Answer> {
      const { title } = (data ?? {}) as { title?: string };
      if (title === "throw") throw new TargetFailure("errored", "crash", "it crashed");
      if (title === "hang") throw new TargetFailure("timed-out", "answer", "no answer");
      if (title === "no") return { verdict: "rejected", reasons: [{ at: "/body", code: 7, message: "no body" }] };
      return { verdict: bytes === undefined ? "accepted" : "rejected", reasons: [] };
    },
    close: async () => {},
  };
}

describe("a report", () => {
  const run = (make: () => Target): Promise<Report> =>
    runSuite({ protocols: [sampleProtocol()], target: make, vectors: vectorFolder });

  it("matches the published format for all outcomes", async () => {
    const report = await run(makeTarget);
    const outcomes = new Set(report.runs[0]?.results.map(({ outcome }) => outcome));
    // Only retries show that a result is flaky.
    expect([...outcomes, "flaky"].sort()).toEqual(Object.keys(report.counts).sort());
    expect(findErrors("report", JSON.parse(JSON.stringify(report)))).toEqual([]);
    expect(findErrors("report", { ...report, counts: {} })).not.toEqual([]);
  });

  it("matches the published format even if the target cannot be opened", async () => {
    const open = (): Promise<void> => Promise.reject(new Error("not today"));
    const report = await run(() => ({ ...makeTarget(), open }));
    expect(report.runs[0]?.failure).toEqual({ stage: "open", message: "not today" });
    expect(findErrors("report", JSON.parse(JSON.stringify(report)))).toEqual([]);
  });
});

/** An adapter that records every line that it receives and sends. */
const adapter = `
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
const record = (line) => appendFileSync(process.argv[2], line + "\\n");
const say = (message) => { record(JSON.stringify(message)); process.stdout.write(JSON.stringify(message) + "\\n"); };
for await (const line of createInterface({ input: process.stdin })) {
  record(line);
  const { command, seq, data } = JSON.parse(line);
  if (command === "hello") say({ ready: true, name: "recorder", claims: ["raw-text"] });
  else if (command === "check" && data === undefined) say({ seq, skipped: "values only" });
  else if (data?.title === "throw") say({ seq, error: "it crashed" });
  else if (command === "check") say({ seq, valid: false, errors: [{ at: "/title", code: 7 }] });
}
`;

describe("the conversation with a command", () => {
  it("matches the published format in both directions, to the last line", async () => {
    const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
    const record = join(folder, "record.jsonl");
    writeFileSync(join(folder, "adapter.mjs"), adapter);
    const command = `"${process.execPath}" "${join(folder, "adapter.mjs")}" "${record}"`;
    await runSuite({ protocols: [sampleProtocol()], target: { kind: "command", command }, vectors: vectorFolder });
    const messages = readFileSync(record, "utf8")
      .trimEnd()
      .split("\n")
      .map((line): Json => JSON.parse(line));
    rmSync(folder, { recursive: true });
    expect(messages.flatMap((message) => findErrors("wire", message))).toEqual([]);
    expect(messages[0]).toMatchObject({ command: "hello", protocol: "sample" });
    expect(messages.at(-1)).toEqual({ command: "stop" });
    for (const member of ["data", "text", "base64", "valid", "skipped", "error"]) {
      expect(
        messages.some((message) => Object.hasOwn(message as object, member)),
        member,
      ).toBe(true);
    }
    expect(findErrors("wire", { ...(messages[2] as object), id: `${note}/valid/conforms` })).not.toEqual([]);
  });
});
