import { expect, it } from "vitest";
import { mustBeOneSource } from "./vector-sources.ts";

it("rejects --sample and --formats for an existing pack, and names the members of profile.json to edit", () => {
  expect(() => mustBeOneSource("boxes", { sample: ["traffic"] })).toThrow(
    expect.objectContaining({
      what: "--sample cannot be used with a pack",
      hint: expect.stringContaining("`samples` of its document in the profile.json of the pack"),
    }),
  );
  expect(() => mustBeOneSource("boxes", { formats: "assert" })).toThrow(
    expect.objectContaining({ hint: expect.stringContaining("its formats in profile.json") }),
  );
});
