import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Detour, protocolNamed, type Result, TargetFailure, TargetSkip } from "../../../../schemas/index.ts";
import { playScenarios } from "../run.ts";
import { countIn, stepsOf, type WalkModel, walkAlong, walksAlong, walksOf } from "./index.ts";

const protocol = protocolNamed("ahcp");
const [countRule, endRule] = ["AHCP-VER-002", "AHCP-LIF-001"];
let server: Server;
let url = "";

beforeAll(async () => {
  server = createServer((_, response) => response.end("{}"));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((done) => server.close(done)));

interface State {
  sum: number;
  party: number;
  isAgain: boolean;
}

/** A model of a party that adds numbers; `add` is how the party adds, perhaps wrongly. */
function adderModel(
  add: (sum: number, by: number) => number,
  members: Partial<WalkModel<State, number>> = {},
): WalkModel<State, number> {
  return {
    rules: [countRule, endRule],
    needs: [],
    says: "it adds",
    longest: 20,
    eachMs: 1000,
    example: "1; 2",
    begin: (_, isAgain) => ({ sum: 0, party: 0, isAgain }),
    steps: (fast) => fast.integer({ min: 1, max: 9 }),
    fitted: (_, step) => (step === 9 ? undefined : step),
    async take(_, state, step, must) {
      state.sum += step;
      state.party = add(state.party, step);
      must(countRule, state.party === state.sum, `it has ${state.party}, not ${state.sum}`);
    },
    async tidy() {},
    textOf: String,
    stepIn: countIn,
    ...members,
  };
}

async function playWalks(
  model: WalkModel<State, number>,
  walks = 20,
): Promise<{ results: Result[]; detours: Detour[] }> {
  const { scenario, detours } = walksOf(model, { seed: 3, walks });
  const results = await playScenarios({ protocol, scenarios: [scenario], setting: { url }, seed: 1 });
  return { results, detours };
}

const outcomeOf = (results: readonly Result[], rule: string) => results.find((result) => result.rule === rule)?.outcome;

describe("walks along a model", () => {
  it("never fail a target that matches the model, and skip rules that no step shows", async () => {
    const { results, detours } = await playWalks(adderModel((sum, by) => sum + by));
    expect(detours).toEqual([]);
    expect(outcomeOf(results, countRule)).toBe("conforms");
    expect(results.find(({ rule }) => rule === endRule)).toMatchObject({
      outcome: "skipped",
      why: "no step of the walk shows it",
    });
  });

  it("are shortened as far as possible", async () => {
    const { results, detours } = await playWalks(adderModel((sum, by) => (sum >= 8 ? sum : sum + by)));
    expect(outcomeOf(results, countRule)).toBe("violates");
    expect(detours).toHaveLength(1);
    const steps = detours[0]?.steps.map(Number) ?? [];
    expect(steps.length).toBeLessThanOrEqual(3);
    expect(steps.slice(0, -1).reduce((sum, step) => sum + step, 0)).toBeGreaterThanOrEqual(8);
  });

  it("drop even the last step, if only the final state shows the fault", async () => {
    const model = adderModel((sum, by) => sum + by, {
      async finish(_, { sum }, must) {
        must(endRule, sum < 5, `it ends with ${sum}`);
      },
    });
    const { detours } = await playWalks(model);
    expect(detours).toMatchObject([{ rule: endRule }]);
    const steps = detours[0]?.steps.map(Number) ?? [];
    const sum = steps.reduce((total, step) => total + step, 0);
    expect([sum >= 5, steps.map((step) => sum - step >= 5)]).toEqual([true, steps.map(() => false)]);
  });

  it("continue after a known breach that leaves the model unchanged", async () => {
    const model = (lasting: string[]) =>
      adderModel((sum, by) => (sum > 30 ? sum : sum + by), {
        lasting,
        async take(_, state, step, must) {
          state.sum += step;
          must(endRule, false, "always");
          must(countRule, state.sum < 20, "too much");
        },
      });
    expect((await playWalks(model([]))).detours.map(({ rule }) => rule)).toEqual([endRule]);
    expect((await playWalks(model([endRule]))).detours.map(({ rule }) => rule)).toEqual([endRule, countRule]);
  });

  it("end early if something is missing, and are skipped if it is always missing", async () => {
    const modelLacking = (isLacking: (sum: number) => boolean) =>
      adderModel((sum, by) => sum + by, {
        async take(_, state, step, must) {
          state.sum += step;
          if (isLacking(state.sum)) throw new TargetSkip("needs more");
          must(countRule, true, "");
        },
      });
    const { results } = await playWalks(modelLacking((sum) => sum > 20));
    expect(outcomeOf(results, countRule)).toBe("conforms");
    const why = expect.stringMatching(/^no step of the walk shows it; walk \d+(, \d+)* ended early: needs more$/);
    expect(results.find(({ rule }) => rule === endRule)).toMatchObject({ outcome: "skipped", why });
    const skippedWalks = await playWalks(modelLacking(() => true));
    expect(skippedWalks.results).toMatchObject([{ outcome: "skipped", why: "needs more" }, { outcome: "skipped" }]);
  });

  it("are errored, and never violated, if the party breaks down", async () => {
    const model = adderModel((sum, by) => sum + by, {
      async take(_, state) {
        state.sum += 1;
        if (state.sum > 2) throw new TargetFailure("errored", "read", "it is gone");
      },
    });
    const { results, detours } = await playWalks(model);
    expect(detours).toEqual([]);
    expect(results.map(({ outcome }) => outcome)).toEqual(["errored", "errored"]);
  });

  it("are marked as repeated only while a failed walk is shortened", async () => {
    const againFlags: boolean[] = [];
    const model = adderModel((sum) => sum, {
      begin(_, isAgain) {
        againFlags.push(isAgain);
        return { sum: 0, party: 0, isAgain };
      },
    });
    await playWalks(model, 1);
    expect([againFlags[0], againFlags.at(-1), againFlags.includes(true)]).toEqual([false, false, true]);
  });

  it("can be repeated by their steps, or by the number of a walk", async () => {
    const model = adderModel((sum, by) => (by === 7 ? sum : sum + by));
    const playSteps = (text: string) =>
      playScenarios({ protocol, scenarios: [walkAlong(model, stepsOf(model, text))], setting: { url }, seed: 1 });
    expect(outcomeOf(await playSteps("1; 7"), countRule)).toBe("violates");
    expect(outcomeOf(await playSteps("1; 8"), countRule)).toBe("conforms");
    expect(() => stepsOf(model, "1; x")).toThrow(/"x" is not a step of a walk/);
    const run = { protocol, setting: { url }, seed: 3, freshness: 1 };
    const [detour] = (await walksAlong(model).play({ ...run, walks: 20 })).detours;
    const repeatedWalk = await walksAlong(model).play({ ...run, walks: 1, first: detour?.index });
    expect(repeatedWalk.detours).toEqual([detour]);
    expect(repeatedWalk.results[0]?.id).toBe(`ahcp/0.3/scenarios/walk-${detour?.index}/${countRule}`);
  });
});
