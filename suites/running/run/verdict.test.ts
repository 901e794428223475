import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  brokenRule,
  type Document,
  declinedOf,
  home,
  type Observation,
  type Outcome,
  rememberedAt,
  type Speech,
  type TargetAnswer,
  type Vector,
} from "../../../schemas/index.ts";
import { skipByStatus } from "../../base/text/skips.ts";
import { sampleProtocol } from "../../packs/corpus/sample.fixture.ts";
import { readingStages } from "../../targets/http/reading.ts";
import {
  type CaseVerdict,
  type Exchange,
  type SoFar,
  type VerdictConditions,
  verdictOn,
  verdictStages,
} from "./verdict.ts";

const guide = readFileSync(join(home, "suites/guides/verdict.md"), "utf8");
const listItemsIn = (heading: string): string[] =>
  (guide.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "").split("\n").filter((line) => /^\d+\. /.test(line));

it("the guide lists the stages of a verdict and of reading an answer in order", () => {
  const listItem = (number: number, name: string, decides: string): string => `${number}. **${name}**: ${decides}`;
  expect(listItemsIn("The verdict")).toEqual(
    verdictStages.map(({ name, decides }, index) => listItem(index + 1, name, decides)),
  );
  expect(listItemsIn("An answer over HTTP")).toEqual(
    readingStages.map(({ name, decides, revises }, index) =>
      listItem(index + 1, `${name}${revises ? " (revises)" : ""}`, decides),
    ),
  );
});

const document = { name: "note" } as Document;
const vector = (valid: boolean | undefined, members: Partial<Vector> = {}): Vector => ({
  id: "a",
  description: "",
  needs: [],
  tags: [],
  data: {},
  ...(valid === undefined ? { readings: [{ verdict: "valid", by: ["lax"] }] } : { valid }),
  ...members,
});
const acceptedAnswer: TargetAnswer = { verdict: "accepted", reasons: [] };
const rejectedAnswer: TargetAnswer = { verdict: "rejected", reasons: [] };
const cause = { kind: "no-usable-answer" } as const;
const refusedFor = (of: Speech["of"]): TargetAnswer => ({ ...rejectedAnswer, speech: { of, words: "no" } });
const stateObservation: Observation = {
  kind: "about-state",
  status: 409,
  refusal: rejectedAnswer,
  ...skipByStatus(409, "for what the server has", ""),
};
const site = "https://example.org/note#/required/0";
const breach = brokenRule("S-9", "it is not as described");

/** For each stage, an exchange that this stage decides last, with the outcome. */
const decisions: [
  stage: string,
  vector: Vector,
  observation: Exchange["observation"],
  outcome: Outcome,
  more?: SoFar & { kind?: VerdictConditions["kind"] },
][] = [
  ["not asked", vector(true), { kind: "not-asked", why: "", cause }, "skipped"],
  ["unavailable", vector(true), { kind: "unavailable", outcome: "errored", stage: "read", why: "", cause }, "errored"],
  ["memory", vector(true), rememberedAt("/id"), "conforms"],
  ["declined", vector(true), declinedOf("no", cause), "skipped"],
  ["broken", vector(true), { kind: "broken", breach, why: "", cause }, "violates"],
  ["answer", vector(false), acceptedAnswer, "violates"],
  ["latitude", vector(true), { ...rejectedAnswer, over: "its limit" }, "skipped", { kind: "http" }],
  ["reserve", vector(true), refusedFor("other"), "skipped", { kind: "mcp" }],
  ["answer itself", vector(true), { ...acceptedAnswer, breach }, "violates"],
  ["status", vector(false, { site }), stateObservation, "conforms", { isRefusal: () => true }],
  ["parent", vector(false), rejectedAnswer, "skipped", { emptiness: () => ({ why: "", cause }) }],
  ["readings", vector(undefined, { rule: "S-2" }), acceptedAnswer, "disputed", { kind: "module" }],
];

const readings = [{ name: "lax", says: "it may", tolerates: ["S-2"] }];
const sample = sampleProtocol();
const contradictions = [{ about: "x", clause: "1", rules: ["S-2"], readings }];
const protocol = { ...sample, profile: { ...sample.profile, contradictions } };
const judgingOf = ({ kind = "module" }: { kind?: VerdictConditions["kind"] }): VerdictConditions => ({
  protocol,
  kind,
  codes: undefined,
  readings: [],
});

/** Returns the stages that change the verdict on an exchange, in order. */
function decidingStages(exchange: Exchange, judging: VerdictConditions, soFar: SoFar): string[] {
  let verdict: CaseVerdict | undefined;
  return verdictStages.flatMap(({ name, apply }) => {
    const nextVerdict = apply(exchange, verdict, judging, soFar);
    verdict = nextVerdict ?? verdict;
    return nextVerdict === undefined ? [] : [name];
  });
}

describe("a verdict", () => {
  it.each(decisions)("is decided last by the stage %s", (stage, stageVector, observation, outcome, context = {}) => {
    const exchange = deepFreeze({ of: { vector: stageVector, document }, observation });
    const judging = judgingOf(context);
    const { kind: _, ...soFar } = context;
    expect(decidingStages(exchange, judging, soFar).at(-1)).toBe(stage);
    const verdict = verdictOn(exchange, judging, soFar);
    expect(verdict.outcome).toBe(outcome);
    // Nothing is kept between two calls.
    expect(verdictOn(exchange, judging, soFar)).toEqual(verdict);
    expect((verdict.cause === undefined) === (outcome === "conforms")).toBe(true);
  });

  it("that is disputed names the readings under which it would count", () => {
    const exchange = { of: { vector: vector(undefined, { rule: "S-2" }), document }, observation: acceptedAnswer };
    expect(verdictOn(exchange, judgingOf({}), {})).toMatchObject({ outcome: "disputed", decidedBy: ["lax"] });
    expect(verdictOn(exchange, { ...judgingOf({}), readings: undefined }, {})).not.toHaveProperty("decidedBy");
  });

  it("is decided by each stage in some case", () => {
    const namedStages = new Set(decisions.map(([stage]) => stage));
    expect(verdictStages.map(({ name }) => name).filter((name) => !namedStages.has(name))).toEqual([]);
  });

  it("is skipped as long as nothing is known about other exchanges", () => {
    const stateExchange = { of: { vector: vector(false, { site }), document }, observation: stateObservation };
    expect(verdictOn(stateExchange, judgingOf({}), {}).outcome).toBe("skipped");
    expect(verdictOn(stateExchange, judgingOf({}), { isRefusal: () => undefined }).outcome).toBe("skipped");
    const bothContexts = { isRefusal: () => true, emptiness: () => ({ why: "", cause }) };
    expect(verdictOn(stateExchange, judgingOf({}), bothContexts)).toMatchObject({ outcome: "skipped", cause });
  });
});

function deepFreeze<T>(value: T): T {
  for (const member of typeof value === "object" && value !== null ? Object.values(value) : []) deepFreeze(member);
  return Object.freeze(value);
}
