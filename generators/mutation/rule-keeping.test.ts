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
import { type KillOffer, reduceBreaches, rightFirst } from "./rule-keeping.ts";

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
let right: JsonObject;
let least: JsonObject;
let offer: Omit<KillOffer, "parent" | "data" | "change">;
beforeAll(async () => {
  const errored = aaep.profile.documents.find(({ name }) => name === "agent.session.errored") as Document;
  const model = await compileModel(aaep.schemas, errored.schema);
  subject = subjectOf({ ...aaep, families: [urgent] }, errored, model);
  right = errored.samples?.[0] as JsonObject;
  const { urgency: _, ...rest } = right;
  least = rest as JsonObject;
  const place = { node: model.root, scope: {}, steps: [], at: [], again: false };
  offer = { place, site: model.root, at: "/summary_normal", name: ["too-short"] };
});

const isNew = (): boolean => true;
const empty = { op: "replace", path: "/summary_normal", value: "" } as const;

describe("a fault that the breach of a rule would hide", () => {
  it("is made in a parent that keeps the rule", () => {
    const made = reduceBreaches(
      subject,
      { ...offer, parent: least, data: { ...least, summary_normal: "" }, change: [empty] },
      isNew,
    );
    expect(made).toMatchObject({ parent: { urgency: "critical" }, data: { urgency: "critical", summary_normal: "" } });
  });

  it("is made without the changes that break the rule and that it does not need", () => {
    const change = [{ op: "remove", path: "/urgency" } as const, empty];
    const made = reduceBreaches(
      subject,
      { ...offer, parent: right, data: { ...least, summary_normal: "" }, change },
      isNew,
    );
    expect(made.change).toEqual([empty]);
    expect(made.data).toEqual({ ...right, summary_normal: "" });
  });

  it("is made alone if a whole message represents it", () => {
    const data = { ...least, summary_normal: "" };
    const change = [{ op: "replace", path: "", value: data } as const];
    const made = reduceBreaches(subject, { ...offer, at: "", parent: right, data, change }, isNew);
    expect(made).toMatchObject({ parent: right, data: { ...right, summary_normal: "" }, change: [empty] });
  });

  it("is made in another message if it is known in this one", () => {
    const data = { ...least, summary_normal: "" };
    const change = [{ op: "remove", path: "/urgency" } as const, empty];
    const parent = { ...right, summary_detailed: "Known." };
    const isOther = (given: Json): boolean => (given as JsonObject).summary_detailed !== "Known.";
    const given = { ...offer, parent, data: { ...data, summary_detailed: "Known." }, change };
    expect(reduceBreaches(subject, given, isOther).data).toEqual({ ...right, summary_normal: "" });
  });

  it("stays in a repaired message if none of its changes works alone", () => {
    const data = JSON.parse(JSON.stringify({ ...least, summary_normal: "" }).replace("{", '{"__proto__":"",'));
    const change = [{ op: "replace", path: "", value: data } as const];
    const made = reduceBreaches(subject, { ...offer, at: "", parent: right, data, change }, isNew);
    expect(Object.keys(made.data as object)).toContain("__proto__");
    expect(made.data).toMatchObject({ urgency: "critical", summary_normal: "" });
  });

  it("is unchanged if there is no alternative", () => {
    const given = { ...offer, parent: least, data: { ...least, summary_normal: "" }, change: [empty] };
    expect(reduceBreaches(subject, given, () => false)).toEqual(given);
  });

  it("is repeated first in messages that keep the rules", () => {
    expect(rightFirst(subject, [least, right])).toEqual([right, least]);
  });
});
