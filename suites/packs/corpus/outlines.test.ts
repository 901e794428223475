import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import {
  coverageOfRule,
  type DocumentVectors,
  decides,
  namedReadings,
  outlinesFile,
  type Protocol,
  packOutlines,
  protocolsNamed,
  readOutlines,
  type VectorOutline,
  vectorFamilies,
  verdictOf,
} from "../../../schemas/index.ts";
import { loadVectors } from "./load.ts";

/** All the counts that the command `list` prints. */
function countsOf({ profile, rules }: Protocol, files: readonly DocumentVectors<VectorOutline>[]) {
  const tests = files.flatMap((file) => file.tests);
  const readings = namedReadings(profile);
  return {
    covered: rules.map((rule) => coverageOfRule(profile, rule, files, [])),
    decided: readings.map((reading) => tests.filter((vector) => decides(reading, vector)).length),
    verdicts: countEach(tests.map(verdictOf)),
    faults: countEach(tests.map(({ fault = "" }) => fault)),
    families: Object.keys(vectorFamilies).map((family) => tests.filter(({ tags }) => tags.includes(family)).length),
  };
}

function countEach(texts: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return Object.fromEntries([...counts].sort());
}

it.each(protocolsNamed("all"))("the outlines of $name give the same counts as its vectors", (protocol) => {
  const { name, version } = protocol;
  const { files } = loadVectors(protocol);
  const folder = mkdtempSync(join(tmpdir(), "touchstone-outlines-"));
  const file = join(folder, outlinesFile(name, version));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, packOutlines(files));
  const outlines = readOutlines(folder, name, version) as DocumentVectors<VectorOutline>[];
  rmSync(folder, { recursive: true });
  expect(countsOf(protocol, outlines)).toEqual(countsOf(protocol, files));
});
