import { expect, it } from "vitest";
import type { JsonObject, RuledProtocol } from "../../schemas/index.ts";
import type { WorkProgress } from "../drafts/work-progress.ts";
import { assemble } from "./assemble.ts";

const $id = "https://differing.test/b";
const list: JsonObject = { contains: { type: "integer" }, unevaluatedItems: { type: "string" } };
const schema: JsonObject = {
  $id,
  properties: { at: { type: "string", format: "date-time" }, list: { type: "array", ...list } },
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

it("names the assertion without which the validators agree", async () => {
  const { files } = await assemble(protocol, document, { foreign: true });
  const tests = files.find(({ kind }) => kind === "disputed")?.file.tests ?? [];
  const namedSites = tests.flatMap(({ readings = [] }) =>
    readings.flatMap(({ by, site }) => (site === undefined ? [] : [`${by.join()} ${site}`])),
  );
  expect(new Set(namedSites)).toEqual(
    new Set([`hyperjump ${$id}#/properties/list/unevaluatedItems`, `hyperjump ${$id}#/properties/at/format`]),
  );
}, 60_000);

it("does not search for such an assertion once the time to judge is over", async () => {
  const watch = ({ stage, done, total }: WorkProgress): boolean => stage !== "judging" || done < total;
  const { files } = await assemble(protocol, document, { foreign: true, watch });
  const tests = files.find(({ kind }) => kind === "disputed")?.file.tests ?? [];
  expect(tests.length).toBeGreaterThan(0);
  expect(tests.flatMap(({ readings = [] }) => readings.flatMap(({ site }) => site ?? []))).toEqual([]);
});
