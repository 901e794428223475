import { expect, it } from "vitest";
import { document, id } from "../testing/schemas.fixture.ts";
import { assemble } from "./assemble.ts";

it("the fullest message of a recursive schema has a limited depth", async () => {
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
    ...{ name: "tree", version: "1", folder: "", rules: [], families: [] },
    schemas: [document({ type: "object", properties: members })],
    profile: {
      ...about,
      http: { accepted: [{ status: [200] }], rejected: [{ status: [400] }] },
      documents: [described],
    },
  };
  const { files } = await assemble(protocol, described, { extent: "faults" });
  const full = files.flatMap(({ file }) => file.tests).find(({ id: name }) => name.includes("/valid/full/"));
  expect(Object.keys(full?.data as object)).toEqual([..."abcdefgh"]);
  expect(JSON.stringify(full?.data).length).toBeLessThan(100_000);
});
