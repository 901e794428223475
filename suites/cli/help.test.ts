import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { verbs } from "../text/program.ts";
import { cli } from "./cli.ts";
import { commands } from "./commands.ts";

let out = "";
let err = "";
beforeEach(() => {
  out = "";
  err = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += text;
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    err += text;
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

it("puts the call into every command of its own", () => {
  expect(verbs).toEqual(commands.map(({ name }) => name));
});

describe("help", () => {
  it.each([
    [["help", "report", "diff"], /^Usage: npm run -s touchstone -- report diff [\s\S]*<old> <new>/],
    [["report", "merge", "--help"], /^Usage: npm run -s touchstone -- report merge [\s\S]*--vectors/],
    [["help", "report"], /render .*[\s\S]*merge .*[\s\S]*diff /],
    [["help", "baseline", "update"], /--reason/],
    [["baseline", "check", "--help"], /hold a report against the list/],
    [["run", "--help"], / {2}npm run -s touchstone -- run ahcp --module validator\.mjs/],
    [["help"], /First steps:\n {2}npm run -s touchstone -- run/],
  ])("%j", async (args, said) => {
    expect(await cli(args)).toBe(0);
    expect(out).toMatch(said);
    expect(out).not.toMatch(/^ +touchstone /m);
  });

  it.each([
    [["help", "repotr"], /there is no command "repotr" to tell of\n {2}did you mean "report"\?/],
    [["valdate", "--help"], /there is no command "valdate" to tell of\n {2}did you mean "validate"\?/],
    [["help", "report", "rendr"], /no command "rendr"[\s\S]*did you mean "render"\?[\s\S]*-- report --help shows all/],
    [["baseline", "chekc", "-h"], /no command "chekc"[\s\S]*did you mean "check"\?/],
  ])("says of %j that there is no such topic, and what is near", async (args, said) => {
    expect(await cli(args)).toBe(2);
    expect(out).toBe("");
    expect(err).toMatch(said);
  });

  it("refuses an option of another part", async () => {
    expect(await cli(["baseline", "check", "a.json", "b.json", "--reason", "x"])).toBe(2);
    expect(err).toContain("--reason");
  });
});

describe("list", () => {
  it("alone is a menu", async () => {
    expect(await cli(["list"])).toBe(0);
    expect(out).toMatch(/^rules +rules, with how each is tested$/m);
    expect(out).toMatch(/^variants +/m);
    expect(out).toContain("npm run -s touchstone -- list NAME");
  });

  it("gives names alone, those that begin so", async () => {
    expect(await cli(["list", "rules", "--protocol", "ahcp", "--names", "--begins", "AHCP-ENV-00"])).toBe(0);
    expect(out.trimEnd().split("\n")).toContain("AHCP-ENV-001");
    expect(
      out
        .trimEnd()
        .split("\n")
        .every((name) => /^AHCP-ENV-00\d$/.test(name)),
    ).toBe(true);
  });
});
