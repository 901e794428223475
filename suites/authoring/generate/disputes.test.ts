import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Manifest } from "../../../schemas/index.ts";
import { describeDisputes } from "./disputes.ts";

it("counts disputed vectors by cause: validators that disagree, or two right answers", () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  const [valid, invalid] = [
    { verdict: "valid", by: ["hyperjump", "decimal"] },
    { verdict: "invalid", by: ["ajv"] },
  ];
  const disagreement = { readings: [valid, { ...invalid, site: "https://example.org/list#/contains" }] };
  const eitherAnswer = { readings: [valid, { verdict: "invalid", by: ["implementations"], why: "a leap second" }] };
  const manifest = (tests: object[]) => {
    writeFileSync(join(folder, "disputed.json"), JSON.stringify({ tests }));
    const files = [
      { path: "disputed.json", kind: "disputed", count: tests.length },
      { path: "valid.json", kind: "valid", count: 7 },
    ];
    return { files } as unknown as Manifest;
  };
  expect(describeDisputes(folder, manifest([disagreement, eitherAnswer, disagreement]))).toEqual([
    "3 of 10 vectors are disputed, and a wrong answer to them is not reported",
    "  2: ajv refuses at #/contains, hyperjump and exact decimal arithmetic accept",
    "  1: right either way: a leap second",
  ]);
  expect(describeDisputes(folder, manifest([eitherAnswer]))).toEqual([]);
  rmSync(folder, { recursive: true });
});
