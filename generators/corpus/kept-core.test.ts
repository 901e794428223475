import { expect, it } from "vitest";
import type { Document, RuledProtocol, Vector } from "../../schemas/index.ts";
import { assemble } from "./assemble.ts";

const idOf = (name: string): string => `https://kept.test/${name}`;
const [part, whole] = ["part", "whole"].map(
  (name): Document => ({
    name,
    title: name,
    schema: idOf(name),
    file: `${name}.json`,
    standalone: true,
    role: "emitted",
    samples: [name === "part" ? { text: "a" } : { id: "1", part: { text: "a" } }],
  }),
) as [Document, Document];
const text = { type: "string", minLength: 1, maxLength: 4 };
const http = { accepted: [{ status: [200] }], rejected: [{ status: [400] }] };
const about = { $schema: "", protocol: "kept", version: "1", title: "", summary: "", formats: "annotate" as const };
const protocol: RuledProtocol = {
  name: "kept",
  version: "1",
  folder: "",
  rules: [],
  families: [],
  schemas: [
    { $id: idOf("part"), type: "object", required: ["text"], properties: { text } },
    {
      $id: idOf("whole"),
      type: "object",
      required: ["id", "part"],
      properties: { id: { type: "string", maxLength: 3 }, part: { $ref: idOf("part") } },
    },
  ],
  profile: { ...about, http, documents: [part, whole] },
};

/** The vectors of a document that are wrong, by the file of the broken assertion. */
async function brokenIn(document: Document): Promise<{ all: Vector[]; files: Set<string>; open: number }> {
  const { files, sites } = await assemble(protocol, document);
  const all = files.flatMap(({ file }) => file.tests);
  const broken = all.flatMap(({ site }) => (site === undefined ? [] : site.slice(0, site.indexOf("#"))));
  return { all, files: new Set(broken), open: sites.sites - sites.broken };
}

it("a document's core breaks the assertions of its own schema, and hardly those of others", async () => {
  const [full, core] = await Promise.all([brokenIn(whole), brokenIn({ ...whole, kept: "core" })]);
  expect([...full.files].sort()).toEqual([idOf("part"), idOf("whole")]);
  // One vector shows that the reference is followed, and so is invalid there.
  expect(core.all.filter(({ site }) => site?.startsWith(idOf("part"))).length).toBeLessThan(3);
  expect(core.open).toBe(0);
  expect(core.all.length).toBeLessThan(full.all.length / 2);
  const ids = new Set(full.all.map(({ id }) => id));
  expect(core.all.filter(({ id }) => !ids.has(id))).toEqual([]);
});

it("a document with its core alone has its smallest message if the work was stopped there", async () => {
  const { files } = await assemble(protocol, { ...whole, kept: "core" }, { extent: "least" });
  expect(files.flatMap(({ file }) => file.tests.map(({ valid }) => valid))).toContain(true);
});
