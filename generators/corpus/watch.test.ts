import { describe, expect, it } from "vitest";
import type { JsonObject, RuledProtocol } from "../../schemas/index.ts";
import type { Stage } from "../drafts/work-progress.ts";
import { assemble } from "./assemble.ts";

const $id = "https://watch.test/a";
const names = Array.from({ length: 60 }, (_, index) => `p${index}`);
const schema: JsonObject = {
  $id,
  type: "object",
  properties: Object.fromEntries(names.map((name, minimum) => [name, { type: "integer", minimum }])),
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

describe("watching how a foreign schema is assembled", () => {
  it("reports each stage, in order", async () => {
    const stages: Stage[] = [];
    const watch = ({ stage }: { stage: Stage }) => {
      if (stages.at(-1) !== stage) stages.push(stage);
      return true;
    };
    await assemble(protocol, document, { foreign: true, watch });
    expect(stages).toEqual(["compiling", "faults", "mutants", "judging", "choosing", "texts"]);
  });

  it("ends each stage when `watch` returns false, and lists the sites that were not worked on", async () => {
    const watch = ({ stage, done }: { stage: Stage; done: number }) =>
      stage === "faults" ? done < 10 : stage !== "mutants" || done < 7;
    const { files, sites } = await assemble(protocol, document, { foreign: true, watch });
    const unworked = sites.unbroken.filter(({ why }) => why === "not worked on: of 61 places the first 10 were");
    expect(unworked.length).toBeGreaterThan(80);
    expect(sites.broken + sites.unbroken.length).toBe(sites.sites);
    expect(sites.forcing).toMatchObject({ mutants: 7, partial: true });
    const broken = files.find(({ kind }) => kind === "invalid")?.file.tests.map(({ site }) => site);
    expect(new Set(broken).size).toBeGreaterThanOrEqual(sites.broken);
  });

  it("isolates each assertion even if time is up, and does not report unjudged mutants as disputed", async () => {
    const watch = ({ stage }: { stage: Stage }) => stage !== "judging";
    const { files, sites } = await assemble(protocol, document, { foreign: true, watch });
    expect(sites).toMatchObject({ broken: 121, unbroken: [] });
    const ids = new Set(files.flatMap(({ file }) => file.tests.map(({ id }) => id)));
    const invalid = files.find(({ kind }) => kind === "invalid")?.file.tests ?? [];
    expect(invalid.filter(({ parent }) => parent === undefined || !ids.has(parent))).toEqual([]);
    const reasons = new Set(sites.forcing.unforced.map(({ why }) => why));
    expect(reasons).toContain("the time was over before the validators were asked");
    expect([...reasons].filter((why) => why.includes("disputed"))).toEqual([]);
  });

  it("judges only a few drafts if there is no time to choose either, and lists the other sites", async () => {
    const watch = ({ stage }: { stage: Stage }) => stage !== "judging" && stage !== "choosing";
    const { files, sites } = await assemble(protocol, document, { foreign: true, watch });
    const counts = files.map(({ kind, file }) => [kind, file.count]);
    expect(Object.fromEntries(counts)).toMatchObject({ valid: 20, invalid: 20 });
    expect(sites.broken).toBeLessThan(30);
    const reasons = new Set(sites.unbroken.map(({ kind, why }) => `${kind}: ${why}`));
    expect([...reasons]).toEqual(["not-worked-on: the time was over before the validators were asked"]);
  });

  it("does exactly the given amount of work, with the same result each time", async () => {
    const make = () => assemble(protocol, document, { foreign: true, effort: 0.0005 });
    const [first, second] = [await make(), await make()];
    expect(first.sites.unbroken.some(({ why }) => why.startsWith("not worked on"))).toBe(true);
    expect(first.sites.broken).toBeGreaterThan(0);
    expect(first).toEqual(second);
    const { sites } = await assemble(protocol, document, { foreign: true });
    expect(sites).toMatchObject({ broken: 121, sites: 121 });
    expect(sites.forcing.partial).toBeUndefined();
  });
});
