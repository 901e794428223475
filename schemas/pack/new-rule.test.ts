import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { builtTexts, protocolNamed } from "../index.ts";
import { withNewRule } from "./new-rule.ts";

const copy = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(copy, { recursive: true }));
const builtInProtocol = protocolNamed("agent-conventions");
const folder = join(copy, "pack");
cpSync(builtInProtocol.folder, folder, { recursive: true });
const protocol = { ...builtInProtocol, folder };

it("adds a rule after the others of its family, valid once it is filled in", () => {
  const { file, text, line } = withNewRule(protocol, "CONV-STAT-009");
  expect(file).toMatch(/rules.status\.yaml$/);
  expect(text.split("\n")[line - 1]).toBe("  CONV-STAT-009:");
  expect(text).toContain("from: status");
  writeFileSync(file, text);
  const list = (): string => builtTexts(folder).get("rules.json") as string;
  const ids = [...list().matchAll(/"id": "(CONV-(?:STAT|COORD)-[0-9]+)"/g)].map(([, id]) => id);
  expect(ids.slice(ids.indexOf("CONV-STAT-009") - 1).slice(0, 3)).toEqual([
    "CONV-STAT-006",
    "CONV-STAT-009",
    "CONV-COORD-001",
  ]);
  writeFileSync(file, text.replaceAll("/…", "/status").replaceAll("…", "something"));
  expect(list()).toContain('"statement": "something"');
});

it("refuses an existing id, and a string that is not an id", () => {
  expect(() => withNewRule(protocol, "CONV-STAT-001")).toThrow(/there is a rule CONV-STAT-001/);
  expect(() => withNewRule(protocol, "CONV-STAT")).toThrow(/"CONV-STAT" is not the id of a rule/);
});

it("adds the first rule of a family to the only file of rules, or to a new file", () => {
  const pack = { ...protocol, folder: join(copy, "bare"), rules: [] };
  const firstAddition = withNewRule(pack, "ORDER-SUM-001");
  expect([firstAddition.file, firstAddition.line]).toEqual([join(copy, "bare", "rules", "order.yaml"), 2]);
  expect(firstAddition.text).toMatch(/^rules:\n {2}ORDER-SUM-001:\n/);
  mkdirSync(join(copy, "bare", "rules"), { recursive: true });
  writeFileSync(firstAddition.file, firstAddition.text);
  const secondAddition = withNewRule(pack, "ORDER-READ-001");
  expect([secondAddition.file, secondAddition.line]).toEqual([
    firstAddition.file,
    firstAddition.text.split("\n").length + 1,
  ]);
  writeFileSync(join(copy, "bare", "rules", "line.yaml"), firstAddition.text.replace("SUM", "LINE"));
  expect(withNewRule(pack, "ORDER-READ-ONCE-001").file).toMatch(/rules.read-once\.yaml$/);
});
