import { expect, it } from "vitest";
import { document, id } from "../testing/schemas.fixture.ts";
import { assemble } from "./assemble.ts";
import type { KeptWork } from "./kept-work.ts";

const members = Object.fromEntries([..."abcdefgh"].map((name) => [name, { $ref: "#" }]));
const described = {
  name: "tree",
  title: "tree",
  schema: id,
  file: "tree.json",
  standalone: true,
  role: "entry",
} as const;
const about = { $schema: "", protocol: "tree", version: "1", title: "", summary: "", formats: "annotate" as const };
const protocol = {
  name: "tree",
  version: "1",
  folder: "",
  rules: [],
  families: [],
  schemas: [document({ type: "object", properties: members })],
  profile: {
    ...about,
    http: { accepted: [{ status: [200] }], rejected: [{ status: [400] }] },
    documents: [described],
  },
};

it("the fullest message of a recursive schema has a limited depth", async () => {
  const { files } = await assemble(protocol, described, { extent: "faults" });
  const full = files.flatMap(({ file }) => file.tests).find(({ id: name }) => name.includes("/valid/full/"));
  expect(Object.keys(full?.data as object)).toEqual([..."abcdefgh"]);
  expect(JSON.stringify(full?.data).length).toBeLessThan(100_000);
});

it("the smallest message is the same if validators compile only the schemas that it reaches", async () => {
  const [whole, reached]: KeptWork[] = [{}, {}];
  const one = await assemble(protocol, described, { extent: "least", kept: whole as KeptWork });
  const other = await assemble(protocol, described, {
    extent: "least",
    reachedOnly: true,
    kept: reached as KeptWork,
  });
  expect(other).toEqual(one);
  expect([whole?.oracle, reached?.oracle]).toEqual([expect.anything(), undefined]);
});
