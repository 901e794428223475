import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { home, ownVectors, protocolsNamed } from "../../schemas/index.ts";
import { loadVectors } from "../corpus/index.ts";
import { vector } from "../corpus/sample.fixture.ts";

const page = readFileSync(join(home, "vectors", "README.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));

const decided = protocolsNamed("all")
  .flatMap((protocol) =>
    loadVectors(protocol).files.flatMap(({ schema, tests }) => tests.map((each) => ({ ...each, schema }))),
  )
  .filter(({ valid, beyond, level }) => valid !== undefined && beyond === undefined && level === undefined);
const plain = ["format-assertion", "lint", "semantic"];
/** A schema by which the function of the tests does not judge. */
const foreign = protocolsNamed("snap")[0]?.profile.documents[0]?.schema ?? "";
const askedFor = (claims: readonly string[]) =>
  decided.filter(({ needs }) => needs.every((need) => claims.includes(need)));

function block(kind: string): string {
  return new RegExp(`\`\`\`${kind}\n([^]*?)\`\`\``).exec(page)?.[1] ?? "";
}

/** The lines that the page's reader prints with a function that accepts everything, and the number of ids that it yields as the last. */
function read(language: "python" | "js", claims: readonly string[]): string[] {
  const isPython = language === "python";
  const [none, bytes] = isPython
    ? ["None", "isinstance(message, bytes)"]
    : ["undefined", "message instanceof Uint8Array"];
  const [set, list, unknown] = [ownVectors, claims, foreign].map((each) => JSON.stringify(each));
  const accept = isPython
    ? `lambda schema, message: ${none} if schema == ${unknown} else texts.append(${bytes}) or True`
    : `(schema, message) => (schema === ${unknown} ? ${none} : texts.push(${bytes}) > 0)`;
  const call = `failures(${set}, ${accept}, ${list})`;
  const end = isPython
    ? `texts = []\nfound = len(list(${call}))\nprint(sum(texts))\nprint(found)`
    : `const texts = [];\nconst found = [...${call}].length;\nconsole.log(texts.filter(Boolean).length);\nconsole.log(found);`;
  const file = join(folder, isPython ? "touchstone_vectors.py" : "reader.mjs");
  writeFileSync(file, `${block(language)}\n${end}\n`);
  return execFileSync(isPython ? "python3" : process.execPath, [file], { encoding: "utf8" })
    .trim()
    .split("\n");
}

it.each([
  ["python", plain],
  ["js", plain],
  ["python", [...plain, "raw-text", "big-numbers"]],
  ["js", [...plain, "raw-text", "big-numbers"]],
] as const)("the reader in %s says what it asks, does not judge and leaves out, claiming %s", (language, claims) => {
  const lines = read(language, claims);
  const all = askedFor(claims);
  const asked = all.filter(({ schema }) => schema !== foreign);
  const invalid = asked.filter(({ valid }) => valid === false);
  expect(asked.length).toBeLessThan(all.length);
  expect(lines[0]).toBe(
    `asked: ${asked.length - invalid.length} valid, ${invalid.length} invalid; not judged: ${all.length - asked.length}`,
  );
  expect(lines.slice(-2)).toEqual(
    [asked.filter(({ data }) => data === undefined), invalid].map((each) => `${each.length}`),
  );
  const left = lines.slice(1, -2).map((line) => Number(/^left out: (\d+) for /.exec(line)?.[1]));
  expect(left.reduce((sum, count) => sum + count, 0)).toBe(decided.length - all.length);
  expect(left.length).toBeGreaterThan(0);
});

const hasPytest = spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;

it.skipIf(!hasPytest)(
  "the tests for pytest are one for each vector, by its id, with the result of the function",
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
    writeFileSync(join(project, "touchstone_vectors.py"), block("python"));
    writeFileSync(join(project, "test_vectors.py"), block("python pytest"));
    const options = ["-p", "no:cacheprovider", "-rA", "--tb=no"];
    const { stdout } = spawnSync("python3", ["-m", "pytest", ...options], { cwd: project, encoding: "utf8" });
    expect(stdout).toContain("PASSED test_vectors.py::test_vector[p/1/a/valid/right]");
    expect(stdout).toContain("FAILED test_vectors.py::test_vector[p/1/a/invalid/wrong]");
    expect(stdout).toContain("1 failed, 1 passed, 1 skipped");
  },
);
