import { describe, expect, it } from "vitest";
import { protocolNamed, type Result, type Setting } from "../../../../schemas/index.ts";
import { builtPathOf } from "../../../base/process/built.fixture.ts";
import { expectedOf, playScenarios } from "../../../running/scenarios/index.ts";
import { ofSide } from "../../../running/scenarios/sides.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("agent-conventions");
const node = JSON.stringify(process.execPath);
const reference = `${node} ${JSON.stringify(builtPathOf("suites/protocols/agent-conventions/reference/command.ts"))}`;
const sides = ["agent", "hub", "receiver"];

/** Selects every third scenario, since each needs its own process. */
const everyThird = (_: unknown, index: number): boolean => index % 3 === 0;

async function playWith(setting: Setting, withinMs = 60_000): Promise<Result[]> {
  const sideScenarios = ofSide(protocol, scenarios, setting.side).map((scenario) => ({ ...scenario, withinMs }));
  const ownScenarios =
    setting.command === undefined || sideScenarios.length < 5 ? sideScenarios : sideScenarios.filter(everyThird);
  const results = await playScenarios({ protocol, scenarios: ownScenarios, setting, seed: 1 });
  expect(results.map(({ id }) => id)).toEqual(expectedOf(protocol, ownScenarios).map(({ id }) => id));
  return results;
}

describe.each(sides)("the reference as %s", (side) => {
  it.concurrent("conforms over stdio", async () => {
    const { setting, close } = await live.open({ side });
    const { hooks: _, ...settingWithoutHooks } = setting;
    const results = await playWith({ ...settingWithoutHooks, command: `${reference} ${side}` });
    await close();
    expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
  });

  it.concurrent("conforms over HTTP, and validates messages there", async () => {
    const { setting, close } = await live.open({ side });
    const { hooks: _, ...settingWithoutHooks } = setting;
    await close();
    const served = await live.serve({ side });
    try {
      const results = await playWith({ ...settingWithoutHooks, url: served.url });
      expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
      const answer = await fetch(`${served.url}/validate`, {
        method: "POST",
        body: "{}",
        headers: { "content-type": "application/json" },
      });
      expect(answer.status).toBe(422);
    } finally {
      await served.close();
    }
  });

  it.concurrent.each([0, 1, 3, 9])(
    "is errored, and violates nothing, if its hooks fail after %i calls",
    async (workingCalls) => {
      const { setting, close } = await live.open({ side });
      let callCount = 0;
      const hooks = Object.fromEntries(
        Object.entries(setting.hooks ?? {}).map(([name, hook]) => [
          name,
          (input: object) => {
            if (++callCount > workingCalls) throw new Error("out of order");
            return (hook as (input: object) => object)(input);
          },
        ]),
      );
      const results = await playWith({ ...setting, hooks } as Setting);
      await close();
      const hasFailed = callCount > workingCalls;
      expect(results.some(({ outcome }) => outcome === "errored")).toBe(hasFailed);
      expect(results.filter(({ outcome }) => outcome === "violates")).toEqual([]);
    },
  );
});

describe("a party that breaks down", () => {
  const programFor = (act: string): string =>
    `${node} -e ${JSON.stringify(`require("readline").createInterface({input:process.stdin}).on("line",(line)=>{const m=JSON.parse(line);const say=(x)=>console.log(JSON.stringify(x));${act}})`)}`;
  const breakdowns: [description: string, command: string, outcome: "errored" | "timed-out", why: RegExp][] = [
    ["does not exist", "no-such-command-at-all", "errored", /is gone/],
    ["exits immediately", `${node} -e 0`, "errored", /is gone: it exited with code 0/],
    ["crashes", programFor("throw new Error('no luck')"), "errored", /no luck/],
    ["answers a different request", programFor("say({id:m.id+1,answer:{}})"), "errored", /does not answer "/],
    [
      "returns no messages",
      programFor("say({id:m.id,answer:{now:new Date().toISOString()}})"),
      "errored",
      /"outbox"|"worked"/,
    ],
    [
      "floods",
      programFor("say({id:m.id,answer:{now:new Date().toISOString(),messages:Array(12000).fill({})}})"),
      "timed-out",
      /did not end within/,
    ],
    ["hangs", programFor(""), "timed-out", /did not end within|does not answer/],
  ];
  it.concurrent.each(breakdowns)("is reported with the cause if it %s", async (_, command, outcome, why) => {
    // Errors end a scenario by themselves, so only parties that never answer are waited for.
    const withinMs = outcome === "errored" ? 20_000 : 2000;
    for (const side of ["agent", "hub"]) {
      const results = await playWith({ side, command }, withinMs);
      const expectedResults = results.filter((result) => result.outcome === outcome);
      expect(expectedResults.map((result) => result.why).filter((text) => why.test(String(text)))).not.toEqual([]);
      expect(results.filter((result) => result.outcome === "conforms")).toEqual([]);
    }
  });
});
