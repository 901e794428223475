import { expect, it } from "vitest";
import { compareVersions } from "./compare.ts";
import type { LoadedDocument, VersionPair } from "./pair.ts";

const $id = "https://example.org/size";
const schemas = [{ $id, $schema: "https://json-schema.org/draft/2020-12/schema", maximum: 9 }];
const version: LoadedDocument = { schemas, id: $id, samples: [], notes: [], source: () => undefined };

it("compares no further document once the time is over, and calls none compatible because of that", async () => {
  let loads = 0;
  const pairs = Array.from({ length: 50 }, (_, index): VersionPair => {
    const load = async (): Promise<LoadedDocument> => {
      loads += 1;
      return version;
    };
    return { name: `d${index}`, before: load, now: load };
  });
  const named = { old: "old", new: "new", notCompared: [] };
  const about = { for: "both", failOn: "breaking", onDocument: () => {}, note: () => {} } as const;
  const { documents, exitCode } = await compareVersions({ pairs, ...named }, { ...about, milliseconds: -1000 });
  expect([loads, exitCode]).toEqual([0, 1]);
  expect(documents[7]).toMatchObject({ name: "d7", state: "undecided", differences: [] });
  expect(documents[7]?.open.refused).toContain("--deadline");
  await compareVersions({ pairs: pairs.slice(0, 1), ...named }, { ...about, milliseconds: 0 });
  expect(loads).toBe(2);
});
