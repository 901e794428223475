import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { type Hook, type JsonObject, protocolNamed, type Result } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { scenarios as allScenarios } from "./index.ts";

type Answer = [status: number, body: JsonObject];

/** Plays one scenario against a hub that answers each request by its body and path. */
async function playWith(
  scenario: string,
  answer: (text: string, path: string) => Answer,
  resolve?: Hook,
): Promise<Result[]> {
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const [status, body] = answer((await request.toArray()).join(""), request.url ?? "");
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const hooks = resolve === undefined ? {} : { hooks: { resolve } };
  const setting = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...hooks };
  const scenarios = allScenarios.filter(({ name }) => name === scenario);
  try {
    return await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1, holdsExchanges: false });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const summarize = (results: Result[]) => results.map(({ rule, outcome, why }) => [rule, outcome, why?.slice(0, 43)]);

it("reports a hub that refuses 1.0 for an integer", async () => {
  const refusal = { error: { code: "invalid_field", message: "no integer" } };
  const results = await playWith("forms-defaults", (text) =>
    /"n":\d+\.0/.test(text) ? [422, refusal] : [202, { id: "m1", status: "open" }],
  );
  expect(summarize(results)).toEqual([["AHCP-ENV-024", "violates", "the default 1.0 for an integer is refused: "]]);
});

/** Plays forms-answers against a hub that compares numbers by their digits. `accepts` decides which asks it accepts. */
async function resultsOfLiteralHub(accepts: (text: string) => boolean): Promise<Result[]> {
  const forms: string[] = [];
  const answer = (text: string, path: string): Answer => {
    if (path !== "/v1/messages") return [200, { id: path.split("/")[3] ?? "", status: "answered" }];
    if (!accepts(text)) return [422, { error: { code: "invalid_field", message: "no form" } }];
    return [202, { id: `m${forms.push(text) - 1}`, status: "open" }];
  };
  const resolve: Hook = async ({ id, value }) => {
    const form = forms[Number(String(id).slice(1))] ?? "";
    const { n = null } = value as JsonObject;
    const isListed = !form.includes('"mode":"input"') || form.includes('"enum":[1,2]') || typeof n !== "number";
    return { applied: isListed };
  };
  return playWith("forms-answers", answer, resolve);
}

it("reports a hub that refuses 1 if a form offers 1.0, but skips if it does not accept such forms", async () => {
  expect(summarize(await resultsOfLiteralHub(() => true))).toEqual([
    ["AHCP-ASK-009", "violates", "the answer 1 to a form with the enum [1.0,2"],
  ]);
  // Match the number 1.0, not a part of a time.
  const results = await resultsOfLiteralHub((text) => !/[[:,]1\.0[,\]}]/.test(text));
  expect(results.map(({ rule, outcome }) => [rule, outcome])).toEqual([["AHCP-ASK-009", "skipped"]]);
});
