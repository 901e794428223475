import { describe, expect, it } from "vitest";
import type { Tree } from "../tree.ts";
import { digestOfInputs } from "./inputs.ts";

const files: Record<string, string> = {
  "generators/index.ts": 'export { solve } from "./solve.ts";',
  "generators/solve.ts": "export const solve = 1;",
  "generators/solve.test.ts": 'import { solve } from "./solve.ts";',
  "package-lock.json": "{}",
  "schemas/index.ts": "export const schemas = 1;",
  "schemas/packs.json": "[]",
  "schemas/one/1.0/profile.json": '{ "extends": { "pack": "three@1.0" } }',
  "schemas/one/1.0/renamed.json": "{}",
  "schemas/one/1.0/message.schema.json": "{}",
  "schemas/two/1.0/message.schema.json": "{}",
  "schemas/three/1.0/message.schema.json": "{}",
  "scripts/vectors/part.ts": 'import { all } from "../../suites/index.ts";\nimport "./laws.ts";',
  "scripts/vectors/laws.ts": "",
  "suites/index.ts": 'export { cli } from "./cli.ts";\nexport { ruled } from "./packs/pack/load.ts";',
  "suites/cli.ts": "",
  "suites/packs/pack/load.ts": 'import { known } from "../../../schemas/index.ts";',
  "suites/protocols/one/index.ts":
    'export const pack = {\n  rules: () => import("./rules/index.ts"),\n  signer: () => import("./post/signer.ts"),\n  live: () => import("./live.ts"),\n};',
  "suites/protocols/one/rules/index.ts": 'import { time } from "./time.ts";',
  "suites/protocols/one/rules/time.ts": 'import { clock } from "../../../clock.ts";',
  "suites/protocols/one/post/signer.ts": "",
  "suites/protocols/one/live.ts": "",
  "suites/protocols/two/index.ts": "",
  "suites/clock.ts": "",
};

const digestWith = (tree: Tree, versions = process.versions): string => digestOfInputs(tree, "one", versions);
const initialDigest = digestWith(new Map(Object.entries(files)));
const withText = (path: string, text: string): string =>
  digestWith(new Map(Object.entries({ ...files, [path]: text })));
const digestAfterChange = (path: string): string =>
  withText(path, `${files[path]}${path.endsWith(".ts") ? "\nexport const added = 1;" : " "}`);

describe("the digest of the inputs of a protocol's vectors", () => {
  it.each([
    ["a schema", "schemas/one/1.0/message.schema.json"],
    ["the profile", "schemas/one/1.0/profile.json"],
    ["the schema of the protocol that it extends", "schemas/three/1.0/message.schema.json"],
    ["the engine", "generators/solve.ts"],
    ["a rule's code", "suites/protocols/one/rules/time.ts"],
    ["an import of a rule's code", "suites/clock.ts"],
    ["the signer", "suites/protocols/one/post/signer.ts"],
    ["the laws", "scripts/vectors/laws.ts"],
    ["a library", "package-lock.json"],
    ["our own data", "schemas/packs.json"],
    ["the pack", "suites/protocols/one/index.ts"],
  ])("changes when %s changes", (_, path) => {
    expect(files).toHaveProperty([path]);
    expect(digestAfterChange(path)).not.toBe(initialDigest);
  });

  it("changes with a new schema, and with a different version of Node.js", () => {
    expect(digestWith(new Map(Object.entries({ ...files, "schemas/one/1.0/new.schema.json": "{}" })))).not.toBe(
      initialDigest,
    );
    expect(digestWith(new Map(Object.entries(files)), { ...process.versions, node: "0.0.0" })).not.toBe(initialDigest);
  });

  it.each([
    ["another protocol's schema", "schemas/two/1.0/message.schema.json"],
    ["another protocol's pack", "suites/protocols/two/index.ts"],
    ["a test", "generators/solve.test.ts"],
    ["a part of the pack beside its rules", "suites/protocols/one/live.ts"],
    ["the command line", "suites/cli.ts"],
    ["the table of former ids", "schemas/one/1.0/renamed.json"],
  ])("stays the same when %s changes", (_, path) => {
    expect(files).toHaveProperty([path]);
    expect(digestAfterChange(path)).toBe(initialDigest);
  });

  it.each([
    ["a comment", "/** The answer. */\nexport const solve = 1;"],
    ["a type", "export const solve: number = 1;\nexport type Solve = number;"],
  ])("stays the same when %s is added to the engine", (_, text) => {
    expect(withText("generators/solve.ts", text)).toBe(initialDigest);
  });
});
