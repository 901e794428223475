import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { builtTexts, protocolNamed } from "../../schemas/index.ts";
import { withSkeleton } from "./skeleton.ts";

const copy = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(copy, { recursive: true }));
const ours = protocolNamed("agent-conventions");
const folder = join(copy, "pack");
cpSync(ours.folder, folder, { recursive: true });
const protocol = { ...ours, folder };

it("writes a rule behind those of its family, which is one once it is filled in", () => {
  const { file, text, line } = withSkeleton(protocol, "CONV-STAT-009");
  expect(file).toMatch(/rules.status\.yaml$/);
  expect(text.split("\n")[line - 1]).toBe("  CONV-STAT-009:");
  expect(text).toContain("from: status");
  writeFileSync(file, text);
  const list = (): string => builtTexts(folder).get("rules.json") as string;
  const ids = [...list().matchAll(/"id": "(CONV-(?:STAT|COORD)-[0-9]+)"/g)].map(([, id]) => id);
  expect(ids.slice(ids.indexOf("CONV-STAT-009") - 1).slice(0, 3)).toEqual([
    ...["CONV-STAT-006", "CONV-STAT-009", "CONV-COORD-001"],
  ]);
  writeFileSync(file, text.replaceAll("/…", "/status").replaceAll("…", "something"));
  expect(list()).toContain('"statement": "something"');
});

it("refuses an id that is there, and one of no family", () => {
  expect(() => withSkeleton(protocol, "CONV-STAT-001")).toThrow(/there can be no new rule CONV-STAT-001/);
  expect(() => withSkeleton(protocol, "CONV-NONE-001")).toThrow(/CONV-STAT/);
});
