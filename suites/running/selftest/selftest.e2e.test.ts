import { rmSync } from "node:fs";
import { expect, it } from "vitest";
import { documentNamed, protocolNamed } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { vector, writeSet } from "../../packs/corpus/sample.fixture.ts";
import { misjudged, selftest } from "./selftest.ts";

const snap = protocolNamed("snap");

it("detects every wrong reader of two documents, and does not report a correct one", { timeout: 300_000 }, async () => {
  const files = loadVectors(snap).files.filter(({ document }) => ["envelope", "agent-card"].includes(document));
  const path = (document: string, index: number): string => `snap/0.1/${document}/${index}.json`;
  const folder = writeSet(
    files.map(({ document, tests }, index) => ({ path: path(document, index), document, tests })),
  );
  const wholeVariants = (await selftest(snap, folder)).filter(({ rule }) => rule === undefined);
  rmSync(folder, { recursive: true });
  expect(wholeVariants.filter(misjudged).map(({ variant }) => variant)).toEqual([]);
  expect(wholeVariants.map(({ variant }) => variant)).toEqual(
    expect.arrayContaining(["boolean-integers", "plain-integers", "rounded-integers", "line-feeds"]),
  );
});

it("reports the mutants that survive a weak vector set", { timeout: 300_000 }, async () => {
  const [data] = documentNamed(snap, "envelope").samples ?? [];
  const valid = vector({ id: "snap/0.1/envelope/valid/a", ...(data === undefined ? {} : { data }) });
  const folder = writeSet([{ path: "snap/0.1/envelope/valid.json", document: "envelope", tests: [valid] }]);
  const rows = await selftest(snap, folder);
  rmSync(folder, { recursive: true });
  const wronglyJudged = rows.filter(misjudged).map(({ variant }) => variant);
  expect(wronglyJudged).toEqual(expect.arrayContaining(["accept-all", "plain-integers", "boolean-integers"]));
  expect(wronglyJudged).not.toContain("reject-all");
});
