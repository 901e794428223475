import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { Manifest, Vector, VectorFile } from "../../schemas/index.ts";

/** The rows that a correct reader prints for a folder, computed with our own reader. */
export function rowsOf(folder: string, choices: readonly string[]): string[] {
  const { files } = JSON.parse(readFileSync(join(folder, "MANIFEST.json"), "utf8")) as Manifest;
  return files.flatMap(({ path, protocol, version, document }) => {
    const { tests } = JSON.parse(readFileSync(join(folder, path), "utf8")) as VectorFile;
    return tests.map((test) => {
      const text = textOf(test);
      const [expected, reading] = decideVector(test, new Set(choices));
      const checksum = crc32(text).toString(16).padStart(8, "0");
      return [
        test.id,
        test.rule ?? "",
        `${protocol}/${version}/${document}`,
        expected,
        test.needs.join(),
        reading,
        text.length,
        checksum,
      ].join("\t");
    });
  });
}

/** The bytes of a vector's message. A value is stored in its file as `JSON.stringify` writes it. */
function textOf({ data, raw, base64 }: Vector): Buffer {
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  return Buffer.from(raw ?? JSON.stringify(data), "utf8");
}

function decideVector(
  { valid, level, beyond = [], readings = [] }: Vector,
  chosen: ReadonlySet<string>,
): [string, string] {
  if (level !== undefined && !chosen.has(level)) return ["either", ""];
  if (valid !== undefined)
    return beyond.every((rule) => chosen.has(rule)) ? [valid ? "accepted" : "refused", beyond.join()] : ["either", ""];
  for (const { verdict, by, ids = [] } of readings) {
    const name = [...ids, ...by].find((candidate) => chosen.has(candidate));
    if (name !== undefined) return [verdict === "valid" ? "accepted" : "refused", name];
  }
  return ["either", ""];
}

/** Choices that affect a folder: the first rule that a valid vector breaks, the first level below MUST, and readings of the first two disputes. */
export function choiceIn(folder: string): string[] {
  const { files } = JSON.parse(readFileSync(join(folder, "MANIFEST.json"), "utf8")) as Manifest;
  const tests = files.flatMap(({ path }) => (JSON.parse(readFileSync(join(folder, path), "utf8")) as VectorFile).tests);
  const rules = new Set(tests.flatMap(({ beyond, valid }) => (valid === true ? (beyond ?? []) : [])));
  const names = new Set(tests.flatMap(({ readings }) => readings?.[0]?.ids?.[0] ?? []));
  const levels = new Set(tests.flatMap(({ level }) => level ?? []));
  return [...[rules, levels].flatMap((values) => [...values].slice(0, 1)), ...[...names].slice(0, 2)];
}
