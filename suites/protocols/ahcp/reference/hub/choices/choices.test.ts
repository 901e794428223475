import { expect, it } from "vitest";
import { freedomsOf, protocolNamed, type Result } from "../../../../../../schemas/index.ts";
import { runSuite } from "../../../../../running/run/suite.ts";
import { playScenarios } from "../../../../../running/scenarios/index.ts";
import { scenarios } from "../../../scenarios/index.ts";
import { live } from "../../live.ts";
import { startHub } from "../start.ts";
import { hubTwins } from "../twins.ts";
import { hubChoices } from "./index.ts";

const protocol = protocolNamed("ahcp");

/** The results of scenarios with a hub that makes these choices, by rule. */
async function played(choices: readonly string[], names: RegExp, hooks?: readonly string[]): Promise<Result[]> {
  const { setting, close } = await live.open({ choices, limits: { requestsPerMinute: 5000 } });
  const { hooks: all = {} } = setting;
  const given =
    hooks === undefined ? all : Object.fromEntries(Object.entries(all).filter(([name]) => hooks.includes(name)));
  try {
    return await playScenarios({
      ...{ protocol, seed: 5, setting: { ...setting, hooks: given, timeScale: 0.05 } },
      scenarios: scenarios.filter(({ name }) => names.test(name)),
    });
  } finally {
    await close();
  }
}

const short = (results: readonly Result[]): string[] => results.map(({ rule, outcome }) => `${rule} ${outcome}`);

it("have unique names, use existing freedoms, and make up the twins", () => {
  const names = hubChoices.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const known = new Set(freedomsOf(protocol).map(({ id }) => id));
  expect(hubChoices.flatMap(({ freedoms }) => freedoms).filter((id) => !known.has(id))).toEqual([]);
  expect(hubTwins.flatMap(({ choices }) => choices).filter((name) => !names.includes(name))).toEqual([]);
});

it("are refused if unknown, and if two have the same factor", async () => {
  await expect(startHub({ choices: ["bussy"] })).rejects.toThrow('unknown choice "bussy"\n  did you mean "busy"?');
  const both = ["pushes-12-s-later", "pushes-70-s-later"];
  await expect(startHub({ choices: both })).rejects.toThrow(
    /"pushes-12-s-later" and "pushes-70-s-later" exclude each other/,
  );
});

it("judges a hub that is sometimes busy by the answers that it gives otherwise", async () => {
  const results = await played(["busy"], /^(envelope-good|versions-unknown-members|access-|idempotency-race)/);
  expect(results.length).toBeGreaterThan(5);
  expect(short(results).filter((each) => !each.endsWith("conforms"))).toEqual([]);
});

it.each(["busy", "busy-until-a-date"])("gives the same vector results for a hub that is %s", async (choice) => {
  const outcomes = async (choices: readonly string[]): Promise<string[]> => {
    const { url, close } = await startHub({ choices });
    try {
      const only = ["AHCP-ENV-007", "AHCP-ENV-003", "AHCP-ASK-001"];
      const { runs } = await runSuite({ protocols: "ahcp", target: { kind: "http", url }, only, seed: 1 });
      return runs.flatMap(({ results }) => results.map(({ id, outcome }) => `${id} ${outcome}`));
    } finally {
      await close();
    }
  };
  const usual = await outcomes([]);
  expect(usual.length).toBeGreaterThan(100);
  expect(await outcomes([choice])).toEqual(usual);
});

it("sees the pushes of a hub that starts them 70 s later, if its clock is moved", async () => {
  const results = await played(["pushes-70-s-later"], /^(delivery-push|outcomes-cancelled|outcomes-unasked)$/);
  expect(short(results)).toEqual(["AHCP-DLV-001 conforms", "AHCP-CBK-007 conforms", "AHCP-CAN-008 conforms"]);
});

it("does not accuse a hub that signs once by a moved clock and pauses in real time", async () => {
  const results = await played(["signs-by-the-clock-once"], /^signatures-attempts$/);
  const of = results.find(({ rule }) => rule === "AHCP-SIG-008");
  expect(of?.outcome).toBe("skipped");
});

it("loses no answer to idle connections that close", async () => {
  const results = await played(["closes-idle-connections"], /^(reading-again|lifecycle-first|versions-other-major)$/);
  expect(short(results).filter((each) => !each.endsWith("conforms"))).toEqual([]);
});

/** The freedoms without a choice of the hub: the twin of documents uses them, or the reference can only behave in one way. */
const unchosen = [
  ...["credential-before-body", "media-type", "status-of-bad-defaults", "status-of-limits", "limits-before-schema"],
  ...["rate-limits", "form-of-addresses", "names-of-key-headers", "compared-as-json"],
];

it("exist for each freedom of conduct, with some named exceptions", () => {
  const used = new Set(hubChoices.flatMap(({ freedoms }) => freedoms));
  const conduct = freedomsOf(protocol).filter(({ shows }) => shows === "conduct");
  expect(conduct.filter(({ id }) => !used.has(id)).map(({ id }) => id)).toEqual(unchosen);
});

/** The results of a hub with one choice that differ from those of the reference. */
const does: [choice: string, names: RegExp, outcomes: RegExp][] = [
  ["gives-outcome-to-late", /^(expiry-too-late|lifecycle-first)$/, / conforms$/],
  ["ignoring-declines", /^answers-ignored$/, / conforms$/],
  ["permissions-403", /^answers-not-/, / conforms$/],
  ["submitter-of-empty-lists", /^resolvers-empty$/, / warns$/],
  ["closed-discovery", /^discovery-document$/, /CAP-001 warns$| conforms$/],
  ["strangers-403", /^access-reading$/, /AUT-004 warns$| conforms$/],
  ["deleted-410-for-all", /^reading-deleted$/, /GET-006 warns$| conforms$/],
  ["late-cancels-200", /^expiry-cancel$/, / warns$/],
  ["cancels-without-body", /^cancel-open$/, / warns$/],
  ["drops-surplus-values", /^answers-task-endings|^doubtful-task-value/, / conforms$| skipped$/],
];

it.each(does)("does not accuse a hub with the choice %s", async (choice, names, outcomes) => {
  const results = await played([choice], names);
  expect(short(results).filter((each) => !outcomes.test(each))).toEqual([]);
});
