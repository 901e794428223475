import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type JsonObject, originsFile, profileFile } from "../../../schemas/index.ts";
import { mergeRules, rulesFile } from "./kept-rules.ts";
import { packFrom } from "./skeleton.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const writeJson = (file: string, value: object): void => writeFileSync(join(folder, file), JSON.stringify(value));
const rule = (id: string, statement: string): JsonObject => ({ id, statement });
const generatedRules = [rule("A-001", "made"), rule("B-001", "made")];

/** Merges rules and writes the result, as a command does. */
function mergeAndWrite(rules: readonly JsonObject[]): ReturnType<typeof mergeRules> {
  const mergedRules = mergeRules(folder, rules);
  if (mergedRules.value !== undefined) writeJson(rulesFile, mergedRules.value);
  writeJson(originsFile, { rules: mergedRules.digests });
  return mergedRules;
}

it("replaces previously generated rules without a note", () => {
  mergeAndWrite(generatedRules);
  const { value, notes } = mergeAndWrite([rule("A-001", "made otherwise")]);
  expect([value?.rules, notes]).toEqual([[rule("A-001", "made otherwise")], []]);
});

it("keeps added and changed rules of the user, and reports them", () => {
  mergeAndWrite(generatedRules);
  writeJson(rulesFile, {
    note: "ours",
    rules: [rule("A-001", "changed"), rule("B-001", "made"), rule("MY-001", "added")],
  });
  for (const _ of ["once", "and again"]) {
    const { value, notes } = mergeAndWrite(generatedRules);
    expect(value).toEqual({
      note: "ours",
      rules: [rule("B-001", "made"), rule("A-001", "changed"), rule("MY-001", "added")],
    });
    expect(notes).toEqual([expect.stringContaining("2 of your rules are kept: A-001, MY-001")]);
  }
});

it("treats all rules of a pack as the user's if no record says which were generated", () => {
  writeJson(rulesFile, { rules: [rule("A-001", "made"), rule("OLD-001", "there")] });
  expect(mergeRules(folder, generatedRules).value?.rules).toEqual([...generatedRules, rule("OLD-001", "there")]);
});

it("refuses a file that it cannot read, rather than replacing it", () => {
  writeFileSync(join(folder, rulesFile), "- id: A-001\n");
  expect(() => mergeRules(folder, generatedRules)).toThrow(rulesFile);
  writeJson(rulesFile, { rules: "none" });
  expect(() => mergeRules(folder, generatedRules)).toThrow("would be lost");
});

it("writes no file if there are no rules", () => {
  expect(mergeRules(folder, [])).toEqual({ value: undefined, digests: {}, notes: [] });
});

it("leaves the layout of a profile and of rules alone if their content is the same", async () => {
  const description = join(folder, "shop.json");
  const body = { content: { "application/json": { schema: { type: "object", required: ["id"] } } } };
  const post = { operationId: "add", requestBody: body, responses: { 201: { description: "added", ...body } } };
  writeJson("shop.json", { openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths: { "/items": { post } } });
  const { texts } = await packFrom(description, { out: folder });
  const [profile, rules] = [profileFile, rulesFile].map((file) => JSON.parse(texts.get(file) ?? "null"));
  // On one line each, as only an author would write them.
  writeJson(profileFile, { ...profile, fresh: ["/id"] });
  writeJson(rulesFile, rules);
  const secondPack = await packFrom(description, { out: folder });
  expect([profileFile, rulesFile].filter((file) => secondPack.texts.has(file))).toEqual([]);
  writeJson(profileFile, { ...profile, formats: "assert", title: "Another" });
  const changedProfile = (await packFrom(description, { out: folder })).texts.get(profileFile) ?? "";
  expect(JSON.parse(changedProfile)).toMatchObject({ formats: "assert", title: "Shop" });
});
