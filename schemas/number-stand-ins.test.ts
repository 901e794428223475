import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "./folder.fixture.ts";
import type { JsonObject } from "./json.ts";
import { loadSchemas } from "./load.ts";
import {
  exactNumbersIn,
  exactText,
  rawWithExactNumbers,
  rawWithStandIns,
  StandIns,
  withMessageStandIns,
  wordsWithExactNumbers,
} from "./number-stand-ins.ts";
import { readJson } from "./text.ts";

async function loadSchema(text: string): Promise<JsonObject> {
  const { schemas } = await loadSchemas({ schema: join(folderWith({ "a.json": text }), "a.json"), lenient: true });
  return schemas[0] as JsonObject;
}

describe("doubles that replace inexact numbers", () => {
  it("are distinct and ordered like the numbers, even between doubles in the text", () => {
    const standIns = new StandIns({ hasSeparateBounds: true });
    standIns.reserve({ value: [9007199254740992] });
    const texts = ["9007199254740993", "9007199254740995", "9007199254740993.5", "-9007199254740993"];
    const doubles = standIns.ordered(texts);
    expect(doubles.map(([, text]) => text)).toEqual([
      "-9007199254740993",
      "9007199254740993",
      "9007199254740993.5",
      "9007199254740995",
    ]);
    expect(new Set(doubles.map(([double]) => double)).size).toBe(4);
    expect(doubles.map(([double]) => double)).toEqual(doubles.map(([double]) => double).toSorted((a, b) => a - b));
    expect(doubles.map(([double]) => double)).not.toContain(9007199254740992);
  });

  it("replace numbers in enum and const at any depth, but not numbers that are doubles", async () => {
    const schema = await loadSchema(
      '{"enum":[9007199254740992,9007199254740993,[{"a":18446744073709551615}],1e3,0.1]}',
    );
    const exactNumbers = exactNumbersIn([schema]);
    expect([...exactNumbers.values()].toSorted()).toEqual(["18446744073709551615", "9007199254740993"]);
    expect((schema.enum as number[])[0]).toBe(9007199254740992);
    expect(exactText(schema.enum ?? null, (_, each) => exactNumbers.get(each))).toBe(
      '[9007199254740992,9007199254740993,[{"a":18446744073709551615}],1000,0.1]',
    );
  });

  it.each([
    ["18446744073709551615", true],
    ["18446744073709551616", false],
    ["18446744073709551614", true],
    ["18446744073709551615.5", false],
    ["1844674407370955161500e-2", true],
  ])("judge %s exactly: valid is %s", async (text, isValid) => {
    const schema = await loadSchema('{"maximum":18446744073709551615}');
    const message = readJson(`[${text}]`, "m.json");
    const [value] = withMessageStandIns(message.value, (at) => message.number?.(at), [schema]) as [number];
    expect(value <= (schema.maximum as number)).toBe(isValid);
  });

  it("distinguish a number in a message from an unequal double in the schema", async () => {
    const message = readJson("9007199254740993", "m.json");
    expect(withMessageStandIns(message.value, (at) => message.number?.(at), [{ const: 9007199254740992 }])).not.toBe(
      9007199254740992,
    );
  });

  it("are replaced outside of strings, in both directions, but not in a different spelling", () => {
    const exactNumbers = new Map([[9007199254740994, "9007199254740993"]]);
    const raw = '{"9007199254740994":[9007199254740994 ]';
    const text = '{"9007199254740994":[9007199254740993 ]';
    expect(rawWithExactNumbers(raw, exactNumbers)).toBe(text);
    expect(rawWithStandIns(text, exactNumbers)).toBe(raw);
    expect(rawWithExactNumbers("[9007199254740994.0]", exactNumbers)).toBeUndefined();
    expect(wordsWithExactNumbers("c is 9007199254740994, not 90071992547409941", exactNumbers)).toBe(
      "c is 9007199254740993, not 90071992547409941",
    );
  });
});
