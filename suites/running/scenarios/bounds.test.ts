import { expect, it } from "vitest";
import { protocolNamed } from "../../../schemas/index.ts";
import { boundsIn, mustBeBounds, sharedBound } from "./bounds.ts";
import { requestedWait } from "./pace.ts";

const ahcp = protocolNamed("ahcp");
const place = async (at: string): Promise<string> => at;

it("combines the bounds of a protocol with the shared ones, and replaces defaults with configured values", async () => {
  expect(await boundsIn(ahcp, { expiry: 3 })).toMatchObject({ expiry: 3, "first-push": 120, answer: 10 });
  expect(await boundsIn(protocolNamed("agentformat"))).toEqual({ call: 10, silence: 9, answer: 10, busy: 120 });
});

it("rejects an unknown bound, and locates it", async () => {
  await expect(mustBeBounds([ahcp], { expiry: 3, answer: 1 }, place)).resolves.toBeUndefined();
  await expect(mustBeBounds([ahcp], { expriy: 3 }, place)).rejects.toThrow(
    /^\/bounds\/expriy: unknown time limit "expriy"\n {2}did you mean "expiry"\?/,
  );
});

it("limits the wait for a busy server, by default or as configured", () => {
  expect(sharedBound({}, "busy")).toBe(120_000);
  const configuredBound = sharedBound({ bounds: { busy: 30 } }, "busy");
  const busy = { status: 429, headers: { "retry-after": "60" }, json: undefined };
  expect(requestedWait(busy, 0, undefined, configuredBound)).toBeUndefined();
  expect(requestedWait(busy, 0)).toBe(60_100);
});
