import { expect, it } from "vitest";
import type { Document, RuledProtocol, Vector } from "../../schemas/index.ts";
import { assemble } from "./assemble.ts";

const idOf = (name: string): string => `https://kept.test/${name}`;
const [partDocument, wholeDocument] = ["part", "whole"].map(
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
const shortString = { type: "string", minLength: 1, maxLength: 4 };
const http = { accepted: [{ status: [200] }], rejected: [{ status: [400] }] };
const baseProfile = {
  $schema: "",
  protocol: "kept",
  version: "1",
  title: "",
  summary: "",
  formats: "annotate" as const,
};
const protocol: RuledProtocol = {
  name: "kept",
  version: "1",
  folder: "",
  rules: [],
  families: [],
  schemas: [
    { $id: idOf("part"), type: "object", required: ["text"], properties: { text: shortString } },
    {
      $id: idOf("whole"),
      type: "object",
      required: ["id", "part"],
      properties: { id: { type: "string", maxLength: 3 }, part: { $ref: idOf("part") } },
    },
  ],
  profile: { ...baseProfile, http, documents: [partDocument, wholeDocument] },
};

/** Returns all vectors of a document, the files with assertions that they break, and the number of unbroken sites. */
async function assembleAndCount(
  document: Document,
): Promise<{ all: Vector[]; files: Set<string>; unbrokenCount: number }> {
  const { files, sites } = await assemble(protocol, document);
  const vectors = files.flatMap(({ file }) => file.tests);
  const broken = vectors.flatMap(({ site }) => (site === undefined ? [] : site.slice(0, site.indexOf("#"))));
  return { all: vectors, files: new Set(broken), unbrokenCount: sites.sites - sites.broken };
}

it("a document's core breaks the assertions of its own schema, and only few of other schemas", async () => {
  const [full, core] = await Promise.all([
    assembleAndCount(wholeDocument),
    assembleAndCount({ ...wholeDocument, kept: "core" }),
  ]);
  expect([...full.files].sort()).toEqual([idOf("part"), idOf("whole")]);
  // One vector is invalid in the referenced schema, to show that the reference is followed.
  expect(core.all.filter(({ site }) => site?.startsWith(idOf("part"))).length).toBeLessThan(3);
  expect(core.unbrokenCount).toBe(0);
  expect(core.all.length).toBeLessThan(full.all.length / 2);
  const ids = new Set(full.all.map(({ id }) => id));
  expect(core.all.filter(({ id }) => !ids.has(id))).toEqual([]);
});

it("the core contains the smallest message if nothing else was made", async () => {
  const { files } = await assemble(protocol, { ...wholeDocument, kept: "core" }, { extent: "least" });
  expect(files.flatMap(({ file }) => file.tests.map(({ valid }) => valid))).toContain(true);
});
