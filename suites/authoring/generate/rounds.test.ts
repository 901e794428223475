import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Manifest, Protocol } from "../../../schemas/index.ts";
import { loadVectors, missingLine } from "../../packs/corpus/index.ts";
import { checkVectors } from "./checked.fixture.ts";
import { makeVectors, writeTexts } from "./make.ts";
import { replaceVectors, settleVectors } from "./replaced-vectors.ts";
import { createSkeleton } from "./skeleton.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A pack with this number of documents, without vectors. */
async function packOf(name: string, count: number): Promise<string> {
  const schemas = Array.from({ length: count }, (_, index) => {
    const path = join(folder, `${name}-${index}.schema.json`);
    const properties = { kind: { const: index }, size: { type: "integer", minimum: index } };
    writeFileSync(path, JSON.stringify({ type: "object", required: ["kind"], properties }));
    return path;
  });
  const out = join(folder, name);
  writeTexts(out, (await createSkeleton({ schemas, refs: [], out })).texts);
  return out;
}

function manifestOf(pack: string): Manifest {
  return JSON.parse(readFileSync(join(pack, "vectors", "MANIFEST.json"), "utf8")) as Manifest;
}

function textsOf(pack: string): Map<string, string> {
  const files = readdirSync(join(pack, "vectors"), { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  return new Map(paths.sort().map((path) => [path.slice(pack.length), readFileSync(path, "utf8")]));
}

const stopError = new Error("stopped");

describe("vectors made in rounds", () => {
  it("are first the smallest message of each document, then one fault for each assertion, and finally equal those of a single run", async () => {
    const pack = await packOf("rounds", 4);
    const states: { isolated: number; mutants: number; documents: number; missing: number }[] = [];
    const onWritten = (protocol: Protocol): void => {
      const { documents, missing = [] } = manifestOf(pack);
      checkVectors(pack);
      // The vectors of some documents can be used before there are any of the others.
      expect(loadVectors(protocol).files.length).toBeGreaterThan(0);
      expect(missingLine(protocol)).toContain(missing.join(", "));
      states.push({
        documents: documents.length,
        missing: missing.length,
        isolated: documents.reduce((sum, { broken }) => sum + broken, 0),
        mutants: documents.reduce((sum, { forcing }) => sum + forcing.mutants, 0),
      });
    };
    await makeVectors(pack, { milliseconds: 600_000, effort: 1, onWritten });
    // The first message does not wait for others.
    expect(states[0]).toMatchObject({ documents: 1, missing: 3 });
    expect(manifestOf(pack)).not.toHaveProperty("missing");
    const completeStates = states.filter(({ documents }) => documents === 4);
    expect(completeStates[0]).toMatchObject({ isolated: 0, mutants: 0 });
    expect(completeStates.some(({ isolated, mutants }) => mutants === 0 && isolated === states.at(-1)?.isolated)).toBe(
      true,
    );
    expect(states.map(({ isolated }) => isolated)).toEqual(
      states.map(({ isolated }) => isolated).sort((a, b) => a - b),
    );
    expect(states.at(-1)?.mutants).toBeGreaterThan(20);
    const directPack = await packOf("whole", 4);
    await makeVectors(directPack, { effort: 1 });
    const normalize = (manifestTexts: string): string =>
      manifestTexts.replaceAll("whole", "rounds").replace(/sha256-[\w+/=]+/g, "");
    const directFiles = [...textsOf(directPack)].filter(([path]) => !path.endsWith("MANIFEST.json"));
    const roundFiles = [...textsOf(pack)].filter(([path]) => !path.endsWith("MANIFEST.json"));
    expect(roundFiles.map(([path, manifestText]) => [path, normalize(manifestText)])).toEqual(
      directFiles.map(([path, text]) => [normalize(path), normalize(text)]),
    );
  });

  it("are kept if the sources and the options are the same, and made again otherwise", async () => {
    const pack = await packOf("kept", 2);
    await makeVectors(pack, { effort: 1 });
    const completeTexts = textsOf(pack);
    const startedDocuments = new Set<string>();
    const watch = (_at: unknown, _turn: unknown, document: string): boolean => {
      startedDocuments.add(document);
      return true;
    };
    expect(await makeVectors(pack, { effort: 1, watch })).toMatchObject({ isKept: true, late: [] });
    expect([...startedDocuments]).toEqual([]);
    expect(textsOf(pack)).toEqual(completeTexts);
    expect(await makeVectors(pack, { effort: 1, seed: 7, watch })).toMatchObject({ isKept: false });
    expect(startedDocuments.size).toBe(2);
    const damagedPath = [...textsOf(pack).keys()].find((path) => path.endsWith("valid.json")) as string;
    writeFileSync(join(pack, damagedPath), "[]");
    expect(await makeVectors(pack, { effort: 1, watch })).toMatchObject({ isKept: false });
    expect(textsOf(pack)).toEqual(completeTexts);
  });

  it("with other options replace a larger old set only when they are complete", async () => {
    const pack = await packOf("floor", 4);
    await makeVectors(pack, { milliseconds: 600_000, effort: 1 });
    const count = manifestOf(pack).count;
    const counts: number[] = [];
    const stopping = makeVectors(pack, {
      milliseconds: 600_000,
      effort: 1,
      seed: 7,
      onWritten: () => counts.push(manifestOf(pack).count),
      watch({ stage }) {
        if (stage === "mutants") throw stopError;
        return true;
      },
    });
    await expect(stopping).rejects.toBe(stopError);
    expect(counts.length).toBeGreaterThan(0);
    expect(counts.every((countSoFar) => countSoFar >= count)).toBe(true);
    checkVectors(pack);
    await makeVectors(pack, { milliseconds: 600_000, effort: 1, seed: 7 });
    const resumedTexts = textsOf(pack);
    rmSync(join(pack, "vectors"), { recursive: true });
    await makeVectors(pack, { effort: 1, seed: 7 });
    expect(textsOf(pack)).toEqual(resumedTexts);
  });

  it("of a changed schema replace those of the old one, which may be wrong", async () => {
    const pack = await packOf("changed", 1);
    await makeVectors(pack, { effort: 1 });
    const oldCount = manifestOf(pack).count;
    const [schema] = readdirSync(join(pack, "schemas")).map((name) => join(pack, "schemas", name)) as [string];
    writeFileSync(schema, readFileSync(schema, "utf8").replace("integer", "number"));
    await makeVectors(pack, { milliseconds: 1, effort: 1, watch: () => false });
    expect(manifestOf(pack).count).toBeLessThan(oldCount);
  });

  it("resume after a stop, and equal those of a single run", async () => {
    const pack = await packOf("again", 4);
    const mutatedDocuments = new Set<string>();
    const stopping = makeVectors(pack, {
      milliseconds: 600_000,
      effort: 1,
      watch({ stage }, _turn, document) {
        if (stage === "mutants") mutatedDocuments.add(document);
        if (mutatedDocuments.size === 3) throw stopError;
        return true;
      },
    });
    await expect(stopping).rejects.toBe(stopError);
    checkVectors(pack);
    expect(manifestOf(pack).documents.every(({ broken }) => broken > 0)).toBe(true);
    const record = JSON.parse(readFileSync(join(pack, ".generation.json"), "utf8")) as { finished: string[] };
    const resumedDocuments = new Set<string>();
    const watch = (_at: unknown, _turn: unknown, document: string): boolean => {
      resumedDocuments.add(document);
      return true;
    };
    await makeVectors(pack, { milliseconds: 600_000, effort: 1, watch });
    expect([...resumedDocuments].some((name) => record.finished.includes(name))).toBe(false);
    const directPack = await packOf("again", 4);
    const resumedTexts = textsOf(directPack);
    rmSync(join(directPack, "vectors"), { recursive: true });
    await makeVectors(directPack, { effort: 1 });
    expect([...textsOf(directPack).keys()]).toEqual([...resumedTexts.keys()]);
    expect(textsOf(directPack)).toEqual(resumedTexts);
  });

  it("include at least one vector, even if there is no time", async () => {
    const pack = await packOf("short", 4);
    const { manifest, late } = await makeVectors(pack, { milliseconds: 1, watch: () => false });
    expect(manifest.count).toBeGreaterThan(0);
    expect(late.length).toBeGreaterThan(0);
    checkVectors(pack);
  });
});

describe("the folder of the vectors", () => {
  const text = (count: number) => new Map([["MANIFEST.json", `${count}`]]);
  const manifestIn = (vectorsPath: string) => readFileSync(join(vectorsPath, "MANIFEST.json"), "utf8");

  it("is complete after a process was killed between two steps", () => {
    const vectorsPath = join(folder, "killed", "vectors");
    const [newFolder, oldFolder] = [".vectors.new", ".vectors.old"].map((name) => join(folder, "killed", name));
    replaceVectors(vectorsPath, text(1));
    renameSync(vectorsPath, oldFolder as string);
    settleVectors(vectorsPath);
    expect(manifestIn(vectorsPath)).toBe("1");
    renameSync(vectorsPath, oldFolder as string);
    writeTexts(newFolder as string, text(2));
    settleVectors(vectorsPath);
    expect(manifestIn(vectorsPath)).toBe("2");
    writeTexts(newFolder as string, new Map([["valid.json", "half"]]));
    settleVectors(vectorsPath);
    expect(manifestIn(vectorsPath)).toBe("2");
    expect(readdirSync(join(folder, "killed"))).toEqual(["vectors"]);
  });

  it("leaves other folders alone", () => {
    const vectorsPath = join(folder, "beside", "vectors");
    replaceVectors(vectorsPath, text(1));
    for (const name of ["vectors.old", "vectors.new"]) mkdirSync(join(folder, "beside", name));
    replaceVectors(vectorsPath, text(2));
    expect(readdirSync(join(folder, "beside")).sort()).toEqual(["vectors", "vectors.new", "vectors.old"]);
  });
});
