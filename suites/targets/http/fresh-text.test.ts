import { describe, expect, it } from "vitest";
import type { Freshness, Question } from "../../../schemas/index.ts";
import { isSame, refreshText } from "./fresh-text.ts";

const id: Freshness = { at: "/id", make: "uuid" };
const inner: Freshness = { at: "/order/code", make: "token", prefix: "c-" };
const occasion = { keep: [], seed: 7, now: Date.parse("2030-02-03T04:05:06Z") };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("makes the member fresh, and keeps the fault of a text with", () => {
  it.each([
    ["a comma too many", '{"id": "old", "n": [1,],}'],
    ["a comment", '{"id":"old"/* old */}'],
    ["something after the end", `{"n":{"id":"x"},"id":"old"} {"id":"old"}`],
    ["a byte that is not UTF-8", '{"id":"old","n":"\u00ff"}'],
  ])("%s", (_, text) => {
    const refreshed = refreshText(text, [id], occasion);
    const made = /"id" ?: ?"([0-9a-f-]{36})"/.exec(refreshed)?.[1] as string;
    expect(made).toMatch(uuid);
    expect(refreshed.replaceAll(made, "old")).toBe(text);
    expect(refreshText(text, [id], { ...occasion, seed: 8 })).not.toBe(refreshed);
    expect(refreshText(text, [id], occasion)).toBe(refreshed);
  });

  it.each([
    [
      "all",
      '{"\\u0069d":"\\u006f\\u006c\\u0064","n":"\\u006f"}',
      /^\{"\\u0069d":"((?:\\u00[0-9a-f]{2}){36})","n":"\\u006f"\}$/,
    ],
    ["all, in capitals", '{"id":"\\u006F\\u006C\\u0064"}', /^\{"id":"((?:\\u00[0-9A-F]{2}){36})"\}$/],
    ["the first", '{"id":"\\u006fld"}', /^\{"id":"(\\u00[0-9a-f]{2}[0-9a-f-]{35})"\}$/],
  ])("replaces the member even if its characters are escaped: %s", (_, text, written) => {
    const [, made] = written.exec(refreshText(text, [id], occasion)) ?? [];
    expect(JSON.parse(`"${made}"`)).toMatch(uuid);
  });

  it("replaces the member at any depth", () => {
    expect(refreshText('{"order":{"code":"x"},"code":"x",}', [inner], occasion)).toMatch(
      /^{"order":{"code":"c-[0-9a-f]+"},"code":"x",}$/,
    );
  });
});

describe("a text stays as it is", () => {
  it.each<[string, string, readonly string[]]>([
    ["if the vector is about that member", '{"id":"old",}', ["/id"]],
    ["if the member is not a text", '{"id":7}', []],
    ["if the member is missing", "[", []],
  ])("%s", (_, text, keep) => {
    expect(refreshText(text, [id], { ...occasion, keep })).toBe(text);
  });
});

it("keeps two values under one name different, and one value under two names the same", () => {
  const [firstId, secondId] = [
    ...refreshText('{"id":"a","id":"b"}', [id], occasion).matchAll(/"([0-9a-f-]{36})"/g),
  ].map(([, made]) => made);
  expect([firstId, secondId]).toEqual([expect.stringMatching(uuid), expect.stringMatching(uuid)]);
  expect(firstId).not.toBe(secondId);
  const same = [...refreshText('{"id":"a","id":"a"}', [id], occasion).matchAll(/"([0-9a-f-]{36})"/g)].map(
    ([, made]) => made,
  );
  expect(new Set(same).size).toBe(1);
});

it("uses a value that the schema accepts, judged within the message if the text is one, or else alone", () => {
  const questions: unknown[] = [];
  const fitting = (message: unknown) => {
    questions.push(message);
    return { value: "ABC", places: ["/id", "/order/code", "/root"] };
  };
  expect(refreshText('{"id":"old","n":1}', [id], { ...occasion, fitting })).toBe('{"id":"ABC","n":1}');
  expect(refreshText('{"order":{"code":"x"},}', [inner], { ...occasion, fitting })).toBe('{"order":{"code":"ABC"},}');
  expect(refreshText('{"id":"old","root":"old"}', [id], { ...occasion, fitting })).toBe('{"id":"ABC","root":"ABC"}');
  expect(questions.slice(0, 2)).toEqual([{ id: "old", n: 1 }, { order: { code: "x" } }]);
  expect(refreshText('{"id":"old",}', [id], { ...occasion, fitting: () => undefined })).toBe('{"id":"old",}');
});

it.each<[boolean, string, Partial<Question>, string | Uint8Array]>([
  [true, "a value", { data: { id: "old" } }, '{"n":1,"id":"old"}'],
  [false, "a value that was made fresh", { data: { id: "old" } }, '{"n":"old","id":"new"}'],
  [false, "a member that is not there", { data: {} }, "{}"],
  [true, "a text in other escapes", { text: '{"id":"\\u006fld",}' }, '{"id":"\\u006fld",}'],
  [true, "bytes", { bytes: Buffer.from('{"id":"old"}\xff', "latin1") }, Buffer.from('{"id":"old"}\xff', "latin1")],
])("isSame returns %s for %s", (expected, _, question, sent) => {
  expect(isSame(question as Question, sent, "/id")).toBe(expected);
});
