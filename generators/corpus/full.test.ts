import { expect, it } from "vitest";
import { document, id } from "../testing/schemas.fixture.ts";
import { assemble } from "./assemble.ts";
import type { KeptWork } from "./kept-work.ts";

const members = Object.fromEntries([..."abcdefgh"].map((name) => [name, { $ref: "#" }]));
const treeDocument = {
  name: "tree",
  title: "tree",
  schema: id,
  file: "tree.json",
  standalone: true,
  role: "entry",
} as const;
const baseProfile = {
  $schema: "",
  protocol: "tree",
  version: "1",
  title: "",
  summary: "",
  formats: "annotate" as const,
};
const protocol = {
  name: "tree",
  version: "1",
  folder: "",
  rules: [],
  families: [],
  schemas: [document({ type: "object", properties: members })],
  profile: {
    ...baseProfile,
    http: { accepted: [{ status: [200] }], rejected: [{ status: [400] }] },
    documents: [treeDocument],
  },
};

it("the fullest message of a recursive schema has a limited depth", async () => {
  const { files } = await assemble(protocol, treeDocument, { extent: "faults" });
  const full = files.flatMap(({ file }) => file.tests).find(({ id: name }) => name.includes("/valid/full/"));
  expect(Object.keys(full?.data as object)).toEqual([..."abcdefgh"]);
  expect(JSON.stringify(full?.data).length).toBeLessThan(100_000);
});

it("the smallest message is the same if validators compile only the schemas that it reaches", async () => {
  const [wholeWork, reachedWork]: KeptWork[] = [{}, {}];
  const fromWhole = await assemble(protocol, treeDocument, { extent: "least", kept: wholeWork as KeptWork });
  const fromReached = await assemble(protocol, treeDocument, {
    extent: "least",
    reachedOnly: true,
    kept: reachedWork as KeptWork,
  });
  expect(fromReached).toEqual(fromWhole);
  expect([wholeWork?.oracle, reachedWork?.oracle]).toEqual([expect.anything(), undefined]);
});
