import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../scenarios/run.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios as all } from "./index.ts";

it("end what earlier ones have left open where the hub's inbox is full", async () => {
  const { setting, close } = await hubEnvironment({ limits: { inboxDepth: 8 } });
  const names = [
    "versions-unknown-members",
    "envelope-client-ref",
    "envelope-good",
    "envelope-poll-url",
    "envelope-written",
    "resolvers-listed",
  ];
  const scenarios = all.filter(({ name }) => names.includes(name));
  try {
    const results = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    expect(results.map(({ outcome }) => outcome)).toEqual(
      scenarios.flatMap(({ rules }) => rules.map(() => "conforms")),
    );
  } finally {
    await close();
  }
});

it("says nothing where a scenario needs more open messages than the hub publishes", async () => {
  const { setting, close } = await hubEnvironment({ limits: { inboxDepth: 1 } });
  const scenarios = all.filter(({ name }) => name === "envelope-client-ref");
  try {
    const [result] = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    const why = "takes more open messages than the 1 that the hub publishes as its inbox_depth";
    expect(result).toMatchObject({ outcome: "skipped", why });
  } finally {
    await close();
  }
});
