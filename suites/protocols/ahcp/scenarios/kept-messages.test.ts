import { expect, it } from "vitest";
import { isObject, protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios as allScenarios } from "./index.ts";
import { describeOutcomeChange } from "./kept-messages.ts";

const expiredMessage = { status: "expired", response: { resolution_id: "r1", response: { actor: "system:expiry" } } };

it("describes the first change of an outcome", () => {
  expect(describeOutcomeChange(expiredMessage, { ...expiredMessage })).toBeUndefined();
  expect(describeOutcomeChange({ ...expiredMessage, status: "open" }, expiredMessage)).toBe(
    '/status was "expired" and is "open"',
  );
  const renamedOutcome = { ...expiredMessage, response: { ...expiredMessage.response, resolution_id: "r2" } };
  expect(describeOutcomeChange(renamedOutcome, expiredMessage)).toBe('/response/resolution_id was "r1" and is "r2"');
  const withValue = {
    ...expiredMessage,
    response: { ...expiredMessage.response, response: { actor: "system:expiry", value: "red" } },
  };
  expect(describeOutcomeChange(withValue, expiredMessage)).toBe('/response/response/value was null and is "red"');
});

it("skips AHCP-DUR-002 if outcomes change without a restart", async () => {
  let readCount = 0;
  const { setting, close } = await hubEnvironment({
    policy: {
      reply(reply, { route }) {
        if (route !== "read" || !isObject(reply.body) || reply.body.status !== "expired") return reply;
        const response = isObject(reply.body.response) ? reply.body.response : {};
        readCount += 1;
        return { ...reply, body: { ...reply.body, response: { ...response, resolution_id: `res_${readCount}` } } };
      },
    },
  });
  const scenarios = allScenarios.filter(({ name }) => name === "durability-deadlines");
  try {
    const results = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    expect(results[0]).toMatchObject({
      rule: "AHCP-DUR-002",
      outcome: "skipped",
      why: "an expired message changes without a restart, too",
    });
  } finally {
    await close();
  }
});
