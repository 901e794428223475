import { expect, it } from "vitest";
import type { Document, RuledProtocol } from "../../schemas/index.ts";
import { assemble } from "./assemble.ts";

const $id = "https://parameters.test/a";
const tag = { type: "array", items: { type: "string", pattern: "^[a-z]{1,8}$" }, maxItems: 3 };
const query = { type: "object", properties: { tag } };
const document: Document = {
  name: "a",
  title: "a",
  schema: $id,
  file: "a.json",
  standalone: true,
  role: "entry",
  endpoint: { method: "GET", path: "/", carries: "parameters" },
};
const http = { accepted: [{ status: [200] }], rejected: [{ status: [400] }] };
const baseProfile = { $schema: "", protocol: "a", version: "1", title: "a", summary: "", formats: "annotate" as const };
const protocol: RuledProtocol = {
  name: "a",
  version: "1",
  folder: "",
  foreign: true,
  rules: [],
  families: [],
  schemas: [{ $id, type: "object", properties: { query } }],
  profile: { ...baseProfile, http, documents: [document] },
};

/** Collects the lists in vectors that detect a reader which does not check all items. */
async function listsOf(listDocument: Document): Promise<unknown[]> {
  const { files } = await assemble(protocol, listDocument, { foreign: true });
  const tests = files.flatMap(({ file }) => file.tests.filter(({ id }) => id.includes("/one-of-many/")));
  return tests.map(({ data }) => (data as { query: { tag: unknown } }).query.tag);
}

it("uses a string as the wrong item of a list in request parameters", async () => {
  const lists = await listsOf(document);
  expect(lists.length).toBeGreaterThan(0);
  for (const list of lists) expect(list).toContain("?");
  const { endpoint: _, ...body } = document;
  for (const list of await listsOf(body)) expect(list).toContain(null);
});

it("adds a vector with a letter after a number in request parameters, which parseInt accepts", async () => {
  const limit = { type: "integer", minimum: 1, maximum: 9 };
  const schemas = [{ $id, type: "object", properties: { query: { type: "object", properties: { limit } } } }];
  const valuesOf = async (limitDocument: Document): Promise<unknown[]> => {
    const { files } = await assemble({ ...protocol, schemas }, limitDocument, { foreign: true });
    const tests = files.flatMap(({ file }) => file.tests.filter(({ id }) => id.includes("number-and-more")));
    return tests.map(({ data }) => (data as { query: { limit: unknown } }).query.limit);
  };
  expect(await valuesOf(document)).toEqual([expect.stringMatching(/^[1-9]z$/)]);
  const { endpoint: _, ...body } = document;
  expect(await valuesOf(body)).toEqual([]);
});
