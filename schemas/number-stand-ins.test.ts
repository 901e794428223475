import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "./folder.fixture.ts";
import type { JsonObject } from "./json.ts";
import { loadSchemas } from "./load.ts";
import {
  asMeant,
  exactText,
  numbersMeant,
  rawWithMeant,
  rawWithStandIns,
  StandIns,
  wordsWithMeant,
} from "./number-stand-ins.ts";
import { readJson } from "./text.ts";

async function loaded(text: string): Promise<JsonObject> {
  const { schemas } = await loadSchemas({ schema: join(folderWith({ "a.json": text }), "a.json"), lenient: true });
  return schemas[0] as JsonObject;
}

describe("doubles that replace inexact numbers", () => {
  it("are distinct and ordered like the numbers, also between doubles in the text", () => {
    const standIns = new StandIns({ isApart: true });
    standIns.keep({ value: [9007199254740992] });
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

  it("replace members of enum and const at any depth, and no number that is a double", async () => {
    const schema = await loaded('{"enum":[9007199254740992,9007199254740993,[{"a":18446744073709551615}],1e3,0.1]}');
    const meant = numbersMeant([schema]);
    expect([...meant.values()].toSorted()).toEqual(["18446744073709551615", "9007199254740993"]);
    expect((schema.enum as number[])[0]).toBe(9007199254740992);
    expect(exactText(schema.enum ?? null, (_, each) => meant.get(each))).toBe(
      '[9007199254740992,9007199254740993,[{"a":18446744073709551615}],1000,0.1]',
    );
  });

  it.each([
    ["18446744073709551615", true],
    ["18446744073709551616", false],
    ["18446744073709551614", true],
    ["18446744073709551615.5", false],
    ["1844674407370955161500e-2", true],
  ])("judge %s by its text: %s", async (text, isValid) => {
    const schema = await loaded('{"maximum":18446744073709551615}');
    const message = readJson(`[${text}]`, "m.json");
    const [value] = asMeant(message.value, (at) => message.number?.(at), [schema]) as [number];
    expect(value <= (schema.maximum as number)).toBe(isValid);
  });

  it("distinguish a number in a message from an unequal double in the schema", async () => {
    const message = readJson("9007199254740993", "m.json");
    expect(asMeant(message.value, (at) => message.number?.(at), [{ const: 9007199254740992 }])).not.toBe(
      9007199254740992,
    );
  });

  it("are replaced in texts outside strings, and back, but not in another spelling", () => {
    const meant = new Map([[9007199254740994, "9007199254740993"]]);
    const raw = '{"9007199254740994":[9007199254740994 ]';
    const text = '{"9007199254740994":[9007199254740993 ]';
    expect(rawWithMeant(raw, meant)).toBe(text);
    expect(rawWithStandIns(text, meant)).toBe(raw);
    expect(rawWithMeant("[9007199254740994.0]", meant)).toBeUndefined();
    expect(wordsWithMeant("c is 9007199254740994, not 90071992547409941", meant)).toBe(
      "c is 9007199254740993, not 90071992547409941",
    );
  });
});
