import { describe, expect, it } from "vitest";
import type { Json } from "../../schemas/index.ts";
import { yamlEditions } from "./yaml.ts";

const isNote = (value: Json): boolean => JSON.stringify(value) === '{"a":8}';
const editions = (source: string | Uint8Array): string[] => yamlEditions(Buffer.from(source), isNote);

describe("yamlEditions", () => {
  it.each([
    ["JSON", '{"a":8}'],
    ["single quotes", "{'a':8}"],
    ["a trailing comma", '{"a":8,}'],
    ["a comment", '{"a":8} # note'],
    ["a byte order mark", '\ufeff{"a":8}'],
    ["a repeated name", '{"a":1,"a":8}'],
    ["UTF-16", Buffer.from('{"a":8}', "utf16le")],
  ])("accepts %s in both editions", (_, source) => {
    expect(editions(source)).toEqual(["YAML 1.1", "YAML 1.2"]);
  });

  it("distinguishes the editions by their octal numbers", () => {
    expect(editions('{"a":010}')).toEqual(["YAML 1.1"]);
    expect(editions('{"a":0o10}')).toEqual(["YAML 1.2"]);
  });

  it.each([
    ["another value", '{"a":9}'],
    ["a truncated text", '{"a":8'],
    ["two texts", '{"a":8} {}'],
    ["a zero byte", '{"a":8}\u0000'],
    ["bytes that are not UTF-8", Uint8Array.of(0x7b, 0xff, 0x7d)],
    ["nothing", ""],
  ])("does not accept %s", (_, source) => {
    expect(editions(source)).toEqual([]);
  });
});
