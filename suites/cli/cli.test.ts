import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { protocolNamed } from "../../schemas/index.ts";
import { vector, writeSet } from "../packs/corpus/sample.fixture.ts";
import { captureOutput } from "./captured.fixture.ts";
import { cli } from "./cli.ts";

const messagePath = "ahcp/0.3/message";
const rule = "AHCP-VER-001";
const [sample] = protocolNamed("ahcp").profile.documents.find(({ name }) => name === "message")?.samples ?? [];
const vectors = writeSet([
  {
    path: `${messagePath}/valid.json`,
    document: "message",
    tests: [vector({ id: `${messagePath}/valid/sample`, data: sample ?? null, site: "s#/a" })],
  },
  {
    path: `${messagePath}/invalid.json`,
    document: "message",
    tests: [
      vector({ id: `${messagePath}/invalid/number`, valid: false, rule, data: 1, site: "s#/a" }),
      vector({ id: `${messagePath}/invalid/text`, valid: false, rule, data: "x", site: "s#/b" }),
    ],
  },
]);
const folder = mkdtempSync(join(tmpdir(), "touchstone-"));

function writeModule(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const acceptAll = writeModule("accept-all.mjs", "export default () => true;");
const acceptObjects = writeModule("objects.mjs", 'export default (value) => typeof value === "object";');

const printed = captureOutput();

function run(...args: string[]): Promise<number> {
  return cli(["run", "ahcp", "--vectors", vectors, ...args]);
}

describe("touchstone run", () => {
  it("exits with 0 for an implementation that conforms, and prints the report on stdout", async () => {
    const code = await run("--module", acceptObjects);
    expect({ code, ...printed }).toEqual({
      code: 0,
      out: expect.stringMatching(/^Conforms: no vector is violated\.\nahcp 0\.3 against .*: 3 of 3 conform\n$/),
      err: expect.not.stringContaining("assumed"),
    });
  });

  it("exits with 1 for an implementation that accepts everything, and lists the violated rules", async () => {
    expect(await run("--module", acceptAll)).toBe(1);
    expect(printed.out).toMatch(new RegExp(`${rule} MUST · clause .* · 2 of 2 vectors`));
    expect(printed.out).toContain(protocolNamed("ahcp").rules.find(({ id }) => id === rule)?.statement);
    expect(printed.out).toContain(
      `touchstone -- replay ${messagePath}/invalid/number --module ${acceptAll} --vectors ${vectors}\n`,
    );
  });

  it("runs only the selected vectors", async () => {
    expect(await run("--module", acceptAll, "--only", `${messagePath}/**`, "--skip", rule)).toBe(0);
    expect(printed.out).toContain("1 of 1 conform");
  });

  it("writes reports to their files, and the report without a file to stdout", async () => {
    const file = join(folder, "reports", "page.html");
    expect(await run("--module", acceptAll, "--report", `html=${file}`, "--report", "json")).toBe(1);
    expect(JSON.parse(printed.out)).toMatchObject({ exitCode: 1, runs: [{ protocol: "ahcp" }] });
    expect(readFileSync(file, "utf8")).toContain(rule);
    printed.out = "";
    await run("--module", acceptAll, "--report", `json=${join(folder, "report.json")}`, "--quiet");
    expect(printed.out).toMatch(
      /^Does not conform: 2 of 3 vectors violated, 1 rule broken\.\nahcp 0\.3 against .*: 1 of 3 conform, 2 violate\n {2}AHCP-VER-001 2 of 2 vectors violated: \S+\n$/,
    );
    expect(JSON.parse(readFileSync(join(folder, "report.json"), "utf8")).counts.violates).toBe(2);
  });

  it("exits with 3 if the implementation cannot be run", async () => {
    expect(await run("--module", join(folder, "absent.mjs"))).toBe(3);
    expect(printed.out).toMatch(/failed at open: .*absent\.mjs/);
  });

  it.each([
    ["an unknown option, and suggests a similar one", ["--modul", "x"], /--module\?/],
    [
      "a missing implementation, and lists the options for one",
      [],
      /--module FILE[\s\S]*--command "CMD"[\s\S]*--http URL[\s\S]*--reference/,
    ],
    ["two implementations", ["--reference", "--module", "x"], /2 implementations/],
    ["a timeout that is not a number", ["--reference", "--timeout", "abc"], /--timeout.*abc.*whole number from 1/],
    ["a timeout of zero", ["--reference", "--timeout", "0"], /whole number from 1/],
    ["a concurrency that is not a whole number", ["--reference", "--concurrency", "1.5"], /--concurrency.*1\.5/],
    ["an invalid header", ["--http", "http://localhost:1", "--header", "secret"], /Name: value/],
    ["an invalid endpoint", ["--http", "http://localhost:1", "--endpoint", "message"], /DOCUMENT=\/path/],
    ["an endpoint for a module", ["--module", "x", "--endpoint", "a=/b"], /--endpoint needs --http/],
    ["a header for a module", ["--module", "x", "--header", "A: b"], /--header needs --http/],
    ["a variant of a module", ["--module", "x", "--variant", "y"], /--variant needs --reference/],
    ["an invalid address", ["--http", "localhost:8080"], /put http:\/\/ before it/],
    ["an unknown report format", ["--reference", "--report", "jsn"], /did you mean "json"/],
    ["a report without its file", ["--reference", "--report", "json="], /names no file/],
    ["two reports on stdout", ["--reference", "--report", "json", "--report", "html"], /share standard output/],
    ["a report that cannot be written", ["--reference", "--report", "json=/dev/null/x"], /cannot be written/],
    [
      "a pattern that matches nothing",
      ["--reference", "--only", "ahcp/0.3/mesage"],
      /did you mean "ahcp\/0\.3\/message"/,
    ],
    ["an empty selection", ["--reference", "--skip", "ahcp"], /no vectors are selected/],
    ["too many arguments", ["snap", "--reference"], /too many arguments/],
  ])("exits with 2 for %s", async (_, args, output) => {
    expect(await run(...args)).toBe(2);
    expect(printed.err).toMatch(output);
    expect(printed.out).toBe("");
  });

  it("exits with 2 for an unknown protocol or folder", async () => {
    expect(await cli(["run", "ahpc", "--reference"])).toBe(2);
    expect(printed.err).toContain('did you mean "ahcp"?');
    expect(await cli(["run", "ahcp", "--reference", "--vectors", "/nowhere"])).toBe(2);
    expect(printed.err).toContain('"/nowhere"');
  });

  it("exits with 2 for a damaged vector file, and names it without a stack", async () => {
    const damagedSet = writeSet([
      { path: `${messagePath}/valid.json`, document: "message", tests: [vector({ id: "a" })] },
    ]);
    writeFileSync(join(damagedSet, `${messagePath}/valid.json`), "{");
    expect(await cli(["run", "ahcp", "--vectors", damagedSet, "--module", acceptAll])).toBe(2);
    expect(printed.err).toContain(join(damagedSet, `${messagePath}/valid.json`));
    expect(printed.err).not.toContain("    at ");
  });
});

describe("touchstone", () => {
  it("prints help and version on stdout", async () => {
    expect(await cli(["--help"])).toBe(0);
    expect(printed.out).toMatch(/run .*\n[\s\S]*list .*\n[\s\S]*serve /);
    expect(await cli(["--version"])).toBe(0);
    expect(printed.out).toMatch(/^\d+\.\d+\.\d+\nvectors \d+\.\d+\.\d+ sha256-\S+$/m);
    expect(await cli(["help", "run"])).toBe(0);
    expect(printed.out).toContain("--module <file>");
  });

  it("lists every report format in the help of run", async () => {
    const { formats } = await import("../reports/index.ts");
    await cli(["help", "run"]);
    const output = printed.out.replace(/\s+/g, " ");
    for (const { name } of formats) expect(output).toMatch(new RegExp(`--report <format.*[ ,]${name}[ ,;]`));
  });

  it("exits with 2 for an empty command line, and for an unknown command", async () => {
    expect(await cli([])).toBe(2);
    expect(await cli(["rnu"])).toBe(2);
    expect(printed.err).toContain("Did you mean run?");
    expect(printed.out).toBe("");
  });
});

describe("touchstone list", () => {
  async function listAs(listing: string): Promise<Record<string, unknown>[]> {
    printed.out = "";
    expect(await cli(["list", listing, "--protocol", "ahcp", "--vectors", vectors, "--json"])).toBe(0);
    return JSON.parse(printed.out);
  }

  it("prints each listing as JSON, with counts of the vectors", async () => {
    expect(await listAs("protocols")).toMatchObject([
      { protocol: "ahcp", version: "0.3", vectors: 3, valid: 1, invalid: 2 },
    ]);
    expect(await listAs("documents")).toContainEqual({
      protocol: "ahcp",
      document: "message",
      role: "entry",
      sites: 2,
      vectors: 3,
      valid: 1,
      invalid: 2,
      disputed: 0,
      about: "Message",
    });
    const rules = await listAs("rules");
    expect(rules).toHaveLength(protocolNamed("ahcp").rules.length);
    expect(rules).toContainEqual(
      expect.objectContaining({ rule, level: "MUST", check: "schema", message: 2, scenario: 0 }),
    );
    expect((await listAs("vectors")).map(({ id, verdict }) => [id, verdict])).toContainEqual([
      `${messagePath}/invalid/text`,
      "invalid",
    ]);
    expect(await listAs("variants")).toContainEqual(expect.objectContaining({ protocol: "ahcp", name: "accept-all" }));
  });

  it("prints a table, and the number of its rows", async () => {
    expect(await cli(["list", "vectors", "--protocol", "ahcp", "--vectors", vectors])).toBe(0);
    expect(printed.out).toMatch(/^verdict +id +description\nvalid +ahcp/);
    expect(printed.out).toMatch(/\n3 vectors\n$/);
  });

  it("lists the vectors of one fault, and counts the vectors of each fault and each family", async () => {
    const listRows = async (...args: string[]): Promise<Record<string, unknown>[]> => {
      printed.out = "";
      expect(await cli(["list", ...args, "--protocol", "ahcp", "--vectors", vectors, "--json"])).toBe(0);
      return JSON.parse(printed.out) as Record<string, unknown>[];
    };
    const tooShortRows = await listRows("vectors", "--fault", "too-short");
    expect(tooShortRows.map(({ id }) => id)).toEqual([`${messagePath}/invalid/number`, `${messagePath}/invalid/text`]);
    expect(await listRows("faults")).toEqual([{ protocol: "ahcp", fault: "too-short", vectors: 2, of: 3 }]);
    expect(await listRows("families")).toContainEqual(
      expect.objectContaining({ family: "timeout", vectors: 0, valid: 0, invalid: 0, of: 3 }),
    );
    expect(await cli(["list", "vectors", "--fault", "too-shrt", "--vectors", vectors])).toBe(2);
    expect(printed.err).toContain('did you mean "too-short"?');
    expect(await cli(["list", "vectors", "--family", "timeouts", "--vectors", vectors])).toBe(2);
    expect(printed.err).toContain('did you mean "timeout"?');
  });

  it("exits with 2 for an unknown listing", async () => {
    expect(await cli(["list", "ruels"])).toBe(2);
    expect(printed.err).toContain('did you mean "rules"?');
  });
});
