import { describe, expect, it } from "vitest";
import { protocolNamed, type Result, type Setting } from "../../../../schemas/index.ts";
import { builtPathOf } from "../../../base/process/built.fixture.ts";
import { expectedOf, playScenarios } from "../../../running/scenarios/index.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("agentformat");
const node = JSON.stringify(process.execPath);
const reference = `${node} ${JSON.stringify(builtPathOf("suites/protocols/agentformat/reference/runtime/command.ts"))}`;

/** The command line of a program that runs this code for each message `m`. */
function program(onLine: string): string {
  const text = `require("readline").createInterface({input:process.stdin}).on("line",(line)=>{const m=JSON.parse(line);const say=(x)=>console.log(JSON.stringify(x));${onLine}})`;
  return `${node} -e ${JSON.stringify(text).replaceAll("$", "\\$")}`;
}

const shortNames = ["sequence-order", "loop-rounds", "mapping-fields", "react-steps", "memory-required"];
const shortScenarios = scenarios.filter(({ name }) => shortNames.includes(name));

/** Plays short scenarios. Each one starts a process, which is slow, so tests of crashing runtimes play only two. */
async function playWith(setting: Setting, withinMs = 60_000, count = shortScenarios.length): Promise<Result[]> {
  const limitedScenarios = shortScenarios.slice(0, count).map((scenario) => ({ ...scenario, withinMs }));
  const results = await playScenarios({
    protocol,
    scenarios: limitedScenarios,
    setting: { side: "runtime", ...setting },
    seed: 1,
  });
  expect(results.map(({ id }) => id)).toEqual(expectedOf(protocol, limitedScenarios).map(({ id }) => id));
  return results;
}

describe("a runtime as a command", () => {
  it.concurrent("conforms over stdio in every eleventh scenario", async () => {
    const results = await playScenarios({
      protocol,
      scenarios: scenarios.filter((_, index) => index % 11 === 0),
      setting: { side: "runtime", command: reference },
      seed: 1,
    });
    expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
  });

  it.concurrent("conforms over HTTP in every sixth scenario, and validates documents there", async () => {
    const served = await live.serve({});
    try {
      const results = await playScenarios({
        protocol,
        scenarios: scenarios.filter((_, index) => index % 6 === 1),
        setting: { side: "runtime", url: served.url },
        seed: 1,
      });
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

  it.concurrent("violates the rule that a broken variant breaks, over stdio", async () => {
    const results = await playWith({ command: `${reference} breaks-AGF-LOOP-003` }, 60_000, 2);
    const accused = results.filter(({ outcome }) => outcome !== "conforms");
    expect(accused.map(({ rule, outcome }) => [rule, outcome])).toEqual([["AGF-LOOP-003", "violates"]]);
    expect(accused[0]?.trace?.at(-1)).toMatchObject({ from: "runtime", to: "suite" });
  });

  it.concurrent("may exit after each run", async () => {
    const echo = `if(m.run)say({done:{output:1}},setTimeout(()=>process.exit(0)))`;
    const results = await playWith({ command: program(echo) });
    expect(results.map(({ outcome }) => outcome)).not.toContain("errored");
    expect(results.find(({ rule }) => rule === "AGF-LOOP-003")?.outcome).toBe("violates");
  });

  it.concurrent("skips scenarios with policies that it declares unsupported", async () => {
    const results = await playWith({
      command: program(`say({error:{message:"no",unsupported:m.run.document.execution_policy.id}})`),
    });
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(["skipped"]));
  });
});

it("judges an endless run up to the point at which the suite stops it", async () => {
  const results = await playWith({ command: program(`say({id:Math.random(),agent:{name:"critic",input:{}}})`) });
  expect(results.find(({ rule }) => rule === "AGF-LOOP-003")).toMatchObject({
    outcome: "violates",
    why: expect.stringContaining("does not end"),
  });
});

describe("a runtime that breaks down", () => {
  const breakdowns: [description: string, command: string, outcome: "errored" | "timed-out", why: RegExp][] = [
    ["does not exist", "no-such-command-at-all", "errored", /is gone/],
    ["exits immediately", `${node} -e 0`, "errored", /is gone: it exited with code 0/],
    ["crashes on a run", program("throw new Error('no luck')"), "errored", /no luck/],
    [
      "crashes on an answer",
      program(`if(m.run)say({id:1,model:{messages:[]}}),say({id:2,agent:{name:"a"}});else process.exit(3)`),
      "errored",
      /code 3|has/,
    ],
    ["writes text other than JSON", program("console.log('running …')"), "errored", /not a JSON object: running …/],
    ["writes an unknown message", program("say({progress:1})"), "errored", /none of model, tool/],
    [
      "repeats the id of a call",
      program(`if(m.run)say({id:1,agent:{name:"a"}});else say({id:1,agent:{name:"a"}})`),
      "errored",
      /earlier call/,
    ],
    [
      "ends each run thousands of times",
      program("process.stdout.write((JSON.stringify({done:{output:1}})+String.fromCharCode(10)).repeat(5000))"),
      "errored",
      /floods|the run is over/,
    ],
    ["hangs", program(""), "timed-out", /did not end within|neither calls nor ends/],
    ["never closes", `${node} -e "setInterval(()=>{},1000)"`, "timed-out", /did not end within|neither calls nor ends/],
  ];
  it.concurrent.each(breakdowns)("is reported with the cause if it %s", async (_, command, outcome, why) => {
    const results = await playWith({ command }, outcome === "timed-out" ? 500 : 60_000, 2);
    const expectedResults = results.filter((result) => result.outcome === outcome);
    expect(expectedResults.length).toBeGreaterThan(0);
    expect(expectedResults[0]).toMatchObject({
      stage: expect.stringMatching(/^(?:answer|play)$/),
      why: expect.stringMatching(why),
    });
  });

  it.concurrent.each([0, 1, 5, 12])(
    "is errored, and violates nothing, if its hooks fail after %i reads",
    async (workingReads) => {
      const { setting, close } = await live.open();
      const { tell, hear } = setting.hooks as Record<string, (input: object) => object>;
      let hearCount = 0;
      const failHook = async (): Promise<never> => {
        throw new Error("out of order");
      };
      const hooks = {
        tell: (input: object) => (hearCount > workingReads ? failHook() : tell?.(input)),
        hear: (input: object) => (++hearCount > workingReads ? failHook() : hear?.(input)),
      };
      try {
        const results = await playWith({ hooks } as Setting, 60_000, 2);
        expect(results.map(({ outcome }) => outcome)).toContain("errored");
        expect(results.map(({ outcome }) => outcome)).not.toContain("violates");
      } finally {
        await close();
      }
    },
  );
});
