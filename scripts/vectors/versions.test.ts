import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formerIds, home, type Manifest, manifestDigest } from "../../schemas/index.ts";
import { idsIn, readRecord, renamedIn } from "./record.ts";
import { nextVersion, type SetState, type Versions, versionComplaints } from "./versions.ts";

const id = (name: string): string => `notes/1.0/note/valid/${name}`;

/** A set with these ids and this version. */
function state(version: string, names: readonly string[], more: Partial<SetState> = {}): SetState {
  const manifest = { version, name: names.join(" "), digest: "" } as Manifest;
  return { manifest: { ...manifest, digest: manifestDigest(manifest) }, ids: names.map(id), aliases: {}, ...more };
}

const emptyRecord: Versions = { versions: [], ids: {} };
const firstRecord = nextVersion(emptyRecord, state("0.0.0", ["a", "b"]), "MAJOR").versions;
const lastVersion = ({ versions }: Versions): string | undefined => versions.at(-1)?.version;

describe("the version of the set", () => {
  it("increases MAJOR if ids are gone, MINOR if ids are new, and PATCH for any other change", () => {
    expect(lastVersion(firstRecord)).toBe("1.0.0");
    expect(nextVersion(firstRecord, state("1.0.0", ["a", "b"])).step).toBe("none");
    expect(nextVersion(firstRecord, state("1.0.0", ["a", "b"], { manifest: state("", ["other"]).manifest })).step).toBe(
      "PATCH",
    );
    expect(lastVersion(nextVersion(firstRecord, state("1.0.0", ["a", "b", "c"])).versions)).toBe("1.1.0");
    const withoutB = nextVersion(firstRecord, state("1.0.0", ["a"]));
    expect([withoutB.step, withoutB.missingCounts.get("notes/1.0/note"), lastVersion(withoutB.versions)]).toEqual([
      "MAJOR",
      1,
      "2.0.0",
    ]);
    const renamedChange = nextVersion(firstRecord, state("1.0.0", ["a", "b2"], { aliases: { [id("b")]: id("b2") } }));
    expect([renamedChange.step, lastVersion(renamedChange.versions)]).toEqual(["MINOR", "1.1.0"]);
    expect(nextVersion(firstRecord, state("1.0.0", ["a", "b2"], { aliases: { [id("b")]: id("nowhere") } })).step).toBe(
      "MAJOR",
    );
    expect(
      nextVersion(firstRecord, state("1.0.0", ["a", "b"], { manifest: state("", ["other"]).manifest }), "MINOR").step,
    ).toBe("MINOR");
  });

  it("increases MAJOR if an id of any earlier version of this MAJOR is gone", () => {
    const secondRecord = nextVersion(firstRecord, state("", ["a", "c"], { aliases: { [id("b")]: id("c") } })).versions;
    const thirdChange = nextVersion(secondRecord, state("", ["a", "c"]));
    expect([thirdChange.step, thirdChange.missingCounts.size]).toEqual(["MAJOR", 1]);
    expect(nextVersion(thirdChange.versions, state("", ["a", "c", "d"])).step).toBe("MINOR");
  });

  it("is refused if it does not increase, if ids are gone or not recorded, or if the history differs", () => {
    const unchanged = state("1.0.0", ["a", "b"]);
    expect(versionComplaints(firstRecord, unchanged, firstRecord)).toEqual([]);
    expect(versionComplaints(firstRecord, state("1.0.0", ["a", "b", "c"])).join("\n")).toMatch(
      /run npm run vectors, which moves the version\n1 ids are not recorded, such as notes\/1\.0\/note\/valid\/c/,
    );
    const [complaint] = versionComplaints(firstRecord, { ...unchanged, ids: [id("a")] });
    expect(complaint).toMatch(/^1 of the ids of notes\/1\.0\/note are gone without an alias/);
    // Rewriting the record does not get around the earlier one.
    const rewritten = nextVersion(emptyRecord, state("0.0.0", ["a"]), "MAJOR").versions;
    expect(versionComplaints(rewritten, state("1.0.0", ["a"]), firstRecord).join("\n")).toMatch(
      /gone without an alias[\s\S]*version 1\.0\.0 was sha256-/,
    );
  });
});

describe("the published set", () => {
  const texts = new Map<string, string>();
  const manifest = JSON.parse(readFileSync(join(home, "vectors/MANIFEST.json"), "utf8")) as Manifest;
  for (const { path } of manifest.files) texts.set(path, readFileSync(join(home, "vectors", path), "utf8"));
  const set: SetState = { manifest, ids: idsIn(texts), aliases: formerIds() };

  it("has the recorded version, digest and ids", () => {
    expect(versionComplaints(readRecord(), set)).toEqual([]);
  });

  it("is refused if one of its ids is missing or its digest differs", () => {
    const [firstId, ...ids] = set.ids;
    expect(versionComplaints(readRecord(), { ...set, ids }).join("\n")).toContain(firstId?.split("/", 3).join("/"));
    const otherManifest = { ...manifest, digest: manifestDigest({ ...manifest, count: 1 }) };
    expect(versionComplaints(readRecord(), { ...set, manifest: otherManifest })).toHaveLength(1);
  });
});

it("finds the new id of a missing vector by its message", () => {
  const file = (tests: object[]): string =>
    JSON.stringify({ protocol: "notes", version: "1.0", document: "note", tests });
  const oldFile = file([
    { id: "a", valid: true, data: 1 },
    { id: "b", valid: true, data: 2 },
    { id: "c", valid: true, data: 3 },
  ]);
  const newFile = file([
    { id: "a", valid: true, data: 1 },
    { id: "d", valid: true, data: 2 },
    { id: "e", valid: false, data: 3 },
  ]);
  expect([...renamedIn(new Map([["x/y.json", oldFile]]), new Map([["x/y.json", newFile]]))]).toEqual([["b", "d"]]);
});
