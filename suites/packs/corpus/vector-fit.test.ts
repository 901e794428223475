import { expect, it } from "vitest";
import type { Manifest, TouchstoneError } from "../../../schemas/index.ts";
import { sampleProtocol } from "./sample.fixture.ts";
import { refuseForeignVectors } from "./vector-fit.ts";

function refusalOf(files: Pick<Manifest["files"][number], "protocol" | "version">[]): TouchstoneError {
  const manifest = { documents: [], files: files as Manifest["files"] };
  try {
    refuseForeignVectors(sampleProtocol("renamed"), "renamed/vectors", { manifest, entries: [], files: [] });
  } catch (error) {
    return error as TouchstoneError;
  }
  throw new Error("expected an error");
}

it("names the pack that the vectors belong to, and a remedy if only the folder was renamed", () => {
  const error = refusalOf([{ protocol: "order", version: "1" }]);
  expect(error.message).toMatch(/: the vectors do not belong to renamed@[\d.]+ but to order@1\n/);
  expect(error.message).toMatch(/if only the folder was renamed, write "protocol": "order" into profile\.json/);
});

it("only advises generating vectors if the manifest lists none", () => {
  expect(refusalOf([]).message).toMatch(/\n {2}make them again: touchstone generate /);
});
