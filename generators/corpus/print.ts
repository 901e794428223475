import {
  hasMeant,
  type JsonObject,
  rawWithMeant,
  textWithMeant,
  type Vector,
  type VectorFile,
  wordsWithMeant,
} from "../../schemas/index.ts";

/** The numbers that the doubles of the schemas mean. */
type Meant = ReadonlyMap<number, string>;

/** One test a line, so that a changed vector is one changed line; with the exact numbers instead of their doubles. */
export function print(file: VectorFile, meant: Meant = new Map()): string {
  const { tests, ...head } = file;
  const lines = JSON.stringify({ ...head, tests: [] } satisfies JsonObject | object, null, 2);
  const texts = tests.map((test) => `    ${textWithMeant(test, hasMeant(test.data, meant) ? meant : new Map())}`);
  return `${lines.slice(0, -"[]\n}".length)}[\n${texts.join(",\n")}\n  ]\n}\n`;
}

/** The file with the exact numbers in all words and texts; a vector with such a number in its instance needs a reader that keeps it. */
export function withNumbers(file: VectorFile, meant: Meant): VectorFile {
  if (meant.size === 0) return file;
  const tests = file.tests.flatMap((test) => printNumbers(test, meant) ?? []);
  return { ...file, count: tests.length, tests };
}

function printNumbers(test: Vector, meant: Meant): Vector | undefined {
  const described = { ...test, description: wordsWithMeant(test.description, meant) };
  if (test.base64 !== undefined) {
    const text = Buffer.from(test.base64, "base64").toString("latin1");
    const raw = rawWithMeant(text, meant);
    if (raw === undefined) return undefined;
    if (raw === text) return described;
    return withBigNumberNeed({ ...described, base64: Buffer.from(raw, "latin1").toString("base64") });
  }
  const raw = test.raw === undefined ? undefined : rawWithMeant(test.raw, meant);
  if (test.raw !== undefined && raw === undefined) return undefined;
  if (raw === undefined) return hasMeant(test.data, meant) ? withBigNumberNeed(described) : described;
  return raw === test.raw ? described : withBigNumberNeed({ ...described, raw });
}

/** A reader of numbers as doubles would judge another message. */
function withBigNumberNeed(test: Vector): Vector {
  return { ...test, needs: [...new Set([...test.needs, "big-numbers"])] };
}
