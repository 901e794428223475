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

/** All vectors under these readings. */
const readBy = (...names: string[]) =>
  protocolsNamed("all").flatMap((protocol) =>
    loadVectors(protocol).files.flatMap(({ schema, tests }) =>
      tests.map((test) => ({ ...readAs(protocol, names, test), schema })),
    ),
  );
const all = readBy();
const isDecided = ({ valid, beyond, level }: Pick<Vector, "valid" | "beyond" | "level">): boolean =>
  valid !== undefined && beyond === undefined && level === undefined;
const plain = ["format-assertion", "lint", "semantic"];
/** A schema that the tested function does not know. */
const foreign = protocolsNamed("snap")[0]?.profile.documents[0]?.schema ?? "";
const askedFor = (claims: readonly string[], vectors: typeof all) =>
  vectors.filter((vector) => isDecided(vector) && vector.needs.every((need) => claims.includes(need)));

function block(kind: string): string {
  return new RegExp(`\`\`\`${kind}\n([^]*?)\`\`\``).exec(page)?.[1] ?? "";
}

/** The lines that the page's reader prints with a function that accepts everything, and the number of ids that it yields as the last. */
function read(language: "python" | "js", claims: readonly string[], tolerated: readonly string[]): string[] {
  const isPython = language === "python";
  const [none, bytes] = isPython
    ? ["None", "isinstance(message, bytes)"]
    : ["undefined", "message instanceof Uint8Array"];
  const [set, list, unknown, rules] = [ownVectors, claims, foreign, tolerated].map((each) => JSON.stringify(each));
  const accept = isPython
    ? `lambda schema, message: ${none} if schema == ${unknown} else texts.append(${bytes}) or True`
    : `(schema, message) => (schema === ${unknown} ? ${none} : texts.push(${bytes}) > 0)`;
  const call = `failures(${set}, ${accept}, ${list}, ${rules})`;
  const end = isPython
    ? `texts = []\nfound = len(list(${call}))\nprint(sum(texts))\nprint(found)`
    : `const texts = [];\nconst found = [...${call}].length;\nconsole.log(texts.filter(Boolean).length);\nconsole.log(found);`;
  const file = join(folder, isPython ? "touchstone_vectors.py" : "reader.mjs");
  writeFileSync(file, `${block(language)}\n${end}\n`);
  return execFileSync(isPython ? "python3" : process.execPath, [file], { encoding: "utf8" })
    .trim()
    .split("\n");
}

const texts = [...plain, "raw-text", "big-numbers"];
/** The settings that the page gives for a parser. */
const parser = /tolerated=(\[.*\])/.exec(page)?.[1] ?? "";

it.for([
  ["python", plain, [], all],
  ["js", plain, [], all],
  ["python", texts, JSON.parse(parser), readBy("parser")],
  ["js", texts, JSON.parse(parser), readBy("parser")],
] as const)(
  "the reader in %s reports the vectors that it tests, does not judge and leaves out, claiming %s, read as %s",
  ([language, claims, tolerated, vectors], { skip }) => {
    if (lacking[language] !== undefined) skip(lacking[language]);
    const lines = read(language, claims, tolerated);
    const wanted = askedFor(claims, vectors);
    const asked = wanted.filter(({ schema }) => schema !== foreign);
    const invalid = asked.filter(({ valid }) => valid === false);
    expect(asked.length).toBeLessThan(wanted.length);
    expect(tolerated.length === 0 || wanted.length > askedFor(claims, all).length).toBe(true);
    expect(lines[0]).toBe(
      `asked: ${asked.length - invalid.length} valid, ${invalid.length} invalid; not judged: ${wanted.length - asked.length}`,
    );
    expect(lines.slice(-2)).toEqual(
      [asked.filter(({ data }) => data === undefined), invalid].map((each) => `${each.length}`),
    );
    const left = new Map(
      lines.slice(1, -2).map((line) => {
        const [, count, why = ""] = /^left out: (\d+) \((.+)\)$/.exec(line) ?? [];
        return [why, Number(count)];
      }),
    );
    expect([...left.values()].reduce((sum, count) => sum + count, 0)).toBe(all.length - wanted.length);
    // A reader of the files accepts either answer to disputed vectors, which have no level there.
    const isOpen = ({ valid }: (typeof all)[number], index: number): boolean =>
      valid === undefined || vectors[index]?.beyond !== undefined;
    expect(left.get("either answer is right")).toBe(all.filter(isOpen).length);
    expect(left.get("advice")).toBe(
      all.filter((each, index) => !isOpen(each, index) && each.level !== undefined).length,
    );
    expect(left.size).toBeGreaterThan(3);
  },
);

const isThere = (...words: string[]): boolean => spawnSync("python3", words).status === 0;
const lacking = {
  python: skipReason(isThere("--version"), "Python", onDebian("python3")),
  js: undefined,
  // Optional everywhere, since few machines have it.
  pytest: isThere("-m", "pytest", "--version") ? undefined : "no pytest here: pip install pytest",
};

it.skipIf(lacking.pytest !== undefined)(
  titleWithReason(
    "the tests for pytest are one for each vector, by its id, with the result of the function",
    lacking.pytest,
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
    writeFileSync(join(project, "touchstone_vectors.py"), block("python"));
    writeFileSync(join(project, "test_vectors.py"), block("python pytest"));
    const options = ["-p", "no:cacheprovider", "-rA", "--tb=no"];
    const { stdout } = spawnSync("python3", ["-m", "pytest", ...options], { cwd: project, encoding: "utf8" });
    expect(stdout).toContain("PASSED test_vectors.py::test_vector[p/1/a/valid/right]");
    expect(stdout).toContain("FAILED test_vectors.py::test_vector[p/1/a/invalid/wrong]");
    expect(stdout).toContain("1 failed, 1 passed, 1 skipped");
  },
);
