import { describe, expect, it } from "vitest";
import { parseYaml } from "./yaml-text.ts";

describe("parseYaml", () => {
  it("reads the core schema of YAML 1.2", async () => {
    expect(await parseYaml("on: yes\nday: 2026-01-15\nversion: 1.0\n1: one\nnull: null")).toEqual({
      on: "yes",
      day: "2026-01-15",
      version: 1,
      "1": "one",
      null: null,
    });
  });

  it("stays with 1.2 when the text asks for 1.1", async () => {
    expect(await parseYaml("%YAML 1.1\n---\nanswer: yes")).toEqual({ answer: "yes" });
  });

  it.each([
    ["a repeated key", "a: 1\na: 2"],
    ["a key that is no text", "[1, 2]: x"],
    ["two documents", "a: 1\n---\na: 2"],
    ["an unclosed list", "a: [1, 2"],
    ["an alias to nothing", "a: *b"],
    [
      "aliases that grow without end",
      `a: &a [x, x, x, x, x, x, x, x, x]\n${[..."bcdefghi"]
        .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[index]}`).join(", ")}]`)
        .join("\n")}`,
    ],
  ])("refuses %s", async (_, text) => {
    await expect(parseYaml(text)).rejects.toThrow(SyntaxError);
  });
});
