import { expect, it } from "vitest";
import type { Manifest, TouchstoneError } from "../../../schemas/index.ts";
import { sampleProtocol } from "./sample.fixture.ts";
import { refuseOthers } from "./vector-fit.ts";

function refused(files: Pick<Manifest["files"][number], "protocol" | "version">[]): TouchstoneError {
  const manifest = { documents: [], files: files as Manifest["files"] };
  try {
    refuseOthers(sampleProtocol("renamed"), "renamed/vectors", { manifest, listed: [], files: [] });
  } catch (error) {
    return error as TouchstoneError;
  }
  throw new Error("it was taken");
}

it("names the pack that the vectors belong to, and the remedy if only the folder was renamed", () => {
  const error = refused([{ protocol: "order", version: "1" }]);
  expect(error.message).toMatch(/: the vectors are not of renamed@[\d.]+ but of order@1\n/);
  expect(error.message).toMatch(
    /if only the folder has another name now, write "protocol": "order" into profile\.json/,
  );
});

it("only advises to generate vectors if there are none", () => {
  expect(refused([]).message).toMatch(/\n {2}make them again: touchstone generate /);
});
