import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compareVersions, pairsOf } from "./index.ts";

async function describeDifferences(oldText: string, newText: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  writeFileSync(join(folder, "old.json"), oldText);
  writeFileSync(join(folder, "new.json"), newText);
  const pairs = await pairsOf(join(folder, "old.json"), join(folder, "new.json"), []);
  const { documents } = await compareVersions(pairs, {
    for: "both",
    failOn: "any",
    milliseconds: 600_000,
    onDocument: () => {},
    note: () => {},
  });
  return documents.flatMap(({ state, differences }) => [
    state,
    ...differences.map(
      ({ change, message, text = JSON.stringify(message), asserts }) => `${change} ${text}: ${asserts}`,
    ),
  ]);
}

it.each<[string, string, string[]]>([
  [
    '{"type":"integer","maximum":9223372036854775806}',
    '{"type":"integer","maximum":9223372036854775807}',
    ["differs", "accepted 9223372036854775807: maximum 9223372036854775806"],
  ],
  ['{"type":"integer","maximum":9223372036854775807}', '{"type":"integer","maximum":9223372036854775807}', ["same"]],
  [
    '{"enum":[9007199254740992,9007199254740993]}',
    '{"enum":[9007199254740992,9007199254740993,9007199254740995]}',
    ["differs", "accepted 9007199254740995: enum without 9007199254740995"],
  ],
  [
    '{"type":"number","minimum":0.1}',
    '{"type":"number","minimum":0.10000000000000000001}',
    ["differs", "refused 0.1: minimum 0.10000000000000000001"],
  ],
  [
    '{"type":"number","multipleOf":9007199254740993}',
    '{"type":"number","multipleOf":9007199254740995}',
    [
      "differs",
      "refused 9007199254740993: multipleOf 9007199254740995",
      "accepted 9007199254740995: multipleOf 9007199254740993",
    ],
  ],
])("distinguishes numbers with the same double: %s and %s", async (old, next, expected) => {
  expect(await describeDifferences(old, next)).toEqual(expected);
});
