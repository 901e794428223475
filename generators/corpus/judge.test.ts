import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, RuledProtocol, Vector } from "../../schemas/index.ts";
import { faultyArbitraryFor } from "../arbitrary/faulty.ts";
import { assemble } from "./assemble.ts";
import { positionOf } from "./judge.ts";

const $id = "https://judge.test/a";
const schema: JsonObject = {
  $id,
  type: "object",
  properties: {
    // Names that are keywords elsewhere.
    format: false,
    $ref: { type: "integer" },
    then: { type: "string", format: "date" },
  },
};
const document = { name: "a", title: "a", schema: $id, file: "a.json", standalone: true, role: "entry" as const };
const http = { accepted: [{ status: [200] }], rejected: [{ status: [400, 422] }] };
const baseProfile = { $schema: "", protocol: "a", version: "1", title: "a", summary: "", formats: "assert" as const };
const protocol: RuledProtocol = {
  name: "a",
  version: "1",
  folder: "",
  foreign: true,
  rules: [],
  families: [],
  schemas: [schema],
  profile: { ...baseProfile, http, documents: [document] },
};

it("uses the verdicts of an earlier round even if the time is over", async () => {
  const bounds = Array.from({ length: 40 }, (_, minimum) => [`m${minimum}`, { type: "integer", minimum }]);
  const wideSchema = { $id: "https://judge.test/wide", type: "object", properties: Object.fromEntries(bounds) };
  const wideDocument = { ...document, schema: wideSchema.$id };
  const profile = { ...protocol.profile, documents: [wideDocument] };
  const wideProtocol = { ...protocol, schemas: [wideSchema], profile };
  const countInvalid = async (options: Parameters<typeof assemble>[2]): Promise<number> => {
    const { files } = await assemble(wideProtocol, wideDocument, { foreign: true, ...options });
    return files.find(({ kind }) => kind === "invalid")?.file.count ?? 0;
  };
  const watch = ({ stage }: { stage: string }): boolean => stage !== "judging" && stage !== "choosing";
  const kept = {};
  const invalidCount = await countInvalid({ extent: "faults", kept });
  expect(await countInvalid({ extent: "core", watch })).toBeLessThan(invalidCount);
  expect(await countInvalid({ extent: "core", watch, kept })).toBe(invalidCount);
});

describe("members that are named like keywords", () => {
  const assembled = assemble(protocol, document, { foreign: true });
  const needsAt = async (site: string): Promise<Vector["needs"][]> => {
    const { files } = await assembled;
    const invalid = files.find(({ kind }) => kind === "invalid")?.file.tests ?? [];
    return invalid.filter((vector) => vector.site === `${$id}#${site}`).map((vector) => vector.needs);
  };

  it("are not keywords: a forbidden member `format` needs no format assertion", async () => {
    expect(new Set((await needsAt("/properties/format")).flat())).toEqual(new Set());
    expect((await needsAt("/properties/format")).length).toBeGreaterThan(0);
  });

  it("may have formats, which need format assertion", async () => {
    const needsOfVectors = await needsAt("/properties/then/format");
    expect(needsOfVectors.length).toBeGreaterThan(0);
    for (const each of needsOfVectors) expect(each).toEqual(["format-assertion"]);
  });

  it("do not mislead the choice of a sample", async () => {
    const samples = [{ $ref: 1, then: "2026-01-15" }];
    const { sites } = await assemble(protocol, { ...document, samples }, { foreign: true });
    expect(sites.unbroken).toEqual([]);
  });

  it("are distinguished from keywords in random faults too", async () => {
    const faults = fc.sample(await faultyArbitraryFor([schema], $id), { seed: 1, numRuns: 60 });
    for (const { site, via, fault } of faults)
      expect([site, positionOf(protocol, { site, via, fault }).needsFormats]).toEqual([
        site,
        site === `${$id}#/properties/then/format`,
      ]);
  });
});
