import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { protocolNamed, type Setting } from "../../../../../schemas/index.ts";
import { brokenServer } from "../../../../running/fuzz/target.fixture.ts";
import { playScenarios } from "../../../../running/scenarios/run.ts";
import { live } from "../../reference/live.ts";
import { scenarios as allScenarios } from "../index.ts";

const protocol = protocolNamed("aaep");
const jsonHeaders = { "content-type": "application/json" };

const isPost = ({ req }: ServerResponse): boolean => req.method === "POST";

/** Plays the scenarios with these names against a server that responds like this. */
async function playAgainst(names: RegExp, respond: (response: ServerResponse) => void, bounds?: Setting["bounds"]) {
  const { setting, close } = await live.open({ side: "producer" });
  const server = await brokenServer(respond);
  const scenarios = allScenarios.filter(({ name, side }) => side === "producer" && names.test(name));
  try {
    return await playScenarios({
      protocol,
      scenarios,
      seed: 1,
      setting: { ...setting, url: server.url, ...(bounds === undefined ? {} : { bounds }) },
    });
  } finally {
    server.close();
    await close();
  }
}

it.each<[answers: string, respond: (response: ServerResponse) => void]>([
  ["404 and an empty body", (response) => response.writeHead(404).end()],
  [
    "a page, and each POST with 501",
    (response) => response.writeHead(isPost(response) ? 501 : 200).end("<p>Hello</p>"),
  ],
  ["a redirection", (response) => response.writeHead(302, { location: "/login" }).end()],
  ["a page", (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>Hello</p>")],
  [
    "a JSON error that it is not found",
    (response) => response.writeHead(404, jsonHeaders).end('{"error":"not found"}'),
  ],
])("reports an error, not a violation, for a server that answers everything with %s", async (_, respond) => {
  const results = await playAgainst(/^(?:request-(?!with-collision)|terms-|consent-awaited)/, respond);
  expect(results.length).toBeGreaterThan(10);
  expect(results.filter(({ outcome, stage }) => outcome !== "errored" || stage !== "subscribe")).toEqual([]);
  expect(results[0]?.why).toMatch(/^no AAEP producer answers here; check the address/);
});

it.each<[answers: string, scenario: RegExp, wrongAnswerCount: number, status: number, expectedResult: string]>([
  [
    "every request with JSON that is not a message of the protocol",
    /^request-answered$/,
    99,
    200,
    "AAEP-HS-004 violates",
  ],
  ["only requests with capabilities of extensions with 501", /^request-with-ex/, 1, 501, "AAEP-EXT-008 violates"],
])("reports a violation if a producer answers %s", async (_, scenario, wrongAnswerCount, status, expectedResult) => {
  const accepted = { type: "subscription.accepted", subscription_id: "sub_1", aaep_version: "1.0.0" };
  let requests = 0;
  const results = await playAgainst(scenario, (response) => {
    requests += 1;
    if (requests <= wrongAnswerCount) response.writeHead(status, jsonHeaders).end("{}");
    else response.writeHead(201, jsonHeaders).end(JSON.stringify(accepted));
  });
  // Its acceptance lacks members, which the results of exchanges report.
  const scenarioResults = results.filter(({ id }) => !id.includes("/exchanges/"));
  expect(scenarioResults.map(({ rule, outcome }) => `${rule} ${outcome}`)).toEqual([expectedResult]);
});

it("reports a violation if a producer does not answer invalid requests", async () => {
  const rejected = { type: "subscription.rejected", reason_code: "unknown", reason_message: "No." };
  let requests = 0;
  const respond = (response: ServerResponse): void => {
    requests += 1;
    if (requests <= 4) response.writeHead(200, jsonHeaders).end(JSON.stringify(rejected));
  };
  const results = await playAgainst(/^request-answered$/, respond, { answer: 1 });
  expect(results.map(({ rule, outcome }) => `${rule} ${outcome}`)).toEqual(["AAEP-HS-004 violates"]);
  expect(results[0]?.why).toMatch(/^a request .* is not answered$/);
});
