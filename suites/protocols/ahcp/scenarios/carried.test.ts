import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { scenarios as allScenarios } from "./index.ts";

it("warns if a hub accepts only one spelling of the media type, and reports a crash on an unknown method", async () => {
  const server = createServer(({ method, url, headers }, response) => {
    const otherStatus = method === "GET" ? 200 : 500;
    const isSubmit = method === "POST" && url === "/v1/messages";
    const submitStatus = headers["content-type"] === "application/json" ? 202 : 415;
    response.writeHead(isSubmit ? submitStatus : otherStatus, { "content-type": "application/json" });
    response.end(method === "HEAD" ? undefined : JSON.stringify({ id: "m1", status: "open" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const setting = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const scenarios = allScenarios.filter(({ name }) => name === "envelope-carried");
  try {
    const results = await playScenarios({
      protocol: protocolNamed("ahcp"),
      scenarios,
      setting,
      seed: 1,
      holdsExchanges: false,
    });
    expect(results.map(({ rule, outcome, why }) => [rule, outcome, why?.slice(0, 60)])).toEqual([
      ["AHCP-ERR-003", "violates", "HEAD on a message crashes the hub: HTTP 500: "],
      ["AHCP-ENV-024", "warns", "a message of the type application/json with charset=utf-8 is"],
    ]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
