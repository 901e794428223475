import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { home } from "../schemas/index.ts";

/** Packages that only some commands need, and that would slow down all others. */
const heavyPackages = [
  "ajv",
  "ajv-formats",
  "@hyperjump/json-schema",
  "@hyperjump/browser",
  "refa",
  "@eslint-community/regexpp",
  "fast-check",
  "json-schema-faker",
  "hono",
  "undici",
  "@modelcontextprotocol/sdk",
];

/** A module that records the address of every module that is resolved or required, by any loader. */
const recorder = `
import { appendFileSync } from "node:fs";
import { createRequire, register } from "node:module";
const hook = \`
  import { appendFileSync } from "node:fs";
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    appendFileSync(process.env.RECORD, found.url + "\\\\n");
    return found;
  }\`;
register("data:text/javascript," + encodeURIComponent(hook));
const { cache } = createRequire(import.meta.url);
process.on("exit", () => appendFileSync(process.env.RECORD, Object.keys(cache).join("\\n")));
`;

/** Names of the packages that a program loads. */
function loadedBy(program: string): Set<string> {
  const names = modulesLoadedBy(program).map((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  return new Set(names.filter((name) => name !== undefined));
}

/** Addresses and paths of the modules that a program loads. In the program, `house` is the address of the repository. */
function modulesLoadedBy(program: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  const record = join(folder, "record.txt");
  writeFileSync(join(folder, "recorder.mjs"), recorder);
  writeFileSync(join(folder, "program.mjs"), `const house = ${JSON.stringify(pathToFileURL(home).href)};\n${program}`);
  const hooks = ["--import", "tsx", "--import", pathToFileURL(join(folder, "recorder.mjs")).href];
  const { status, stderr } = spawnSync(process.execPath, [...hooks, join(folder, "program.mjs")], {
    cwd: home,
    env: { ...process.env, RECORD: record },
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  const addresses = readFileSync(record, "utf8").replaceAll("\\", "/");
  rmSync(folder, { recursive: true });
  return [...new Set(addresses.split("\n").map((address) => address.replace(/\?.*/, "")))];
}

describe("modules loaded", () => {
  it("to run every stored vector include no heavy package", () => {
    const loaded = loadedBy(`
      const { runSuite } = await import(house + "/suites/index.ts");
      const target = () => ({
        kind: "module", name: "accepts all", claims: undefined, concurrency: 1,
        open: async () => {}, skips: () => undefined, close: async () => {},
        check: async () => ({ verdict: "accepted", reasons: [] }),
      });
      const { counts } = await runSuite({ protocols: "all", target });
      if (!(counts.conforms > 0 && counts.violates > 0)) throw new Error(JSON.stringify(counts));
    `);
    expect(loaded).toContain("picomatch");
    expect(heavyPackages.filter((name) => loaded.has(name))).toEqual([]);
  });

  it("to sign requests to live servers include no heavy package", () => {
    const loaded = loadedBy(`
      const { protocolsNamed } = await import(house + "/schemas/index.ts");
      const { packOf } = await import(house + "/suites/packs/pack/load.ts");
      const signers = await Promise.all(protocolsNamed("all").map(async (each) => (await packOf(each)).signer?.()));
      if (signers.every((each) => each === undefined)) throw new Error("no protocol has a signer");
    `);
    expect(loaded).toContain("@noble/curves");
    expect(heavyPackages.filter((name) => loaded.has(name))).toEqual([]);
  });

  it("to list protocols and rules include few of the schemas' modules", () => {
    const modules = modulesLoadedBy(`
      process.argv.push("--help");
      await import(house + "/suites/cli/main.ts");
    `);
    const schemaModules = modules.filter((path) => /\/schemas\/[^/]+\.ts$/.test(path));
    expect(schemaModules.some((path) => path.endsWith("/schemas/light-entry.ts"))).toBe(true);
    expect(schemaModules.length).toBeLessThan(12);
  });

  it("to watch a process that makes vectors include few of the schemas' modules", () => {
    const modules = modulesLoadedBy('await import(house + "/suites/cli/commands/generate.ts");');
    const schemaModules = modules.filter((path) => /\/schemas\/.*\.ts$/.test(path));
    expect(schemaModules.some((path) => path.endsWith("/schemas/light-entry.ts"))).toBe(true);
    expect(schemaModules.length).toBeLessThan(16);
  });

  it("include packages that are required deep inside another package", () => {
    const loaded = loadedBy('await import(house + "/generators/index.ts");');
    expect([...loaded]).toEqual(
      expect.arrayContaining(["ajv", "@hyperjump/json-schema", "refa", "json-schema-traverse"]),
    );
  });
});
