import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type JsonObject,
  protocolNamed,
  type Result,
  type Scenario,
  type ScenarioContext,
  type Setting,
} from "../../../schemas/index.ts";
import { playScenarios } from "./run.ts";

const protocol = protocolNamed("ahcp");
const must = "AHCP-VER-002";
const should = "AHCP-VER-003";
let server: Server;
let url = "";

beforeAll(async () => {
  // Answers with the credential that it received: /slow after a delay, /hangs never, and /breaks closes the connection.
  server = createServer((request, response) => {
    if (request.url === "/hangs") return;
    if (request.url === "/breaks") request.socket.destroy();
    else if (request.url === "/slow") setTimeout(() => response.end("{}"), 200);
    else response.end(JSON.stringify({ got: request.headers.authorization ?? "nothing" }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((done) => server.close(done));
});

async function playStory(
  play: (context: ScenarioContext) => Promise<void>,
  members: Partial<Scenario> = {},
  setting: Partial<Setting> = {},
): Promise<Result[]> {
  const scenario = { name: "story", says: "says", rules: [must, should], needs: [], withinMs: 5000, play, ...members };
  return playScenarios({ protocol, scenarios: [scenario], setting: { url, ...setting }, seed: 1 });
}

const get = (path: string) => ({ method: "GET", path });

describe("a scenario", () => {
  it("has one result for each rule, at the rule's level, with the exchanges that show it", async () => {
    const results = await playStory(async (context) => {
      await context.send(get("/"));
      context.expect(must, true, "");
      context.expect(must, false, "is wrong");
      context.expect(must, true, "");
      context.expect(should, false, "is poor");
    });
    expect(results).toMatchObject([
      {
        id: `ahcp/0.3/scenarios/story/${must}`,
        document: "scenarios",
        rule: must,
        outcome: "violates",
        why: "is wrong",
      },
      { rule: should, level: "SHOULD", outcome: "warns", why: "is poor", exchanges: [{ request: { method: "GET" } }] },
    ]);
  });

  it("may still send requests while it closes at its end", async () => {
    const answers: unknown[] = [];
    await playStory(async (context) => {
      context.closing(async () => void answers.push((await context.send(get("/"))).status));
      context.expect(must, true, "");
    });
    expect(answers).toEqual([200]);
  });

  it("sends no requests after its time is up, except while it closes", async () => {
    let resume = (): void => {};
    const closingBegins = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const sendLate = async (context: ScenarioContext): Promise<unknown> => {
      await closingBegins;
      return context.send(get("/")).then(
        ({ status }) => status,
        () => "not sent",
      );
    };
    const answers: unknown[] = [];
    const play = async (context: ScenarioContext): Promise<void> => {
      const story = sendLate(context);
      context.closing(async () => {
        resume();
        answers.push(await story, (await context.send(get("/"))).status);
      });
      await story;
    };
    await playStory(play, { withinMs: 50 });
    expect(answers).toEqual(["not sent", 200]);
  });

  it("shows calls of hooks in its trace, without secrets and without reads of the clock", async () => {
    const hooks = {
      resolve: () => ({ applied: true, token: "hush-hush" }),
      clock: () => ({ now: "2026-01-15T09:30:00Z" }),
    };
    const play = async (context: ScenarioContext): Promise<void> => {
      await context.hook("resolve", { id: "m", value: "Red" });
      await context.now();
      await context.send(get("/"));
      context.expect(must, false, "is wrong");
    };
    const [result] = await playStory(play, {}, { hooks });
    expect(result?.trace?.map(({ from, to, text }) => `${from} > ${to}: ${text}`)).toEqual([
      'touchstone > hook: resolve\n{"id":"m","value":"Red"}',
      expect.stringMatching(/^hook > touchstone: resolve\n\{"applied":true,"token":"\[.*\]"\}$/),
      "touchstone > target: GET /",
      expect.stringContaining("target > touchstone: HTTP 200"),
    ]);
    expect(result?.exchanges).toHaveLength(1);
  });

  it("shows the hook's own answer, and not how its status was interpreted", async () => {
    const hooks = { resolve: () => ({ became: "answered", applied: true, isSupposed: true }) };
    const play = async (context: ScenarioContext): Promise<void> => {
      expect(await context.hook("resolve", {})).toMatchObject({ applied: true, isSupposed: true });
      context.expect(must, false, "is wrong");
    };
    const [result] = await playStory(play, {}, { hooks });
    expect(result?.trace?.at(-1)?.text).toBe('resolve\n{"became":"answered"}');
  });

  it("conforms to a rule if all expectations hold, and skips a rule without expectations", async () => {
    const results = await playStory(async (context) => context.expect(must, true, ""));
    expect(results.map(({ outcome }) => outcome)).toEqual(["conforms", "skipped"]);
  });

  it("is skipped if a need is not met, with the reason", async () => {
    const results = await playStory(async () => expect.unreachable(), { needs: ["resolve", "second-credential"] });
    const why = 'needs the hook "resolve" and the credentials of two agents';
    expect(results).toMatchObject([
      { outcome: "skipped", why },
      { outcome: "skipped", why },
    ]);
  });

  it("is skipped if a hook cannot do its task", async () => {
    const hooks = { resolve: () => ({ skipped: "no agents here" }) };
    const play = async (context: ScenarioContext): Promise<void> => void (await context.hook("resolve", {}));
    const [result] = await playStory(play, {}, { hooks });
    expect(result).toMatchObject({ outcome: "skipped", why: expect.stringContaining("no agents here") });
  });

  it("errs if the target breaks down, even if a rule was kept or advice was breached before", async () => {
    const results = await playStory(async (context) => {
      context.expect(must, true, "");
      context.expect(should, false, "is poor");
      await context.send(get("/breaks"));
    });
    const exchanges = [{ request: { method: "GET", url: `${url}/breaks` } }];
    expect(results).toMatchObject([
      { outcome: "errored", stage: "answer", exchanges },
      { outcome: "errored", stage: "answer", exchanges },
    ]);
    expect(results[0]?.exchanges?.[0]).not.toHaveProperty("response");
  });

  it("times out if the target, the scenario or a hook hangs", async () => {
    const hangingResults = await playStory(async (context) => void (await context.send(get("/hangs"))), {
      withinMs: 200,
    });
    const exchanges = [{ request: { method: "GET", url: `${url}/hangs` } }];
    expect(hangingResults[0]).toMatchObject({ outcome: "timed-out", stage: "play", exchanges });
    const stuckResults = await playStory(() => new Promise(() => {}), { withinMs: 200 });
    expect(stuckResults[0]).toMatchObject({ outcome: "timed-out" });
    const hooks = { resolve: () => new Promise<never>(() => {}) };
    const play = async (context: ScenarioContext): Promise<void> => void (await context.hook("resolve", {}));
    const [hookResult] = await playStory(play, { withinMs: 200 }, { hooks });
    const why = expect.stringMatching(/^the hook "resolve" did not answer in \d+(\.\d)? s$/);
    expect(hookResult).toMatchObject({ outcome: "timed-out", stage: "hook", why });
  });

  it("does not time out while the target answers, however slowly", async () => {
    const play = async (context: ScenarioContext): Promise<void> => {
      for (let requestCount = 0; requestCount < 4; requestCount++) await context.send(get("/slow"));
      context.expect(must, true, "");
    };
    expect((await playStory(play, { withinMs: 500 }))[0]).toMatchObject({ outcome: "conforms" });
  });

  it("errs if the hook clock does not advance the clock", async () => {
    const play = async (context: ScenarioContext): Promise<void> => {
      await context.pass(3_600_000);
      context.expect(must, false, "nothing expired");
    };
    const stoppedClock = { clock: () => ({ now: "2026-01-01T00:00:00Z" }) };
    expect((await playStory(play, {}, { hooks: stoppedClock }))[0]).toMatchObject({
      outcome: "errored",
      stage: "hook",
    });
    let time = 0;
    const movingClock = {
      clock: ({ advanceMs = 0 }: JsonObject) => {
        time += Number(advanceMs);
        return { now: new Date(time).toISOString() };
      },
    };
    expect((await playStory(play, {}, { hooks: movingClock }))[0]).toMatchObject({ outcome: "violates" });
  });

  it("is announced when it begins, unless it is not played", async () => {
    const reportedNames: string[] = [];
    const play = async (context: ScenarioContext): Promise<void> => {
      reportedNames.push(context.fresh("plays"));
    };
    const story = (name: string, needs: Scenario["needs"] = []): Scenario => ({
      name,
      says: "says",
      rules: [must],
      needs,
      withinMs: 5000,
      play,
    });
    const onPlaying = (protocol: string, scenario: string): void => void reportedNames.push(`${protocol} ${scenario}`);
    const scenarios = [story("one"), story("two", ["restart"]), story("three")];
    await playScenarios({ protocol, scenarios, setting: { url }, seed: 1, onPlaying });
    expect(reportedNames).toEqual(["ahcp one", "plays-1-one-1", "ahcp three", "plays-1-three-1"]);
  });

  it("advances a clock by whole milliseconds", async () => {
    const advances: unknown[] = [];
    const clock = ({ advanceMs }: JsonObject): JsonObject => ({
      now: new Date(advances.push(advanceMs)).toISOString(),
    });
    await playStory((context) => context.pass(1687.5), {}, { hooks: { clock } });
    expect(advances).toEqual([1688]);
  });

  it("errs or is skipped if the hook profile does not switch the profile", async () => {
    const play = async (context: ScenarioContext): Promise<void> => context.expect(must, false, "in the wrong profile");
    const outcomeWith = async (reported: JsonObject) =>
      (await playStory(play, { needs: ["production"] }, { hooks: { profile: () => reported } }))[0];
    expect(await outcomeWith({ applied: false })).toMatchObject({ outcome: "errored", stage: "hook" });
    expect(await outcomeWith({ skipped: "never" })).toMatchObject({ outcome: "skipped" });
  });

  it("has no result if the run is aborted while it plays", async () => {
    const abortController = new AbortController();
    const play = async (context: ScenarioContext): Promise<void> => {
      setTimeout(() => abortController.abort(), 20);
      await context.send(get("/hangs"));
    };
    const scenario = { name: "story", says: "says", rules: [must], needs: [], withinMs: 5000, play };
    expect(
      await playScenarios({
        protocol,
        scenarios: [scenario],
        setting: { url },
        seed: 1,
        signal: abortController.signal,
      }),
    ).toEqual([]);
  });

  it("waits until a restarted target is back", async () => {
    const restartedServer = createServer((_, response) => response.end("{}"));
    await new Promise<void>((done) => restartedServer.listen(0, "127.0.0.1", done));
    const { port } = restartedServer.address() as AddressInfo;
    const restart = async (): Promise<JsonObject> => {
      await new Promise((done) => restartedServer.close(done));
      setTimeout(() => restartedServer.listen(port, "127.0.0.1"), 300);
      return { restarted: true };
    };
    const play = async (context: ScenarioContext): Promise<void> => {
      await context.hook("restart", {});
      context.expect(must, (await context.send(get("/"))).status === 200, "is gone");
    };
    const setting = { url: `http://127.0.0.1:${port}`, hooks: { restart } };
    expect((await playStory(play, {}, setting))[0]).toMatchObject({ outcome: "conforms" });
    restartedServer.closeAllConnections();
    restartedServer.close();
  });

  it("switches the target to the needed profile, and back at the end", async () => {
    const switches: unknown[] = [];
    const hooks = { profile: ({ profile = "" }: JsonObject) => ({ told: switches.push(profile) }) };
    const profilesSeen: unknown[] = [];
    const play = async (): Promise<void> => void profilesSeen.push(switches.at(-1));
    for (const profile of ["development", "production"] as const)
      for (const needed of ["development", "production"] as const)
        await playStory(play, { needs: [needed] }, { hooks, profile });
    expect(profilesSeen).toEqual([undefined, "production", "development", "production"]);
    expect(switches).toEqual(["production", "development", "development", "production"]);
  });

  it("sends credentials to the target, and hides them in results", async () => {
    const credentials = { a: { agent: "one", token: "a-secret-token" } };
    let receivedText = "";
    const play = async (context: ScenarioContext): Promise<void> => {
      receivedText = (await context.send(get("/"))).text;
      await context.send({ ...get("/"), as: "nobody" });
      context.expect(must, false, "is wrong");
    };
    const results = await playStory(play, {}, { credentials });
    expect(receivedText).toContain("Bearer a-secret-token");
    expect(JSON.stringify(results)).not.toContain("a-secret-token");
  });
});
