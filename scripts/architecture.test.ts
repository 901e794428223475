import { describe, expect, it } from "vitest";
import { home } from "../schemas/index.ts";
import { houseRules } from "./architecture.ts";
import { rooms } from "./rooms.ts";
import { importsOf, readTree, type Tree } from "./tree.ts";

const tree = readTree(home);

describe("this repository", () => {
  it.each(houseRules)("keeps: $name", (rule) => expect(rule.complaints(tree)).toEqual([]));

  it("is read completely, without dependencies and build output", () => {
    const folders = new Set([...tree.keys()].map((path) => path.split("/")[0]));
    for (const folder of ["schemas", "generators", "suites", "vectors", "scripts", ".ci"])
      expect(folders).toContain(folder);
    for (const folder of [".git", "node_modules", "dist"]) expect(folders).not.toContain(folder);
    expect(importsOf(tree)).toContainEqual({
      from: "scripts/architecture.test.ts",
      to: "schemas/index.ts",
      isOurs: true,
      dynamic: false,
    });
  });
});

const complete: Record<string, string> = Object.fromEntries(
  ["schemas", "generators", "suites", "vectors", "scripts", ...Object.keys(rooms).map((room) => `suites/${room}`)].map(
    (folder) => [`${folder}/README.md`, ""],
  ),
);
const declarationOf = (name: string): string => `export const ${name}: number = 1;\n`;
const manifest = JSON.stringify({ dependencies: { ajv: "1" }, devDependencies: { zod: "1", "@x/y": "1" } });

const packList = '{"packs": [{"name": "zap", "version": "1.0"}]}';
const pack = {
  "schemas/packs.json": packList,
  "schemas/zap/1.0/profile.json": "{}",
  "schemas/zap/1.0/rules.json": '{"rules": [{"id": "ZZ-ENV-001"}]}',
  "suites/protocols/zap/index.ts": "",
};

