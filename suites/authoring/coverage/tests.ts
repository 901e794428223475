import { readdirSync, statSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { isObject, type Json, readJson, readYaml, TouchstoneError } from "../../../schemas/index.ts";
import { readBytes } from "../../base/format/bytes.ts";

/** One test of a user's own suite. */
export interface UserTest {
  /** The descriptions, outermost first; without one, the file and the JSON Pointer of the test in it. */
  name: string;
  data: Json;
  valid: boolean;
}

/** The tests in a file, or in every JSON and YAML file below a folder: a group `{ description, tests: [{ description, data, valid }] }`, a list of groups, or a list of tests. Throws a usage error for a file without tests. */
export async function readTests(path: string): Promise<UserTest[]> {
  const tests: UserTest[] = [];
  const isFolder = statSync(path).isDirectory();
  for (const file of isFolder ? filesBelow(path) : [path]) {
    const shownPath = isFolder ? relative(path, file).split(sep).join("/") : basename(file);
    for (const { at, ...test } of testsOf(await readValue(file), "", ""))
      tests.push({ ...test, name: test.name === "" ? `${shownPath}#${at}` : test.name });
  }
  if (tests.length > 0) return tests;
  throw new TouchstoneError("usage", "the file has no tests", {
    where: path,
    hint: 'expected tests, each with "data" and "valid", in a list or in the list "tests" of a group',
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(json|ya?ml)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Yields the tests of a value. The name of a test has the descriptions of the groups around it, then its own. A test without a description is named by its place in the file. */
function* testsOf(value: Json, groupName: string, pointer: string): Generator<UserTest & { at: string }> {
  if (Array.isArray(value))
    for (const [index, element] of value.entries()) yield* testsOf(element, groupName, `${pointer}/${index}`);
  if (!isObject(value)) return;
  const ownName = typeof value.description === "string" ? value.description.trim() : "";
  const name = [groupName, ownName].filter(Boolean).join(": ");
  if (typeof value.valid === "boolean" && value.data !== undefined) {
    const placedName = ownName === "" && groupName !== "" ? `${groupName}: #${pointer}` : name;
    yield { name: placedName, data: value.data, valid: value.valid, at: pointer };
  } else if (Array.isArray(value.tests)) yield* testsOf(value.tests, name, `${pointer}/tests`);
}

async function readValue(file: string): Promise<Json> {
  const bytes = readBytes(file);
  return (/\.ya?ml$/i.test(file) ? await readYaml(bytes, file) : readJson(bytes, file)).value;
}
