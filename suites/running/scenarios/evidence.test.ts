import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { protocolNamed, type Result, type ScenarioContext, type Setting } from "../../../schemas/index.ts";
import { createHider } from "../../base/secrets/index.ts";
import { boundResult } from "../../results/reason-text.ts";
import { playScenarios } from "./run.ts";

const protocol = protocolNamed("ahcp");
const rule = "AHCP-VER-002";

/** Plays one scenario against a server that answers each request with its path, except under /held. */
async function resultOf(play: (context: ScenarioContext) => Promise<void>, settingMembers: Partial<Setting> = {}) {
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/held") !== true) response.end(JSON.stringify(request.url));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const scenarios = [{ name: "story", says: "says", rules: [rule], needs: [], withinMs: 5000, play }];
  try {
    const [result] = await playScenarios({ protocol, scenarios, setting: { url, ...settingMembers }, seed: 1 });
    return boundResult(result as Result, createHider([]));
  } finally {
    await new Promise((done) => server.close(done));
  }
}

const get = (path: string) => ({ method: "GET", path });
const decisivePaths = ({ exchanges = [] }: Result) =>
  exchanges.filter((exchange) => exchange.decisive === true).map(({ request }) => new URL(request.url).pathname);
const hooks = { clock: () => ({ now: "2026-01-15T09:30:00Z" }), resolve: () => ({ applied: true }) };

it("marks the target's last answer as decisive, even if hooks were called later", async () => {
  const result = await resultOf(
    async (context) => {
      await context.send(get("/one"));
      await context.send(get("/two"));
      await context.hook("resolve", { id: "m" });
      context.expect(rule, false, "is wrong");
    },
    { hooks },
  );
  expect(decisivePaths(result)).toEqual(["/two"]);
  const decisiveTexts = result.trace?.filter((sent) => sent.decisive === true).map(({ text }) => text);
  expect(decisiveTexts).toEqual(['HTTP 200\n"/two"']);
});

it("marks the answer that the scenario names, even if it is too old to be kept", async () => {
  for (const [count, shownCount] of [
    [2, ["/it", "/1", "/2"]],
    [30, ["/it", "/26", "/27", "/28", "/29", "/30"]],
  ] as const) {
    const result = await resultOf(
      async (context) => {
        const reply = await context.send(get("/it"));
        for (let number = 1; number <= count; number++) await context.send(get(`/${number}`));
        await context.hook("resolve", { id: "m" });
        context.expect(rule, false, "is wrong", "MUST", reply);
      },
      { hooks },
    );
    expect(result.exchanges?.map(({ request }) => new URL(request.url).pathname)).toEqual(shownCount);
    expect(decisivePaths(result)).toEqual(["/it"]);
    expect(result.trace?.find((sent) => sent.decisive === true)?.text).toBe('HTTP 200\n"/it"');
  }
});

it("marks the named request to a callback", async () => {
  const result = await resultOf(async (context) => {
    const callback = await context.callback([200]);
    await fetch(callback.url, { method: "POST", body: "first" });
    await fetch(callback.url, { method: "POST", body: "second" });
    await context.send(get("/later"));
    context.expect(rule, false, "is wrong", callback.arrivals[0]);
  });
  const decisiveExchanges = result.exchanges?.filter((exchange) => exchange.decisive === true);
  expect(decisiveExchanges?.map(({ request, incoming }) => [request.body, incoming])).toEqual([["first", true]]);
});

it("marks the named result of a hook and no answer of the target", async () => {
  const result = await resultOf(
    async (context) => {
      await context.send(get("/one"));
      const returned = await context.hook("resolve", { id: "m" });
      await context.send(get("/two"));
      context.expect(rule, false, "is wrong", { returned });
    },
    { hooks },
  );
  const decisiveTexts = result.trace?.filter((sent) => sent.decisive === true).map(({ text }) => text);
  expect(decisiveTexts).toEqual(['resolve\n{"applied":true}']);
  expect(decisivePaths(result)).toEqual([]);
});

