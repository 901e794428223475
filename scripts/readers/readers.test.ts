import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { home, type Manifest, ownVectors, protocolsNamed } from "../../schemas/index.ts";
import { partOf } from "../../schemas/part.fixture.ts";
import { choiceIn, rowsOf } from "./expected.ts";
import { isInstalled, languages, rowsOfReader } from "./languages.ts";

const page = readFileSync(join(home, "suites", "guides", "readers.md"), "utf8");
const { cases, said } = partOf(protocolsNamed("all"), ({ name }) => name, 5);
const { name: protocol = "" } = cases[0] ?? {};

/** A set of only one protocol, for speed. */
const folder = mkdtempSync(join(tmpdir(), "touchstone-readers-"));
const manifest = JSON.parse(readFileSync(join(ownVectors, "MANIFEST.json"), "utf8")) as Manifest;
writeFileSync(
  join(folder, "MANIFEST.json"),
  JSON.stringify({ ...manifest, files: manifest.files.filter((file) => file.protocol === protocol) }),
);
symlinkSync(join(ownVectors, protocol), join(folder, protocol), "junction");
afterAll(() => rmSync(folder, { recursive: true }));

/** The other languages need crates or jars: `npx tsx scripts/readers.ts` runs all readers. */
const standardLibraryOnly = languages.filter(({ name }) => name === "Python" || name === "Go");

describe(`the readers of the guide read every vector correctly (${said})`, () => {
  for (const language of standardLibraryOnly)
    it.skipIf(!isInstalled(language) && process.env.TOUCHSTONE_TESTS !== "all")(
      `${language.name} (install ${language.needs[0]})`,
      () => {
        const choices = choiceIn(folder);
        const [rows] = rowsOfReader(language, page, folder, [choices]);
        expect(rows).toEqual(rowsOf(folder, choices));
      },
      120_000,
    );

  it.skipIf(!isInstalled(languages[0] as (typeof languages)[number]))(
    "a reader that confuses null and absent is detected",
    () => {
      const [python] = languages;
      if (python === undefined) throw new Error("there is no reader");
      const confusedReader = page.replace(
        'if "data" in found else None',
        'if found.get("data", (None,))[0] is not None else b""',
      );
      expect(confusedReader).not.toBe(page);
      const expectedRows = rowsOf(folder, []);
      const nullRows = expectedRows.filter((row) => row.endsWith("\t4\t25cbfc4f"));
      const [rows = []] = rowsOfReader(python, confusedReader, folder, [[]]);
      expect(expectedRows.filter((row, index) => row !== rows[index])).toEqual(nullRows);
    },
  );
});
