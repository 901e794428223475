import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { home, protocolsNamed } from "../../schemas/index.ts";
import { loadVectors } from "../../suites/index.ts";

/** The words in the first column of the glossary's tables, by heading. */
function wordsUnder(isTags: boolean): string[] {
  const text = readFileSync(join(home, "vectors", "GLOSSARY.md"), "utf8");
  const parts = text.split(/^## /m).filter((part) => part.startsWith("Tags") === isTags);
  const cells = parts.flatMap((part) => [...part.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = ""]) => cell));
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
}

it("the glossary lists exactly the faults and the tags of the set, each once", () => {
  const vectors = protocolsNamed("all").flatMap((protocol) =>
    loadVectors(protocol).files.flatMap(({ tests }) => tests),
  );
  const faults = new Set(vectors.flatMap(({ fault }) => fault ?? []));
  // A valid vector names its fault only in its id.
  const faultNames = new Set([...faults, "token-long"]);
  expect(wordsUnder(false).sort()).toEqual([...faultNames].sort());
  expect(vectors.some(({ id, valid }) => valid === true && id.includes("/token-long"))).toBe(true);
  expect(wordsUnder(true).sort()).toEqual([...new Set(vectors.flatMap(({ tags }) => tags))].sort());
});