it("marks every named message with its answer, even if they are too old to be kept", async () => {
  const result = await resultOf(
    async (context) => {
      const [firstAnswer, secondAnswer] = [await context.send(get("/one")), await context.send(get("/two"))];
      const returned = await context.hook("resolve", { id: "m" });
      for (let number = 1; number <= 30; number++) await context.send(get(`/${number}`));
      context.expect(rule, false, "is wrong", firstAnswer, { returned }, secondAnswer);
    },
    { hooks },
  );
  const decisiveTexts = result.trace?.filter((sent) => sent.decisive === true).map(({ text }) => text);
  expect(decisiveTexts).toEqual([
    "GET /one",
    'HTTP 200\n"/one"',
    "GET /two",
    'HTTP 200\n"/two"',
    'resolve\n{"id":"m"}',
    'resolve\n{"applied":true}',
  ]);
  expect(result.trace).toHaveLength(24);
  const paths = result.exchanges?.map(({ request }) => new URL(request.url).pathname);
  expect(paths).toEqual(["/one", "/two", "/27", "/28", "/29", "/30"]);
  expect(decisivePaths(result)).toEqual(["/one", "/two"]);
});

it("marks a request without an answer if part of it is named", async () => {
  const result = await resultOf(async (context) => {
    await context.send(get("/one"));
    context.send(get("/held?wait=600")).catch(() => {});
    context.expect(rule, false, "is wrong", { texts: ["?wait=600"] });
  });
  expect(result.exchanges?.map(({ response }) => response?.status)).toEqual([200, undefined]);
  expect(decisivePaths(result)).toEqual(["/held"]);
});

it("shows the agent that sent each request", async () => {
  const credentials = { a: { agent: "bot", token: "t" }, b: { agent: "other", apikey: "k" } };
  const result = await resultOf(
    async (context) => {
      for (const as of ["a", "b", "nobody"] as const) await context.send({ ...get(`/${as}`), as });
      await context.hook("resolve", { id: "m" });
      context.expect(rule, false, "is wrong");
    },
    { credentials, hooks },
  );
  expect(result.exchanges?.map(({ as }) => as)).toEqual(["bot", "other", "nobody"]);
  const requestTexts = result.trace
    ?.filter(({ from, to }) => from === "touchstone" && to !== "hook")
    .map(({ text }) => text);
  expect(requestTexts).toEqual(["GET /a (as bot)", "GET /b (as other)", "GET /nobody (as nobody)"]);
});

it("marks the last message with each named text, in order, including calls of hooks about it", async () => {
  const messageOfTarget = (text: string) => ({ from: "target", to: "touchstone", text });
  const result = await resultOf(
    async (context) => {
      for (const text of ["one s_1", "two s_1", "far"]) context.record(messageOfTarget(text));
      for (let number = 1; number <= 30; number++) context.record(messageOfTarget(`${number} of s_2`));
      await context.hook("resolve", { session_id: "s_1" });
      context.record(messageOfTarget("a control"));
      context.expect(rule, false, "is wrong", { texts: ["s_1", "far", "30 of", "never said"] });
    },
    { hooks },
  );
  const decisiveTexts = result.trace?.filter((sent) => sent.decisive === true).map(({ text }) => text);
  expect(decisiveTexts).toEqual(["far", "30 of s_2", 'resolve\n{"applied":true}']);
  expect(result.trace?.[0]?.text).toBe("far");
  expect(result.trace).toHaveLength(24);
  expect(result.trace?.at(-3)?.text).toBe('resolve\n{"session_id":"s_1"}');
});

it("marks the last message of the target if no message contains a named text", async () => {
  const result = await resultOf(async (context) => {
    for (const from of ["target", "touchstone"]) context.record({ from, to: "other", text: `of ${from}` });
    context.expect(rule, false, "is wrong", { texts: ["never said"] });
  });
  expect(result.trace?.map(({ decisive }) => decisive)).toEqual([true, undefined]);
});

it("marks nothing if the scenario ended early", async () => {
  const result = await resultOf(async (context) => {
    await context.send(get("/one"));
    throw new Error("broken off");
  });
  expect(result.exchanges).toHaveLength(1);
  expect(decisivePaths(result)).toEqual([]);
});