/** Small trees that break one rule each, with the expected complaints. No other rule complains about them. */
const breaches: [rule: RegExp, files: Record<string, string>, named: string[]][] = [
  ...[
    ["why.startsWith(", "a)"],
    ['why ?? "").includes(', "a)", "("],
    [".exec(result.why", ")", "form"],
    ["message?.endsWith(", "a)"],
    ["why === ", "a"],
  ].map(([matchedCode = "", after = "", before = ""]): [RegExp, Record<string, string>, string[]] => [
    /no sentence/,
    { "suites/a.ts": `const a = ${before}${matchedCode}${after};\n` },
    [`suites/a.ts reads a sentence: ${matchedCode}`],
  ]),
  [/leads to a file/, { "suites/a.md": "[b](b.md)\n" }, ["suites/a.md links to b.md, which is not there"]],
  [
    /leads to a file/,
    { "suites/a.md": "## One `b`\n\n[in](#one-b), [out](b.md#two)\n", "suites/b.md": "# Three\n" },
    ["suites/a.md links to b.md#two, and the page has no such heading"],
  ],
  [
    /one way/,
    { "schemas/a.ts": 'import "../suites/b.ts";\n', "suites/b.ts": "" },
    ["schemas/a.ts imports suites/b.ts"],
  ],
  [
    /one way/,
    { "generators/a.ts": 'import type { A } from "../schemas/a.ts";\n', "schemas/a.ts": "" },
    ["generators/a.ts imports schemas/a.ts"],
  ],
  [
    /one way/,
    { "generators/a.ts": 'export * from "../suites/index.ts";\n', "suites/index.ts": "" },
    ["generators/a.ts imports suites/index.ts"],
  ],
  [
    /one way/,
    { "suites/a.ts": 'import {\n  type A,\n  b,\n} from "../generators/index.ts";\n', "generators/index.ts": "" },
    ["suites/a.ts imports generators/index.ts"],
  ],
  [
    /one way/,
    { "suites/a.ts": 'const { a } = await import("../generators/a.ts");\n', "generators/a.ts": declarationOf("a") },
    ["suites/a.ts imports generators/a.ts"],
  ],
  [
    /one way/,
    {
      "scripts/a.ts": 'import { a } from "../suites/running/run/a.ts";\n',
      "suites/running/run/a.ts": declarationOf("a"),
    },
    ["scripts/a.ts imports suites/running/run/a.ts"],
  ],
  [
    /one way/,
    { "suites/a.ts": 'import all from "../vectors/a.json" with { type: "json" };\n', "vectors/a.json": "{}" },
    ["suites/a.ts imports vectors/a.json"],
  ],
  [
    /itself/,
    {
      "suites/a.ts": 'import { b } from "./b.ts";\n',
      "suites/b.ts": 'export { c } from "./c.ts";\n',
      "suites/c.ts": 'import type { A } from "./a.ts";\n',
    },
    ["suites/a.ts > suites/b.ts > suites/c.ts > suites/a.ts"],
  ],
  [
    /folders beside/,
    {
      "suites/base/a/x.ts": 'import { y } from "../b/y.ts";\n',
      "suites/base/b/y.ts": "export const y: number = 1;\n",
      "suites/base/b/z.ts": 'import type { W } from "../a/w.ts";\n',
      "suites/base/a/w.ts": "",
    },
    [
      "suites/base/a and suites/base/b import each other: suites/base/a/x.ts imports suites/base/b/y.ts",
      "suites/base/b and suites/base/a import each other: suites/base/b/z.ts imports suites/base/a/w.ts",
    ],
  ],
  [
    /folders beside/,
    {
      "suites/base/a/deep/b/x.ts": 'const { y } = await import("../c/y.ts");\n',
      "suites/base/a/deep/c/y.ts": 'import { z } from "../d/z.ts";\n',
      "suites/base/a/deep/d/z.ts": 'import { w } from "../b/w.ts";\n',
      "suites/base/a/deep/b/w.ts": "",
    },
    [
      "suites/base/a/deep/b and suites/base/a/deep/c import each other: suites/base/a/deep/b/x.ts imports suites/base/a/deep/c/y.ts",
      "suites/base/a/deep/c and suites/base/a/deep/d import each other: suites/base/a/deep/c/y.ts imports suites/base/a/deep/d/z.ts",
      "suites/base/a/deep/d and suites/base/a/deep/b import each other: suites/base/a/deep/d/z.ts imports suites/base/a/deep/b/w.ts",
    ],
  ],
  [
    /line in the list/,
    { "schemas/packs.json": packList, "schemas/zap/1.0/profile.json": "{}" },
    ["suites/protocols/zap/index.ts is missing"],
  ],
  [
    /line in the list/,
    { ...pack, "suites/protocols/zip/index.ts": "" },
    ["suites/protocols/zip is not in the list of packs"],
  ],
  [/names no protocol/, { ...pack, "suites/a.ts": 'const name = "zap";\n' }, ["suites/a.ts names zap"]],
  [/names no protocol/, { ...pack, "generators/a.ts": "// As ZAP has it.\n" }, ["generators/a.ts names ZAP"]],
  [/names no protocol/, { ...pack, "suites/a.ts": 'const rule = "ZZ-ENV-001";\n' }, ["suites/a.ts names ZZ-E"]],
  [/declares/, { "package.json": manifest, "suites/a.ts": 'import { z } from "zod";\n' }, ["suites/a.ts imports zod"]],
  [
    /declares/,
    { "package.json": manifest, "suites/a.test.ts": 'import { x } from "@x/z/deep.js";\n' },
    ["suites/a.test.ts imports @x/z/deep.js"],
  ],
  [/named after/, { "suites/string-utils.ts": "" }, ["suites/string-utils.ts"]],
  [/named after/, { "generators/helpers/a.ts": "" }, ["generators/helpers/a.ts"]],
  [/at most/, { "suites/a.ts": "\n".repeat(501) }, ["suites/a.ts has 501 lines"]],
  [/re-exports/, { "suites/index.ts": "export function a(): void {}\n" }, ["suites/index.ts"]],
  [/re-exports/, { "suites/base/a/index.ts": "export const a: () => number = () => 1;\n" }, ["suites/base/a/index.ts"]],
  [/top level/, { "utils/a.ts": "" }, ["utils is there"]],
  [/clock/, { "generators/a.ts": "export const a: number = Date.now();\n" }, ["generators/a.ts uses Date.now"]],
  [
    /clock/,
    { "generators/b/a.ts": "a.sort((x, y) => x.localeCompare(y));\n" },
    ["generators/b/a.ts uses localeCompare"],
  ],
  [/machine/, { "suites/a.md": `see /${"root"}/notes` }, [`suites/a.md has /${"root"}/`]],
  [
    /registry/,
    { "package-lock.json": '{"resolved": "https://registry.example"}' },
    ["package-lock.json has resolved addresses"],
  ],
  [/words/, { "suites/a.md": "# A\n\nPlain.\nIt hee" + "ds this.\n" }, [`suites/a.md:4: "hee${"ds"}": say respect`]],
  [
    /words/,
    { "suites/a.ts": "export const isCare" + "less = true;\n" },
    [`suites/a.ts:1: "Care${"less"}": say what enforces it, vacuous \`if\``],
  ],
  [
    /words/,
    { "suites/a.md": `That no${"body"} asked, is to${"ld"} by a line.\n` },
    [
      `suites/a.md:1: "to${"ld"} by": say killed by, determined by, shown by`,
      `suites/a.md:1: "no${"body"} asked": say a plain sentence`,
    ],
  ],
  [/words/, { [`suites/tas${"te"}.ts`]: "" }, [`suites/tas${"te"}.ts: "tas${"te"}": say sample-based values`]],
];

