import { beforeAll, describe, expect, it } from "vitest";
import {
  type Document,
  isObject,
  type Json,
  type JsonObject,
  protocolNamed,
  type RuleFamily,
} from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { subjectOf } from "../corpus/subject.ts";
import { type EvaluationPlace, places } from "../evaluate/places.ts";
import { type Keyword, nodeAt } from "../model/model.ts";
import type { Subject } from "./draft.ts";
import { repair, repairFor } from "./repair.ts";

const snap = protocolNamed("snap");
/** Each part must have exactly one of `text` and `url`. */
const part: RuleFamily = {
  name: "part",
  checkers: [
    {
      rule: "SNAP-PART-001",
      documents: ["artifact"],
      check: (instance) =>
        partsOf(instance).flatMap((item, index) =>
          ["text", "url"].filter((name) => name in item).length === 1
            ? []
            : [{ at: `/parts/${index}`, why: "is not one" }],
        ),
    },
  ],
  cases: [],
};
const partsOf = (instance: Json): JsonObject[] =>
  isObject(instance) && Array.isArray(instance.parts) ? instance.parts.filter(isObject) : [];

let subject: Subject;
let place: EvaluationPlace;
beforeAll(async () => {
  const artifact = snap.profile.documents.find(({ name }) => name === "artifact") as Document;
  const model = await compileModel(snap.schemas, artifact.schema);
  subject = subjectOf({ ...snap, families: [part] }, artifact, model);
  place = { node: model.root, scope: {}, steps: [], at: [], isRepeatedStep: false };
});

const artifact = (...parts: Json[]): Json => ({ artifactId: "a", parts });

describe("an instance that breaks a semantic rule", () => {
  it("gains only missing members from a sample", () => {
    const [sample] = subject.samples as [{ parts: [{ url: string }] }];
    expect(subject.breaches?.(artifact({}))).toEqual(["SNAP-PART-001"]);
    expect(repair(subject, place, { instance: artifact({}), kept: "/artifactId" })).toEqual(
      artifact({ url: sample.parts[0].url }),
    );
  });

  it("loses superfluous members", () => {
    const [sample] = subject.samples as [{ parts: [{ url: string }] }];
    const both = artifact({ url: sample.parts[0].url, text: "a" });
    expect(repair(subject, place, { instance: both, kept: "/artifactId" })).toEqual(
      artifact({ url: sample.parts[0].url }),
    );
  });

  it("gains exactly the members that a rule requires together", () => {
    const breaches = (data: Json): string[] =>
      isObject(data) && data.name === "Map" && partsOf(data)[0]?.text === "Quay" ? [] : ["SNAP-PART-001"];
    const sample = { artifactId: "z", name: "Map", parts: [{ text: "Quay" }] };
    const valid = repair({ ...subject, samples: [sample], breaches }, place, {
      instance: artifact({ text: "b" }),
      kept: "/artifactId",
    });
    expect(valid).toEqual({ artifactId: "a", name: "Map", parts: [{ text: "Quay" }] });
  });

  it("gains all members that a rule requires, except at the fault", () => {
    const breaches = (data: Json): string[] => (partsOf(data).every(({ text }) => text === "Quay") ? [] : ["X-1"]);
    const sample = { artifactId: "z", parts: [{ text: "Quay" }] };
    const invalid = artifact({ text: "a" }, null, { text: "b" });
    const isWrong = (data: Json): boolean => JSON.stringify(data).includes("null");
    const repaired = repair({ ...subject, samples: [sample], breaches }, place, {
      instance: invalid,
      kept: "",
      stays: isWrong,
      fits: isWrong,
    });
    expect(repaired).toEqual(artifact({ text: "Quay" }, null, { text: "Quay" }));
  });

  it("gains the members that its value requires, from an example with the same value", () => {
    const breaches = (data: Json): string[] => {
      const { name, artifactId } = (isObject(data) ? data : {}) as JsonObject;
      return name === "Karte" && artifactId !== "kai" ? ["SNAP-PART-001"] : [];
    };
    const example = { artifactId: "kai", name: "Karte", parts: [{ text: "b" }] };
    const instance = { ...Object(artifact({ text: "a" })), name: "Karte" };
    const repaired = repair({ ...subject, samples: [], breaches, otherExamples: [example] }, place, {
      instance,
      kept: "/name",
    });
    expect(repaired).toEqual({ ...instance, artifactId: "kai" });
    expect(repair({ ...subject, samples: [], breaches }, place, { instance, kept: "/name" })).toEqual(instance);
  });

  it("keeps the part at the kept location, even if it stays wrong", () => {
    expect(repair(subject, place, { instance: artifact({}), kept: "/parts/0" })).toEqual(artifact({}));
    expect(repair(subject, place, { instance: artifact({}), kept: "" })).toEqual(artifact({ url: expect.any(String) }));
  });

  it("may change its items if only their number matters", () => {
    const model = subject.model;
    const maxItems = [...model.nodes.values()]
      .flatMap(({ keywords }) => keywords)
      .find(({ kind }) => kind === "maxItems");
    const at = places(model).find(({ node }) => nodeAt(model, node).keywords.includes(maxItems as Keyword));
    const repaired = repairFor(subject, at as EvaluationPlace, {
      keyword: maxItems as Keyword,
      instance: artifact({}),
      at: "/parts",
    });
    expect(subject.breaches?.(repaired)).toEqual([]);
    expect(repaired).toMatchObject({ artifactId: "a", parts: [{}] });
  });

  it("is unchanged if it keeps all rules, or if the rules cannot be checked", () => {
    const repaired = artifact({ text: "a" });
    expect(repair(subject, place, { instance: repaired, kept: "/artifactId" })).toBe(repaired);
    const { breaches: _, ...subjectWithoutRules } = subject;
    const ruleBreaking = artifact({});
    expect(repair(subjectWithoutRules, place, { instance: ruleBreaking, kept: "/artifactId" })).toBe(ruleBreaking);
  });

  it("also gains members that a SHOULD rule requires, but not if that breaks a binding rule", () => {
    const breaches = (data: Json): string[] => [
      ...(subject.breaches?.(data) ?? []),
      ...(isObject(data) && "name" in data ? [] : ["SNAP-PART-009", "SNAP-PART-007"]),
    ];
    const subjectWithAdvice = { ...subject, breaches };
    const ruleKeeping = artifact({ text: "a" });
    expect(repair(subjectWithAdvice, place, { instance: ruleKeeping, kept: "/artifactId" })).toEqual({
      ...Object(ruleKeeping),
      name: expect.any(String),
    });
    const breachesOfNamed = (data: Json): string[] =>
      breaches(data).concat(isObject(data) && "name" in data ? ["SNAP-PART-001"] : []);
    expect(
      repair({ ...subject, breaches: breachesOfNamed }, place, { instance: ruleKeeping, kept: "/artifactId" }),
    ).toBe(ruleKeeping);
  });
});
