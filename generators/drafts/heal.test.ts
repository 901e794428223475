import { beforeAll, describe, expect, it } from "vitest";
import { type Document, type Json, type JsonObject, protocolNamed, type RuleFamily } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { subjectOf } from "../corpus/subject.ts";
import type { Place } from "../evaluate/places.ts";
import type { Subject } from "./draft.ts";
import { healed } from "./heal.ts";

const snap = protocolNamed("snap");
let subject: Subject;
let place: Place;
beforeAll(async () => {
  const artifact = snap.profile.documents.find(({ name }) => name === "artifact") as Document;
  const model = await compileModel(snap.schemas, artifact.schema);
  subject = subjectOf({ ...snap, families: [oneContent] }, artifact, model);
  place = { node: model.root, scope: {}, steps: [], at: [], again: false };
});

/** A part has one of three contents. */
const oneContent: RuleFamily = {
  name: "content",
  checkers: [
    {
      rule: "SNAP-PART-001",
      documents: ["artifact"],
      *check(instance) {
        const { parts = [] } = instance as { parts?: JsonObject[] };
        for (const [index, part] of parts.entries())
          if (["text", "url", "raw"].filter((name) => name in part).length !== 1)
            yield { at: `/parts/${index}`, why: "has not one content" };
      },
    },
  ],
  cases: [],
};

const artifact = (...parts: Json[]): Json => ({ artifactId: "a", parts });

describe("an instance that breaks a rule beyond its schema", () => {
  it("gets from a sample what it lacks, and no more", () => {
    const [sample] = subject.samples as [{ parts: [{ url: string }] }];
    expect(subject.breaches?.(artifact({}))).toEqual(["SNAP-PART-001"]);
    expect(healed(subject, place, artifact({}), "/artifactId")).toEqual(artifact({ url: sample.parts[0].url }));
  });

  it("loses what is too much", () => {
    const [sample] = subject.samples as [{ parts: [{ url: string }] }];
    const both = artifact({ url: sample.parts[0].url, text: "a" });
    expect(healed(subject, place, both, "/artifactId")).toEqual(artifact({ url: sample.parts[0].url }));
  });

  it("keeps what it is about as it is, even if it stays wrong", () => {
    expect(healed(subject, place, artifact({}), "/parts/0")).toEqual(artifact({}));
    expect(healed(subject, place, artifact({}), "")).toEqual(artifact({ url: expect.any(String) }));
  });

  it("is left alone where it breaks none, or none can be told", () => {
    const right = artifact({ text: "a" });
    expect(healed(subject, place, right, "/artifactId")).toBe(right);
    const { breaches: _, ...untold } = subject;
    const wrong = artifact({});
    expect(healed(untold, place, wrong, "/artifactId")).toBe(wrong);
  });
});
