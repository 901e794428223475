import { describe, expect, it } from "vitest";
import type { Freshness, Question } from "../../../schemas/index.ts";
import { isSame, refreshText } from "./fresh-text.ts";

const freshId: Freshness = { at: "/id", make: "uuid" };
const freshCode: Freshness = { at: "/order/code", make: "token", prefix: "c-" };
const occasion = { keep: [], seed: 7, now: Date.parse("2030-02-03T04:05:06Z") };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("refreshes the member, and keeps the fault of a text with", () => {
  it.each([
    ["a trailing comma", '{"id": "old", "n": [1,],}'],
    ["a comment", '{"id":"old"/* old */}'],
    ["content after the end", `{"n":{"id":"x"},"id":"old"} {"id":"old"}`],
    ["a byte that is not UTF-8", '{"id":"old","n":"\u00ff"}'],
  ])("%s", (_, text) => {
    const refreshed = refreshText(text, [freshId], occasion);
    const freshValue = /"id" ?: ?"([0-9a-f-]{36})"/.exec(refreshed)?.[1] as string;
    expect(freshValue).toMatch(uuid);
    expect(refreshed.replaceAll(freshValue, "old")).toBe(text);
    expect(refreshText(text, [freshId], { ...occasion, seed: 8 })).not.toBe(refreshed);
    expect(refreshText(text, [freshId], occasion)).toBe(refreshed);
  });

  it.each([
    [
      "all",
      '{"\\u0069d":"\\u006f\\u006c\\u0064","n":"\\u006f"}',
      /^\{"\\u0069d":"((?:\\u00[0-9a-f]{2}){36})","n":"\\u006f"\}$/,
    ],
    ["all, in capitals", '{"id":"\\u006F\\u006C\\u0064"}', /^\{"id":"((?:\\u00[0-9A-F]{2}){36})"\}$/],
    ["the first", '{"id":"\\u006fld"}', /^\{"id":"(\\u00[0-9a-f]{2}[0-9a-f-]{35})"\}$/],
  ])("replaces the member even if its characters are escaped: %s", (_, text, pattern) => {
    const [, made] = pattern.exec(refreshText(text, [freshId], occasion)) ?? [];
    expect(JSON.parse(`"${made}"`)).toMatch(uuid);
  });

  it("replaces the member at any depth", () => {
    expect(refreshText('{"order":{"code":"x"},"code":"x",}', [freshCode], occasion)).toMatch(
      /^{"order":{"code":"c-[0-9a-f]+"},"code":"x",}$/,
    );
  });
});

describe("does not change a text", () => {
  it.each<[string, string, readonly string[]]>([
    ["if the vector is about that member", '{"id":"old",}', ["/id"]],
    ["if the member is not a string", '{"id":7}', []],
    ["if the member is missing", "[", []],
  ])("%s", (_, text, keep) => {
    expect(refreshText(text, [freshId], { ...occasion, keep })).toBe(text);
  });
});

it("replaces different values with different ones, and equal values with equal ones", () => {
  const [firstId, secondId] = [
    ...refreshText('{"id":"a","id":"b"}', [freshId], occasion).matchAll(/"([0-9a-f-]{36})"/g),
  ].map(([, made]) => made);
  expect([firstId, secondId]).toEqual([expect.stringMatching(uuid), expect.stringMatching(uuid)]);
  expect(firstId).not.toBe(secondId);
  const equalValues = [...refreshText('{"id":"a","id":"a"}', [freshId], occasion).matchAll(/"([0-9a-f-]{36})"/g)].map(
    ([, made]) => made,
  );
  expect(new Set(equalValues).size).toBe(1);
});

it("uses a value that the schema accepts, judged within the message if the text is JSON, or else alone", () => {
  const questions: unknown[] = [];
  const fitting = (message: unknown) => {
    questions.push(message);
    return { value: "ABC", places: ["/id", "/order/code", "/root"] };
  };
  expect(refreshText('{"id":"old","n":1}', [freshId], { ...occasion, fitting })).toBe('{"id":"ABC","n":1}');
  expect(refreshText('{"order":{"code":"x"},}', [freshCode], { ...occasion, fitting })).toBe(
    '{"order":{"code":"ABC"},}',
  );
  expect(refreshText('{"id":"old","root":"old"}', [freshId], { ...occasion, fitting })).toBe(
    '{"id":"ABC","root":"ABC"}',
  );
  expect(questions.slice(0, 2)).toEqual([{ id: "old", n: 1 }, { order: { code: "x" } }]);
  expect(refreshText('{"id":"old",}', [freshId], { ...occasion, fitting: () => undefined })).toBe('{"id":"old",}');
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
