import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isObject, type Json, readJson, readWhole, readYaml, TouchstoneError } from "../../schemas/index.ts";

/** One test of somebody's own suite. */
export interface OwnTest {
  name: string;
  data: Json;
  valid: boolean;
}

/**
 * The tests in a file, or in every JSON and YAML file below a folder: a group `{ description, tests: [{ description, data, valid }] }`,
 * a list of groups, or a list of tests. Throws a usage error for a file in which there are none.
 */
export async function testsIn(path: string): Promise<OwnTest[]> {
  const tests: OwnTest[] = [];
  for (const file of statSync(path).isDirectory() ? filesBelow(path) : [path])
    tests.push(...testsOf(await valueIn(file), ""));
  if (tests.length > 0) return tests;
  throw new TouchstoneError("usage", "there are no tests in it", {
    where: path,
    hint: 'a test has "data" and "valid"; tests stand in a list, or in the list "tests" of a group',
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(json|ya?ml)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function* testsOf(value: Json, above: string): Generator<OwnTest> {
  if (Array.isArray(value)) for (const each of value) yield* testsOf(each, above);
  if (!isObject(value)) return;
  const name = [above, typeof value.description === "string" ? value.description : ""].filter(Boolean).join(": ");
  if (typeof value.valid === "boolean" && value.data !== undefined)
    yield { name, data: value.data, valid: value.valid };
  else if (Array.isArray(value.tests)) yield* testsOf(value.tests, name);
}

async function valueIn(file: string): Promise<Json> {
  const bytes = readWhole(file);
  return (/\.ya?ml$/i.test(file) ? await readYaml(bytes, file) : readJson(bytes, file)).value;
}
