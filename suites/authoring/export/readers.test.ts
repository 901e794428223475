import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { home, ownVectors, protocolsNamed, readAs, type Vector } from "../../../schemas/index.ts";
import { onDebian, skipReason, titleWithReason } from "../../base/process/lacking.fixture.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { vector } from "../../packs/corpus/sample.fixture.ts";

const page = readFileSync(join(home, "vectors", "README.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** All vectors with the verdicts of these readings. */
const vectorsReadAs = (...names: string[]) =>
  protocolsNamed("all").flatMap((protocol) =>
    loadVectors(protocol).files.flatMap(({ schema, tests }) =>
      tests.map((test) => ({ ...readAs(protocol, names, test), schema })),
    ),
  );
const allVectors = vectorsReadAs();
const isDecided = ({ valid, beyond, level }: Pick<Vector, "valid" | "beyond" | "level">): boolean =>
  valid !== undefined && beyond === undefined && level === undefined;
const plainClaims = ["format-assertion", "lint", "semantic"];
/** A schema that the function under test does not know. */
const unknownSchema = protocolsNamed("snap")[0]?.profile.documents[0]?.schema ?? "";
const selectClaimed = (claims: readonly string[], vectors: typeof allVectors) =>
  vectors.filter((vector) => isDecided(vector) && vector.needs.every((need) => claims.includes(need)));

function codeBlock(language: string): string {
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1] ?? "";
}

/** Runs the reader of the page with a function that accepts everything, and returns its output. The last line is the number of ids that it yields. */
function runReader(language: "python" | "js", claims: readonly string[], tolerated: readonly string[]): string[] {
  const isPython = language === "python";
  const [noAnswer, isBytes] = isPython
    ? ["None", "isinstance(message, bytes)"]
    : ["undefined", "message instanceof Uint8Array"];
  const [setCode, claimsCode, unknownCode, toleratedCode] = [ownVectors, claims, unknownSchema, tolerated].map(
    (value) => JSON.stringify(value),
  );
  const acceptCode = isPython
    ? `lambda schema, message: ${noAnswer} if schema == ${unknownCode} else texts.append(${isBytes}) or True`
    : `(schema, message) => (schema === ${unknownCode} ? ${noAnswer} : texts.push(${isBytes}) > 0)`;
  const call = `failures(${setCode}, ${acceptCode}, ${claimsCode}, ${toleratedCode})`;
  const lastLines = isPython
    ? `texts = []\nfound = len(list(${call}))\nprint(sum(texts))\nprint(found)`
    : `const texts = [];\nconst found = [...${call}].length;\nconsole.log(texts.filter(Boolean).length);\nconsole.log(found);`;
  const file = join(folder, isPython ? "touchstone_vectors.py" : "reader.mjs");
  writeFileSync(file, `${codeBlock(language)}\n${lastLines}\n`);
  return execFileSync(isPython ? "python3" : process.execPath, [file], { encoding: "utf8" })
    .trim()
    .split("\n");
}

const textClaims = [...plainClaims, "raw-text", "big-numbers"];
/** The settings that the page gives for a parser. */
const parserSettings = /tolerated=(\[.*\])/.exec(page)?.[1] ?? "";

it.for([
  ["python", plainClaims, [], allVectors],
  ["js", plainClaims, [], allVectors],
  ["python", textClaims, JSON.parse(parserSettings), vectorsReadAs("parser")],
  ["js", textClaims, JSON.parse(parserSettings), vectorsReadAs("parser")],
] as const)(
  "the %s reader counts the vectors that it tests, cannot judge and leaves out, with claims %s and tolerated rules %s",
  ([language, claims, tolerated, vectors], { skip }) => {
    if (missingTools[language] !== undefined) skip(missingTools[language]);
    const lines = runReader(language, claims, tolerated);
    const claimedVectors = selectClaimed(claims, vectors);
    const judgedVectors = claimedVectors.filter(({ schema }) => schema !== unknownSchema);
    const invalidVectors = judgedVectors.filter(({ valid }) => valid === false);
    expect(judgedVectors.length).toBeLessThan(claimedVectors.length);
    expect(tolerated.length === 0 || claimedVectors.length > selectClaimed(claims, allVectors).length).toBe(true);
    expect(lines[0]).toBe(
      `asked: ${judgedVectors.length - invalidVectors.length} valid, ${invalidVectors.length} invalid; not judged: ${claimedVectors.length - judgedVectors.length}`,
    );
    expect(lines.slice(-2)).toEqual(
      [judgedVectors.filter(({ data }) => data === undefined), invalidVectors].map((expected) => `${expected.length}`),
    );
    const leftOutCounts = new Map(
      lines.slice(1, -2).map((line) => {
        const [, count, reason = ""] = /^left out: (\d+) \((.+)\)$/.exec(line) ?? [];
        return [reason, Number(count)];
      }),
    );
    expect([...leftOutCounts.values()].reduce((sum, count) => sum + count, 0)).toBe(
      allVectors.length - claimedVectors.length,
    );
    // A reader of the files accepts either answer to disputed vectors, which have no level there.
    const isOpen = ({ valid }: (typeof allVectors)[number], index: number): boolean =>
      valid === undefined || vectors[index]?.beyond !== undefined;
    expect(leftOutCounts.get("either answer is right")).toBe(allVectors.filter(isOpen).length);
    expect(leftOutCounts.get("advice")).toBe(
      allVectors.filter((candidate, index) => !isOpen(candidate, index) && candidate.level !== undefined).length,
    );
    expect(leftOutCounts.size).toBeGreaterThan(3);
  },
);

const runsPython = (...args: string[]): boolean => spawnSync("python3", args).status === 0;
const missingTools = {
  python: skipReason(runsPython("--version"), "Python", onDebian("python3")),
  js: undefined,
  // Optional everywhere, since few machines have it.
  pytest: runsPython("-m", "pytest", "--version") ? undefined : "no pytest here: pip install pytest",
};

it.skipIf(missingTools.pytest !== undefined)(
  titleWithReason(
    "pytest runs a test for each vector, named by its id, with the result of the function",
    missingTools.pytest,
  ),
  () => {
    const tests = [
      vector({ id: "p/1/a/valid/right" }),
      vector({ id: "p/1/a/invalid/wrong", valid: false }),
      vector({ id: "p/1/a/valid/advice", needs: ["lint"] }),
    ];
    const project = mkdtempSync(join(folder, "pytest-"));
    mkdirSync(join(project, "vectors"));
    const files = {
      "MANIFEST.json": { files: [{ path: "a.json" }, { path: "b.json" }] },
      "a.json": { schema: "a", tests },
      "b.json": { schema: "b", tests: [vector({ id: "p/1/b/valid/foreign" })] },
    };
    for (const [path, content] of Object.entries(files))
      writeFileSync(join(project, "vectors", path), JSON.stringify(content));
    const accepts = 'def accepts(schema, message):\n    return None if schema == "b" else True\n';
    writeFileSync(join(project, "my_implementation.py"), accepts);
    writeFileSync(join(project, "touchstone_vectors.py"), codeBlock("python"));
    writeFileSync(join(project, "test_vectors.py"), codeBlock("python pytest"));
    const options = ["-p", "no:cacheprovider", "-rA", "--tb=no"];
    const { stdout } = spawnSync("python3", ["-m", "pytest", ...options], { cwd: project, encoding: "utf8" });
    expect(stdout).toContain("PASSED test_vectors.py::test_vector[p/1/a/valid/right]");
    expect(stdout).toContain("FAILED test_vectors.py::test_vector[p/1/a/invalid/wrong]");
    expect(stdout).toContain("1 failed, 1 passed, 1 skipped");
  },
);
