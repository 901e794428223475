import { expect, it } from "vitest";
import { documentNamed, type Json, protocolNamed } from "../../../schemas/index.ts";
import { ruled } from "../../packs/pack/load.ts";
import { examinerFor } from "./oracle.ts";

const protocol = await ruled(protocolNamed("snap"));
const examine = await examinerFor(protocol, documentNamed(protocol, "artifact"));

/** Examines an artifact with these parts and a name that is too short. */
function examineNamed(parts: Json): ReturnType<typeof examine> {
  const parent = { artifactId: "plan-1", name: "Plan", parts };
  const site = "https://snap-protocol.org/schemas/0.1/types/artifact.schema.json#/properties/name/minLength";
  const change = [{ op: "replace" as const, path: "/name", value: "" }];
  const fault = { fault: "too-short" as const, site, at: "/name", via: [], parent, change };
  return examine({ source: "faulty", data: { ...parent, name: "" }, ...fault }, "1/1");
}

it("lists the faults that a random message already had before one was injected", () => {
  expect(examineNamed([{ text: "Span by span." }])).toMatchObject({ valid: false });
  expect(examineNamed([{ text: "Span by span." }]).description).toMatch(/with one fault: /);
  expect(examineNamed([{ text: "Span by span." }]).involves).toBeUndefined();
  const wrongVector = examineNamed([{ text: "Span by span." }, {}]);
  expect(wrongVector).toMatchObject({ valid: false, at: "/name", involves: ["/parts/1"] });
  expect(wrongVector.description).toMatch(/^a random message with a fault among others: too-short at \/name$/);
});

it("names the rule by which some implementations may refuse a valid message", () => {
  const examineBase64 = (raw: string) =>
    examine({ source: "valid", data: { artifactId: "plan-1", parts: [{ raw, mediaType: "image/png" }] } }, "1/2");
  expect(examineBase64("AA==").beyond).toBeUndefined();
  for (const raw of ["AB==", "AAB=", "iVBORw0KGgp="]) expect(examineBase64(raw).beyond).toEqual(["SNAP-PART-004"]);
});
