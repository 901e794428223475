import {
  hasStandIn,
  type JsonObject,
  rawWithExactNumbers,
  textWithExactNumbers,
  type Vector,
  type VectorFile,
  wordsWithExactNumbers,
} from "../../schemas/index.ts";

/** The exact spelling of numbers in the schemas, by the double that represents each. */
type ExactNumbers = ReadonlyMap<number, string>;

/** Prints a file with one test per line, so that a changed vector is one changed line. Doubles are replaced by exact numbers. */
export function print(file: VectorFile, exact: ExactNumbers = new Map()): string {
  const { tests, ...head } = file;
  const lines = JSON.stringify({ ...head, tests: [] } satisfies JsonObject | object, null, 2);
  const texts = tests.map(
    (test) => `    ${textWithExactNumbers(test, hasStandIn(test.data, exact) ? exact : new Map())}`,
  );
  return `${lines.slice(0, -"[]\n}".length)}[\n${texts.join(",\n")}\n  ]\n}\n`;
}

/** Puts the exact numbers into all descriptions and texts. A vector with such a number in its instance needs a reader that preserves it. */
export function withNumbers(file: VectorFile, exact: ExactNumbers): VectorFile {
  if (exact.size === 0) return file;
  const tests = file.tests.flatMap((test) => withExactNumbers(test, exact) ?? []);
  return { ...file, count: tests.length, tests };
}

function withExactNumbers(test: Vector, exact: ExactNumbers): Vector | undefined {
  const described = { ...test, description: wordsWithExactNumbers(test.description, exact) };
  if (test.base64 !== undefined) {
    const text = Buffer.from(test.base64, "base64").toString("latin1");
    const raw = rawWithExactNumbers(text, exact);
    if (raw === undefined) return undefined;
    if (raw === text) return described;
    return withBigNumberNeed({ ...described, base64: Buffer.from(raw, "latin1").toString("base64") });
  }
  const raw = test.raw === undefined ? undefined : rawWithExactNumbers(test.raw, exact);
  if (test.raw !== undefined && raw === undefined) return undefined;
  if (raw === undefined) return hasStandIn(test.data, exact) ? withBigNumberNeed(described) : described;
  return raw === test.raw ? described : withBigNumberNeed({ ...described, raw });
}

/** Adds the need for big numbers: a reader that converts numbers to doubles would judge a different message. */
function withBigNumberNeed(test: Vector): Vector {
  return { ...test, needs: [...new Set([...test.needs, "big-numbers"])] };
}
