import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../scenarios/run.ts";
import { scenarios as all } from "./index.ts";

it("accuses a hub that refuses 1.0 for an integer, as it is written", async () => {
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).join("");
    const isRefused = /"n":\d+\.0/.test(text);
    response.writeHead(isRefused ? 422 : 202, { "content-type": "application/json" });
    const refusal = { error: { code: "invalid_field", message: "no integer" } };
    response.end(JSON.stringify(isRefused ? refusal : { id: "m1", status: "open" }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const setting = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const scenarios = all.filter(({ name }) => name === "forms-defaults");
  try {
    const results = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    expect(results.map(({ rule, outcome, why }) => [rule, outcome, why?.slice(0, 43)])).toEqual([
      ["AHCP-ENV-024", "violates", "the default 1.0 for an integer is refused: "],
    ]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
