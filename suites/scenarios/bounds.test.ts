import { expect, it } from "vitest";
import { protocolNamed, type Scenario } from "../../schemas/index.ts";
import { boundsIn, mustBeBounds } from "./bounds.ts";
import { playScenarios } from "./run.ts";

const ahcp = protocolNamed("ahcp");
const place = async (at: string): Promise<string> => at;

it("bounds are those of the protocol and the shared ones, as the configuration sets them", async () => {
  expect(await boundsIn(ahcp, { expiry: 3 })).toMatchObject({ expiry: 3, "first-push": 120, answer: 10 });
  expect(await boundsIn(protocolNamed("agentformat"))).toMatchObject({ answer: 10, busy: 120 });
});

it("a bound that there is not is an error, with its place", async () => {
  await expect(mustBeBounds([ahcp], { expiry: 3, answer: 1 }, place)).resolves.toBeUndefined();
  await expect(mustBeBounds([ahcp], { expriy: 3 }, place)).rejects.toThrow(
    /^\/bounds\/expriy: there is no bound on time "expriy"\n {2}did you mean "expiry"\?/,
  );
});

it("an answer is waited for as long as is set", async () => {
  const { createServer } = await import("node:http");
  const server = createServer(() => {});
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  const asking: Scenario = {
    ...{ name: "asking", says: "it answers", rules: ["AHCP-GET-005"], needs: [], withinMs: 5000 },
    async play(context) {
      await context.send({ method: "GET", path: "/v1/messages/x" });
    },
  };
  const setting = { url: `http://127.0.0.1:${port}`, bounds: { answer: 0.05 } };
  const begun = performance.now();
  const [result] = await playScenarios({ protocol: ahcp, scenarios: [asking], setting, seed: 1 });
  server.closeAllConnections();
  server.close();
  expect(result?.outcome).toBe("timed-out");
  expect(performance.now() - begun).toBeLessThan(3000);
});
