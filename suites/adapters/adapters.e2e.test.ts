import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { home } from "../../schemas/index.ts";
import { isNothingOptional, onDebian } from "../base/process/lacking.fixture.ts";
import { runSuite } from "../running/run/suite.ts";

const folder = join(home, "suites", "adapters");

/** What starts each adapter, and what succeeds only where its library is installed. */
const adapters = [
  ...["python3", "/usr/bin/python3"].map((python) => ({
    name: `Python's jsonschema, ${python}`,
    starts: `${python} -W ignore python-jsonschema.py`,
    needs: `${python} -c "import jsonschema"`,
    how: `pip install jsonschema, or ${onDebian("python3-jsonschema")}`,
  })),
  {
    name: "Ruby's json_schemer",
    starts: "ruby ruby-json_schemer.rb",
    needs: "ruby -rset -rjson_schemer -e 1",
    how: onDebian("ruby ruby-json-schemer"),
  },
  {
    name: "Perl's JSON::Validator",
    starts: "perl perl-json-validator.pl",
    needs: "perl -MJSON::Validator -e 1",
    how: onDebian("libjson-validator-perl"),
  },
  {
    name: "Go's gojsonschema",
    starts: "env GO111MODULE=off GOPATH=/usr/share/gocode go run go-gojsonschema.go",
    needs: "GO111MODULE=off GOPATH=/usr/share/gocode go list github.com/xeipuuv/gojsonschema",
    how: onDebian("golang-go golang-github-xeipuuv-gojsonschema-dev"),
  },
  {
    name: "Java's networknt",
    starts: "java Networknt.java",
    needs: "javap com.networknt.schema.JsonSchemaFactory",
    how: "see suites/adapters/README.md",
  },
  {
    name: "Go's jsonschema",
    starts: "touchstone-go",
    needs: "command -v touchstone-go",
    how: "see suites/adapters/README.md",
  },
  {
    name: "Rust's jsonschema",
    starts: "touchstone-rust",
    needs: "command -v touchstone-rust",
    how: "see suites/adapters/README.md",
  },
];

const isThere = (command: string): boolean => spawnSync("sh", ["-c", command], { stdio: "ignore" }).status === 0;

/** What an adapter answers to questions after `hello`, in their order. */
function answersTo(starts: string, schemas: readonly object[], questions: readonly [schema: string, data: unknown][]) {
  const checks = questions.map(([schema, data], index) => ({ command: "check", seq: index + 1, schema, data }));
  const lines = [{ command: "hello", protocol: "a", version: "1", schemas }, ...checks, { command: "stop" }];
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const { stdout } = spawnSync("sh", ["-c", `exec ${starts}`], { cwd: folder, input, encoding: "utf8" });
  const output = stdout.split("\n").filter((line) => line !== "");
  return output.map((line): unknown => JSON.parse(line)).slice(1);
}

/** What it answers about two schemas, one with names that a pointer escapes, one with a pattern that few engines can read. */
function answersOf(starts: string): unknown[] {
  const [named, patterned] = ["https://adapters.test/named", "https://adapters.test/patterned"];
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  const properties = { "a/b": { type: "object", properties: { "c~d": { type: "integer" } } } };
  const schemas = [
    { $schema, $id: named, type: "object", properties },
    { $schema, $id: patterned, pattern: "(?<a-b>" },
  ];
  return answersTo(starts, schemas, [
    [named, { "a/b": { "c~d": "x" } }],
    [patterned, "x"],
    [named, {}],
  ]);
}

/** Schemas of two dialects, of which one alone reads the list as that of the first items, and questions with the right answers. */
const seventh = "https://adapters.test/draft-07";
const unnamed = "https://adapters.test/no-dialect";
const several = [
  {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: seventh,
    items: [{ type: "string" }],
    additionalItems: false,
  },
  { $id: unnamed, type: "integer" },
];
const asked: readonly [schema: string, data: unknown, valid: boolean][] = [
  [seventh, ["a"], true],
  [seventh, [1], false],
  [seventh, ["a", "b"], false],
  [unnamed, 1, true],
  [unnamed, "a", false],
];