describe("a breach is reported", () => {
  it.each(breaches.map(([rule, files, named]) => ({ title: named[0], rule, files, named })))(
    "$title",
    ({ rule, files, named }) => {
      const brokenTree: Tree = new Map(Object.entries({ ...complete, ...files }));
      const brokenRules = houseRules
        .map(({ name, complaints }) => ({ name, complaints: complaints(brokenTree) }))
        .filter(({ complaints }) => complaints.length > 0);
      expect(brokenRules).toEqual([{ name: expect.stringMatching(rule), complaints: named }]);
    },
  );

  it("for missing READMEs", () => {
    const complaints = houseRules.flatMap((rule) => rule.complaints(new Map()));
    expect(complaints).toEqual(Object.keys(complete).map((path) => `${path} is missing`));
  });
});

describe("permitted trees", () => {
  const allowed: Record<string, Record<string, string>> = {
    "the index of schemas": {
      "suites/a.ts": 'import { a } from "../schemas/index.ts";\n',
      "schemas/index.ts": 'export * from "./a.ts";\n',
      "schemas/a.ts": "",
    },
    "suites that load generators when they need them": {
      "suites/a.ts": 'const g = await import("../generators/index.ts");\n',
      "generators/index.ts": "",
    },
    "scripts that import generators": {
      "scripts/a.ts": 'import { g } from "../generators/index.ts";\n',
      "generators/index.ts": "",
    },
    "imports in a text": { "suites/a.test.ts": 'const text = `\nimport b from "elsewhere";\n`;\n' },
    "packages that are declared": {
      "package.json": manifest,
      "suites/a.ts": 'import { Ajv2020 } from "ajv/dist/2020.js";\nimport { join } from "node:path";\n',
    },
    "packages for the house itself": {
      "package.json": manifest,
      "suites/a.test.ts": 'import { z } from "zod";\n',
      "scripts/a.ts": 'import "@x/y/z";\n',
    },
    "a clock in tests and comments": {
      "generators/a.test.ts": "Date.now();\n",
      "generators/a.ts": "// Math.random would change from run to run.\n",
    },
    "an index that lists": {
      "suites/index.ts": 'import { a } from "./a.ts";\n\n/** For all. */\nexport const all: readonly A[] = [a];\n',
      "suites/a.ts": "",
    },
    "a protocol's own name for its file": { "schemas/snap/0.1/common.schema.json": "{}", "suites/commonly.ts": "" },
    "a protocol that is named where it is at home, in tests and in documents": {
      ...pack,
      "suites/protocols/zap/rules/a.ts": 'const rule = "ZZ-ENV-001";\n',
      "suites/a.test.ts": 'const name = "zap";\n',
      "suites/README.md": "See zap.",
      "suites/b.ts": "// Zapping is another word.\n",
    },
    "rules of a pack that use the generators": {
      ...pack,
      "suites/protocols/zap/rules/a.ts": 'import { a } from "../../../../generators/index.ts";\n',
      "generators/index.ts": "",
    },
    "the entry of a pack": {
      ...pack,
      "suites/protocols/zap/index.ts": 'export const pack: Pack = { rules: () => import("./rules/index.ts") };\n',
      "suites/protocols/zap/rules/index.ts": "",
    },
    "words that are English": {
      "suites/a.ts": "/** Undefined where there is none: a hub is forced to refuse. */\n",
    },
    "a long test": { "suites/a.test.ts": "\n".repeat(400) },
  };

  it.each(Object.entries(allowed))("%s", (_, files) => {
    const brokenTree: Tree = new Map(Object.entries({ ...complete, ...files }));
    expect(houseRules.flatMap((rule) => rule.complaints(brokenTree))).toEqual([]);
  });
});
