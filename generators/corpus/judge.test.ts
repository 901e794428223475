import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, RuledProtocol, Vector } from "../../schemas/index.ts";
import { faultyArbitraryFor } from "../arbitrary/faulty.ts";
import { assemble } from "./assemble.ts";
import { levelOfVerdict } from "./judge.ts";

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
const about = { $schema: "", protocol: "a", version: "1", title: "a", summary: "", formats: "assert" as const };
const protocol: RuledProtocol = {
  name: "a",
  version: "1",
  folder: "",
  foreign: true,
  rules: [],
  families: [],
  schemas: [schema],
  profile: { ...about, http, documents: [document] },
};

describe("members that are called like keywords", () => {
  const made = assemble(protocol, document, { foreign: true });
  const needs = async (site: string): Promise<Vector["needs"][]> => {
    const { files } = await made;
    const invalid = files.find(({ kind }) => kind === "invalid")?.file.tests ?? [];
    return invalid.filter((vector) => vector.site === `${$id}#${site}`).map((vector) => vector.needs);
  };

  it("count as members: a forbidden one needs no assertion of formats", async () => {
    expect(new Set((await needs("/properties/format")).flat())).toEqual(new Set());
    expect((await needs("/properties/format")).length).toBeGreaterThan(0);
  });

  it("have keywords of their own, which count", async () => {
    const all = await needs("/properties/then/format");
    expect(all.length).toBeGreaterThan(0);
    for (const each of all) expect(each).toEqual(["format-assertion"]);
  });

  it("do not mislead the search for a sample to start from", async () => {
    const samples = [{ $ref: 1, then: "2026-01-15" }];
    const { sites } = await assemble(protocol, { ...document, samples }, { foreign: true });
    expect(sites.unbroken).toEqual([]);
  });

  it("are distinguished also when faults are drawn", async () => {
    const faults = fc.sample(await faultyArbitraryFor([schema], $id), { seed: 1, numRuns: 60 });
    for (const { site, via, fault } of faults)
      expect([site, levelOfVerdict(protocol, { site, via, fault }).needsFormats]).toEqual([
        site,
        site === `${$id}#/properties/then/format`,
      ]);
  });
});