/** Schemas of files without an absolute `$id`, by the names under which `hello` gives them, and questions with the right answers. */
const filed = [
  {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "schema:/root.json",
    properties: { a: { $ref: "part.json" }, b: { $ref: "deep/more.json#/definitions/b" } },
  },
  { $schema: "http://json-schema.org/draft-07/schema#", $id: "schema:/part.json", type: "integer", minimum: 1 },
  {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "schema:/deep/more.json",
    definitions: { b: { allOf: [{ $ref: "#/definitions/c" }, { $ref: "../part.json" }] }, c: { maximum: 3 } },
  },
];
const askedOfFiles: readonly [data: unknown, valid: boolean][] = [
  [{ a: 1, b: 2 }, true],
  [{ a: 0 }, false],
  [{ b: 0 }, false],
  [{ b: 4 }, false],
];

const right = asked.map(([, , valid], index) => expect.objectContaining({ seq: index + 1, valid }));

describe("an adapter", () => {
  for (const { name, starts, needs, how } of adapters) {
    it(`of ${name} judges the messages of ahcp, nearly all as they are`, async ({ skip }) => {
      if (!isThere(needs)) skip(`not installed, \`${needs}\` fails: ${how}`);
      const command = `cd "${folder}" && exec ${starts}`;
      const { counts, runs } = await runSuite({
        protocols: "ahcp",
        target: { kind: "command", command },
        only: ["ahcp/0.3/message/valid", "ahcp/0.3/message/invalid", "ahcp/0.3/submit-ack"],
        timeoutMs: 30_000,
      });
      expect(runs.map(({ failure }) => failure)).toEqual([undefined]);
      expect(counts).toMatchObject({ errored: 0, "timed-out": 0 });
      // Accepting everything, or refusing it, would be right about far fewer.
      expect(counts.conforms).toBeGreaterThan(20 * (counts.violates + counts.warns));
      const verdicts = new Set(
        runs
          .flatMap(({ results }) => results)
          .filter(({ outcome }) => outcome === "conforms")
          .map(({ verdict }) => verdict),
      );
      expect([...verdicts].sort()).toEqual(["invalid", "valid"]);
    });

    it(`of ${name} escapes the names in a pointer, and goes on after a pattern that its library cannot read`, ({
      skip,
    }) => {
      if (!isThere(needs)) skip(`not installed, \`${needs}\` fails: ${how}`);
      const [named, patterned, again] = answersOf(starts);
      expect([named, again]).toEqual([
        expect.objectContaining({ valid: false, errors: [expect.objectContaining({ at: "/a~1b/c~0d" })] }),
        expect.objectContaining({ seq: 3, valid: true }),
      ]);
      expect(patterned).toEqual({ seq: 2, error: expect.any(String) });
    });

    it(`of ${name} reads each schema in its dialect, also one that names none`, ({ skip }) => {
      if (!isThere(needs)) skip(`not installed, \`${needs}\` fails: ${how}`);
      const questions = asked.map(([schema, data]): [string, unknown] => [schema, data]);
      expect(answersTo(starts, several, questions)).toEqual(right);
    });

    it(`of ${name} follows references between files without an absolute $id`, ({ skip }) => {
      if (!isThere(needs)) skip(`not installed, \`${needs}\` fails: ${how}`);
      const questions = askedOfFiles.map(([data]): [string, unknown] => ["schema:/root.json", data]);
      expect(answersTo(starts, filed, questions)).toEqual(
        askedOfFiles.map(([, valid], index) => expect.objectContaining({ seq: index + 1, valid })),
      );
    });
  }

  it.runIf(isNothingOptional).each(["python3", "ruby", "perl", "go run"])("can be run with %s", (word) => {
    expect(adapters.filter(({ starts }) => starts.includes(word)).some(({ needs }) => isThere(needs))).toBe(true);
  });

  it("of Ajv for several dialects, in the guide, reads each schema in its own", async () => {
    const file = join(home, "suites", "guides", "examples", "dialects.mjs");
    const { default: validate } = (await import(file)) as { default: (data: unknown, context: object) => object };
    const output = asked.map(([schema, data], index) => ({
      seq: index + 1,
      ...validate(data, { schema, schemas: several }),
    }));
    expect(output).toEqual(right);
  });

  it("of Python is the one that the guide shows", () => {
    const guide = readFileSync(join(home, "suites", "guides", "implementer.md"), "utf8");
    expect(guide).toContain(readFileSync(join(folder, "python-jsonschema.py"), "utf8"));
  });
});
