import { describe, expect, it } from "vitest";
import { readYaml } from "./yaml.ts";

const nestedAliases = [..."abcdefghi"].map((name, index, names) => {
  const items = Array(9).fill(index === 0 ? "x" : `*${names[index - 1]}`);
  return `${name}: &${name} [${items.join(", ")}]`;
});

describe("readYaml", () => {
  it("reads a single carriage return as a line break, and reports positions in the original file", async () => {
    expect((await readYaml('{\r"a"\r:\r[\r1\r]\r}', "x.yaml")).value).toEqual({ a: [1] });
    expect((await readYaml("a: 1\rb: [2,\r  3]", "x.yaml")).value).toEqual({ a: 1, b: [2, 3] });
    await expect(readYaml("a: 1\rb: !!timestamp 2026-01-15", "x.yaml")).rejects.toThrow("x.yaml:2:16");
  });

  it("reads the core schema of YAML 1.2", async () => {
    const text =
      "on: yes\nday: 2026-01-15\nversion: 1.0\n1: one\nnull: null\nzip: 012\n__proto__: {x: 0x1F}\ntext: !!str 7";
    const { value } = await readYaml(text, "x.yaml");
    expect(Object.entries(value as object)).toEqual([
      ["1", "one"],
      ["on", "yes"],
      ["day", "2026-01-15"],
      ["version", 1],
      ["null", null],
      ["zip", 12],
      ["__proto__", { x: 31 }],
      ["text", "7"],
    ]);
  });

  it("reads YAML 1.2 even if the text asks for 1.1", async () => {
    expect((await readYaml("%YAML 1.1\n---\nanswer: yes", "x.yaml")).value).toEqual({ answer: "yes" });
  });

  it("follows aliases and merges", async () => {
    const text = "base: &base {a: 1, b: 2}\nmore:\n  <<: *base\n  b: 3\nagain: *base";
    const base = { a: 1, b: 2 };
    expect((await readYaml(text, "x.yaml")).value).toEqual({ base, more: { a: 1, b: 3 }, again: base });
  });

  it.each<[string, string | number[], string]>([
    ["a repeated key", "a: 1\nb:\n  c: 1\n  c: 2", '4:3: repeats the name "c", first on line 3'],
    ["a repeated __proto__", "__proto__: 1\n__proto__: 2", '2:1: repeats the name "__proto__"'],
    ["a key that is not a string", "a: 1\n[1, 2]: x", "2:1: found a name that is not text"],
    ["two documents", "a: 1\n---\na: 2", "2:1: found a second document"],
    ["an unclosed list", "a: [1, 2", "1:9: flow sequence"],
    ["a tab as indentation", "a:\n\tb: 1", "2:1: found a tab as indentation"],
    [
      "a name indented more than its neighbours",
      "a: 1\nb: true\n c:\n  d: 1",
      "3:2: found a name that is indented more",
    ],
    ["a name indented after several lines", "a: x\n  y\n   z: 1", "3:4: found a name that is indented more"],
    ["a name indented less than its neighbours", "a:\n   b: 1\n c: 2", "3:1: all mapping items"],
    ["an alias to nothing", "a: *b", "1:4: found *b, but no &b before it"],
    ["an alias before its anchor", "a: *b\nb: &b 1", "1:4: found *b, but no &b before it"],
    ["an alias inside of itself", "a: &a\n  - [*a]", "2:6: found *a inside of its own anchor"],
    ["aliases that expand without bounds", nestedAliases.join("\n"), "1:1: aliases grow beyond all bounds"],
    ["a merge of a value that is not a mapping", "a: &a 1\n<<: *a", "1:1: merge sources must be maps"],
    ["a custom tag", "a: !secret 1", "1:12: found the tag !secret"],
    ["a tag of YAML 1.1", "a: !!timestamp 2026-01-15", "1:16: found the tag tag:yaml.org,2002:timestamp"],
    ["an invalid number", "a: .nan", "1:4: found NaN"],
    ["an endless number", "a:\n  - -.inf", "2:5: found -Infinity"],
    ["half a surrogate pair", 'a: "\\ud83d"', "1:4: found half a surrogate pair"],
    ["bytes that are not UTF-8", [0x61, 0x3a, 0x20, 0xff], "1:4: found the byte 0xff, which is not UTF-8"],
  ])("refuses %s", async (_, source, message) => {
    const input = typeof source === "string" ? source : Uint8Array.from(source);
    await expect(readYaml(input, "x.yaml")).rejects.toThrow(expect.objectContaining({ kind: "usage" }));
    await expect(readYaml(input, "x.yaml")).rejects.toThrow(`x.yaml:${message}`);
  });

  it("refuses nesting that would overflow the stack", async () => {
    for (const deep of ["[".repeat(2000), "[".repeat(50_000), "- ".repeat(3000), `${" ".repeat(2000)}a: 1`])
      await expect(readYaml(deep, "x.yaml")).rejects.toThrow("nested more than 500 levels deep");
    expect((await readYaml(`${"[".repeat(400)}${"]".repeat(400)}`, "x.yaml")).value).toHaveLength(1);
  });

  it("refuses nesting beyond the given limit, even through aliases", async () => {
    expect((await readYaml("a: [{}]", "x.yaml", { depth: 3 })).value).toEqual({ a: [{}] });
    await expect(readYaml("a: [{}]", "x.yaml", { depth: 2 })).rejects.toThrow(
      "x.yaml:1:5: nested more than 2 levels deep",
    );
    const aliased = "a: &a [[]]\nb: [*a]";
    await expect(readYaml(aliased, "x.yaml", { depth: 3 })).rejects.toThrow("nested more than 3 levels deep");
  });

  it("finds the start of a value, through aliases, or of the nearest value above it", async () => {
    const { locate } = await readYaml("b:\n  a/b: &z\n    - 1\n    - q: two\nd: *z\n__proto__: 3\n", "x.yaml");
    const places = ["", "/b/a~1b", "/b/a~1b/1/q", "/d/1/q", "/b/a~1b/7", "/__proto__", "/c/d"];
    expect(places.map((pointer) => Object.values(locate(pointer)).join(":"))).toEqual([
      "1:1",
      "3:5",
      "4:10",
      "4:10",
      "3:5",
      "6:12",
      "1:1",
    ]);
  });
});
