import { expect, it } from "vitest";
import { compareVersions } from "./compare.ts";
import type { LoadedDocument, VersionPair } from "./pair.ts";

const $id = "https://example.org/size";
const schemas = [{ $id, $schema: "https://json-schema.org/draft/2020-12/schema", maximum: 9 }];
const version: LoadedDocument = { schemas, id: $id, samples: [], notes: [], source: () => undefined };

it("stops at the time limit, and reports the remaining documents as undecided", async () => {
  let loads = 0;
  const pairs = Array.from({ length: 50 }, (_, index): VersionPair => {
    const load = async (): Promise<LoadedDocument> => {
      loads += 1;
      return version;
    };
    return { name: `d${index}`, loadOld: load, loadNew: load };
  });
  const placeNames = { old: "old", new: "new", notCompared: [] };
  const options = { for: "both", failOn: "breaking", onDocument: () => {}, note: () => {} } as const;
  const { documents, exitCode } = await compareVersions({ pairs, ...placeNames }, { ...options, milliseconds: -1000 });
  expect([loads, exitCode]).toEqual([0, 1]);
  expect(documents[7]).toMatchObject({ name: "d7", state: "undecided", differences: [] });
  expect(documents[7]?.open.refused).toContain("--deadline");
  await compareVersions({ pairs: pairs.slice(0, 1), ...placeNames }, { ...options, milliseconds: 0 });
  expect(loads).toBe(2);
});
