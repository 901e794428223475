import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { ownSchemas, type Protocol, protocolNamed, type Scenario } from "../../../schemas/index.ts";
import { recorderIn } from "./write.ts";

const ajv = new Ajv2020({ strict: false, schemas: Object.values(ownSchemas()) });
const matchesSchema = ajv.getSchema("https://touchstone.example/schemas/touchstone/recording.schema.json");
const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const protocol = protocolNamed("aaep");
const scenario: Scenario = { name: "plain", says: "…", rules: [], needs: [], withinMs: 1, play: async () => {} };
const playedScenario = { protocol, scenario, side: "producer", seed: 7 };

function readLines(file: string): Record<string, unknown>[] {
  const text = readFileSync(join(folder, file), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("a recording", () => {
  it("has a head, and a line for each message, in the published format", () => {
    const take = recorderIn(join(folder, "whole")).take(playedScenario);
    take.sent({ from: "reader", to: "producer", head: "POST /replies", text: '{"a":[1]}' });
    take.sent({ from: "producer", to: "reader", head: "HTTP 204", text: "" });
    take.sent({ from: "producer", to: "reader", text: "{torn" });
    take.end();
    const [head, ...lines] = readLines("whole/aaep/1.0/plain.jsonl");
    expect(head).toEqual({
      recording: 1,
      protocol: "aaep",
      version: "1.0",
      scenario: "plain",
      side: "producer",
      seed: 7,
    });
    expect(lines.map(({ ms: _, ...line }) => line)).toEqual([
      { from: "reader", to: "producer", head: "POST /replies", message: { a: [1] } },
      { from: "producer", to: "reader", head: "HTTP 204" },
      { from: "producer", to: "reader", text: "{torn" },
    ]);
    expect([head, ...lines].filter((line) => matchesSchema?.(line) !== true)).toEqual([]);
  });

  it("contains each line as soon as it is sent, even if the run is killed", () => {
    recorderIn(join(folder, "killed")).take(playedScenario).sent({ from: "a", to: "b", text: "1" });
    expect(readLines("killed/aaep/1.0/plain.jsonl")).toHaveLength(2);
  });

  it("ends with a gap when it is full", () => {
    const take = recorderIn(join(folder, "full"), 1000).take(playedScenario);
    for (let index = 0; index < 100; index++) take.sent({ from: "a", to: "b", text: "x".repeat(100) });
    take.end();
    const lines = readLines("full/aaep/1.0/plain.jsonl");
    expect(lines.length).toBeLessThan(12);
    expect(lines.at(-1)).toEqual({ ms: expect.any(Number), gap: "the recording is full: 1000 bytes" });
    expect(matchesSchema?.(lines.at(-1))).toBe(true);
  });

  it("stays in its folder, whatever the name of the scenario", () => {
    const recorder = recorderIn(join(folder, "inside"));
    recorder
      .take({
        ...playedScenario,
        protocol: { ...protocol, name: ".." } as Protocol,
        scenario: { ...scenario, name: "../../x" },
      })
      .end();
    expect(readLines("inside/_./1.0/_._.._x.jsonl")).toHaveLength(1);
  });

  it("that cannot be written is reported, and does not stop the run", () => {
    const recorder = recorderIn(join(folder, "taken"));
    expect(recorder.problem()).toBeUndefined();
    mkdirSync(join(folder, "taken/aaep/1.0/plain.jsonl"), { recursive: true });
    const take = recorder.take(playedScenario);
    take.sent({ from: "a", to: "b", text: "1" });
    take.end();
    expect(recorder.problem()).toMatch(/^not all is recorded: .*plain\.jsonl: EISDIR/);
  });

  it("is refused if its folder cannot be created", () => {
    writeFileSync(join(folder, "file"), "");
    expect(() => recorderIn(join(folder, "file", "under"))).toThrow(/recordings cannot be written there/);
    rmSync(join(folder, "file"));
  });
});
