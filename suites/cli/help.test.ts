import { describe, expect, it } from "vitest";
import { example } from "../../schemas/index.ts";
import { verbs } from "../base/text/program.ts";
import { commands } from "./commands.ts";
import { touchstone } from "./process.fixture.ts";

it.each(commands.map(({ name }) => name))("prints an example in the help of %s", async (name) => {
  expect((await touchstone(name, "--help")).out).toMatch(/^Examples:\n {2}\S/m);
});

it.each(["explain", "generate", "init", "lint", "serve"])(
  "aligns the explanations of the examples of %s in one column",
  async (name) => {
    const { out } = await touchstone(name, "--help");
    const examples = /^Examples:\n((?: .*\n)+)/m.exec(out)?.[1]?.split("\n") ?? [];
    const columns = examples.flatMap((line) => /^( {2}(?:\S| (?! )){1,78}) {2,}(?=\S)/.exec(line)?.[0].length ?? []);
    expect(columns.length).toBeGreaterThan(1);
    expect(new Set(columns).size).toBe(1);
  },
);

it("has every command in `verbs`, by which messages rename the program", () => {
  expect(verbs).toEqual(commands.map(({ name }) => name));
});

describe("help", () => {
  it.each([
    [["help", "report", "diff"], /^Usage: npm run -s touchstone -- report diff [\s\S]*<old> <new>/],
    [["report", "merge", "--help"], /^Usage: npm run -s touchstone -- report merge [\s\S]*--vectors/],
    [["help", "report"], /render .*[\s\S]*merge .*[\s\S]*diff /],
    [["help", "baseline", "update"], /--reason/],
    [["baseline", "check", "--help"], /compare a report with the list/],
    [["run", "--help"], / {2}npm run -s touchstone -- run ahcp --module validator\.mjs/],
    [["help"], /^Test an implementation:\n {2}init[\s\S]*^ {2}help \[command\].*\n\nFirst steps:/m],
    [["help"], /First steps:\n {2}npm run -s touchstone -- run/],
  ])("is printed for %j, with the actual name of the program", async (args, output) => {
    const { code, out } = await touchstone(...args);
    expect(code).toBe(0);
    expect(out).toMatch(output);
    expect(out).not.toMatch(/^ +touchstone /m);
  });

  it("uses a variant that exists in the example of serve", async () => {
    const variant = `without-${example.rule}`;
    expect((await touchstone("serve", "--help")).out).toContain(variant);
    const { out } = await touchstone("list", "variants", "--protocol", example.protocol, "--names");
    expect(out.split("\n")).toContain(variant);
  });

  it.each([
    [["help", "repotr"], /unknown command "repotr"\n {2}did you mean "report"\?/],
    [["valdate", "--help"], /unknown command "valdate"\n {2}did you mean "validate"\?/],
    [
      ["help", "report", "rendr"],
      /unknown command "rendr"[\s\S]*did you mean "render"\?[\s\S]*-- report --help shows all/,
    ],
    [["baseline", "chekc", "-h"], /unknown command "chekc"[\s\S]*did you mean "check"\?/],
  ])("rejects the unknown topic %j, and suggests a similar one", async (args, output) => {
    const { code, out, err } = await touchstone(...args);
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).toMatch(output);
  });

  it.each(commands.flatMap(({ name, replacedBy = "" }) => (replacedBy === "" ? [] : [[name, replacedBy]])))(
    "does not list %s, which is now %s, but the former name still works",
    async (name = "", replacedBy = "") => {
      expect((await touchstone("help")).out).not.toMatch(new RegExp(`^ {2}${name} `, "m"));
      const [formerHelp, currentHelp] = await Promise.all([
        touchstone(name, "--help"),
        touchstone(...replacedBy.split(" "), "--help"),
      ]);
      expect([formerHelp.code, currentHelp.code]).toEqual([0, 0]);
    },
  );

  it("passes an option after a subcommand to the subcommand, even if the command has the same option", async () => {
    const { code, err } = await touchstone("certify", "verify", "none.json", "--key", "none.pem");
    expect(code).toBe(2);
    expect(err).toContain("none.pem");
    expect(err).not.toContain("required option");
  });

  it("rejects an option of another subcommand", async () => {
    const { code, err } = await touchstone("baseline", "check", "a.json", "b.json", "--reason", "x");
    expect(code).toBe(2);
    expect(err).toContain("--reason");
  });
});

describe("list", () => {
  it("prints all listings if none is named", async () => {
    const { code, out } = await touchstone("list");
    expect(code).toBe(0);
    expect(out).toMatch(/^rules +rules, with how each is tested$/m);
    expect(out).toMatch(/^variants +/m);
    expect(out).toContain("npm run -s touchstone -- list NAME");
  });

  it("lists scenarios by the ids that `replay` accepts", async () => {
    const { code, out } = await touchstone("list", "scenarios", "--protocol", "ahcp", "--names");
    expect(code).toBe(0);
    expect(out.split("\n")).toContain("ahcp/0.3/scenarios/idempotency-status");
  });

  it("prints only names that begin with the given text", async () => {
    const { code, out } = await touchstone("list", "rules", "--protocol", "ahcp", "--names", "--begins", "AHCP-ENV-00");
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n")).toContain("AHCP-ENV-001");
    expect(
      out
        .trimEnd()
        .split("\n")
        .every((name) => /^AHCP-ENV-00\d$/.test(name)),
    ).toBe(true);
  });
});
