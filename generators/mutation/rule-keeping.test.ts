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
import type { Subject } from "../drafts/draft.ts";
import { type KillOffer, reduceBreaches, sortByBreaches } from "./rule-keeping.ts";

const aaep = protocolNamed("aaep");
const urgent: RuleFamily = {
  name: "urgent",
  checkers: [
    {
      rule: "AAEP-LIFE-011",
      documents: ["agent.session.errored"],
      check: (instance) =>
        isObject(instance) && instance.urgency === undefined ? [{ at: "/urgency", why: "is absent" }] : [],
    },
  ],
  cases: [],
};

let subject: Subject;
let keepingMessage: JsonObject;
let withoutUrgency: JsonObject;
let offer: Omit<KillOffer, "parent" | "data" | "change">;
beforeAll(async () => {
  const errored = aaep.profile.documents.find(({ name }) => name === "agent.session.errored") as Document;
  const model = await compileModel(aaep.schemas, errored.schema);
  subject = subjectOf({ ...aaep, families: [urgent] }, errored, model);
  keepingMessage = errored.samples?.[0] as JsonObject;
  const { urgency: _, ...rest } = keepingMessage;
  withoutUrgency = rest as JsonObject;
  const place = { node: model.root, scope: {}, steps: [], at: [], isRepeatedStep: false };
  offer = { place, site: model.root, at: "/summary_normal", name: ["too-short"] };
});

const isNew = (): boolean => true;
const emptySummary = { op: "replace", path: "/summary_normal", value: "" } as const;

describe("a fault that a broken rule would hide", () => {
  it("is made in a parent that keeps the rule", () => {
    const reduced = reduceBreaches(
      subject,
      { ...offer, parent: withoutUrgency, data: { ...withoutUrgency, summary_normal: "" }, change: [emptySummary] },
      isNew,
    );
    expect(reduced).toMatchObject({
      parent: { urgency: "critical" },
      data: { urgency: "critical", summary_normal: "" },
    });
  });

  it("is made without unnecessary changes that break the rule", () => {
    const change = [{ op: "remove", path: "/urgency" } as const, emptySummary];
    const reduced = reduceBreaches(
      subject,
      { ...offer, parent: keepingMessage, data: { ...withoutUrgency, summary_normal: "" }, change },
      isNew,
    );
    expect(reduced.change).toEqual([emptySummary]);
    expect(reduced.data).toEqual({ ...keepingMessage, summary_normal: "" });
  });

  it("is reduced to its own change if the offer replaces the whole message", () => {
    const data = { ...withoutUrgency, summary_normal: "" };
    const change = [{ op: "replace", path: "", value: data } as const];
    const reduced = reduceBreaches(subject, { ...offer, at: "", parent: keepingMessage, data, change }, isNew);
    expect(reduced).toMatchObject({
      parent: keepingMessage,
      data: { ...keepingMessage, summary_normal: "" },
      change: [emptySummary],
    });
  });

  it("is made in a different message if the message with the fault is already known", () => {
    const data = { ...withoutUrgency, summary_normal: "" };
    const change = [{ op: "remove", path: "/urgency" } as const, emptySummary];
    const parent = { ...keepingMessage, summary_detailed: "Known." };
    const isNotKnown = (message: Json): boolean => (message as JsonObject).summary_detailed !== "Known.";
    const original = { ...offer, parent, data: { ...data, summary_detailed: "Known." }, change };
    expect(reduceBreaches(subject, original, isNotKnown).data).toEqual({ ...keepingMessage, summary_normal: "" });
  });

  it("is kept in a repaired message if no single change is enough", () => {
    const data = JSON.parse(JSON.stringify({ ...withoutUrgency, summary_normal: "" }).replace("{", '{"__proto__":"",'));
    const change = [{ op: "replace", path: "", value: data } as const];
    const reduced = reduceBreaches(subject, { ...offer, at: "", parent: keepingMessage, data, change }, isNew);
    expect(Object.keys(reduced.data as object)).toContain("__proto__");
    expect(reduced.data).toMatchObject({ urgency: "critical", summary_normal: "" });
  });

  it("is unchanged if there is nothing better", () => {
    const original = {
      ...offer,
      parent: withoutUrgency,
      data: { ...withoutUrgency, summary_normal: "" },
      change: [emptySummary],
    };
    expect(reduceBreaches(subject, original, () => false)).toEqual(original);
  });

  it("is repeated first in messages that keep the rules", () => {
    expect(sortByBreaches(subject, [withoutUrgency, keepingMessage])).toEqual([keepingMessage, withoutUrgency]);
  });
});
