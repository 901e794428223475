import { expect, it } from "vitest";
import { isObject, protocolNamed, type Scenario } from "../../../../schemas/index.ts";
import { variantNameOf } from "../../../packs/reference/mistakes.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import type { HubPolicy } from "../reference/hub/hub.ts";
import { fault } from "../reference/hub/reply.ts";
import { hubVariants } from "../reference/hub/variants/index.ts";
import { hubEnvironment } from "../reference/live.ts";
import { messagesLeftOpen } from "./inbox-room.ts";
import { scenarios as allScenarios } from "./index.ts";
import { ask } from "./messages.ts";
import { cancel, read, resolveMessage, submit } from "./steps.ts";

it("ends the open messages of earlier scenarios if the inbox of the hub is full", async () => {
  const { setting, close } = await hubEnvironment({ limits: { inboxDepth: 8 } });
  const scenarioNames = [
    "versions-unknown-members",
    "envelope-client-ref",
    "envelope-good",
    "envelope-poll-url",
    "envelope-written",
    "resolvers-listed",
  ];
  const scenarios = allScenarios.filter(({ name }) => scenarioNames.includes(name));
  try {
    const results = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    expect(results.map(({ outcome }) => outcome)).toEqual(
      scenarios.flatMap(({ rules }) => rules.map(() => "conforms")),
    );
  } finally {
    await close();
  }
});

it("reports an inbox with less room than published, although earlier scenarios left messages open", async () => {
  const variant = hubVariants.find((hubVariant) => variantNameOf(hubVariant) === "breaks-AHCP-LIM-005-depth");
  const { setting, close } = await hubEnvironment({ limits: { inboxDepth: 60 }, policy: variant?.policy ?? {} });
  const scenarios = allScenarios.filter(({ name }) =>
    ["envelope-client-ref", "envelope-written", "limits-depth"].includes(name),
  );
  try {
    const results = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    expect(results.find(({ rule }) => rule === "AHCP-LIM-005")).toMatchObject({ outcome: "violates" });
  } finally {
    await close();
  }
});

it.each([
  ["correct", undefined, ["AHCP-LIM-002 conforms", "AHCP-LIM-005 conforms"]],
  ["smaller than published", "breaks-AHCP-LIM-005-depth", ["AHCP-LIM-002 conforms", "AHCP-LIM-005 violates"]],
  ["full without a Retry-After", "breaks-AHCP-LIM-002", ["AHCP-LIM-002 warns"]],
])("tests the published depth of an inbox if no other limit is published: %s", async (_, variant, expectedOutcome) => {
  const variantPolicy = hubVariants.find((hubVariant) => variantNameOf(hubVariant) === variant)?.policy;
  const policy: Partial<HubPolicy> = {
    ...variantPolicy,
    reply(answer, route) {
      const { body, ...head } = variantPolicy?.reply?.(answer, route) ?? answer;
      if (route.route !== "capability" || !isObject(body)) return body === undefined ? head : { ...head, body };
      return { ...head, body: { ...body, rate_limit: { inbox_depth: 20 } } };
    },
  };
  const { setting, close } = await hubEnvironment({ limits: { inboxDepth: 20 }, policy });
  const scenarios = allScenarios.filter(({ name }) => name === "limits-depth");
  try {
    const results = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    expect(results.map(({ rule, outcome }) => `${rule} ${outcome}`)).toEqual(expect.arrayContaining(expectedOutcome));
  } finally {
    await close();
  }
});

it("skips a scenario that needs more open messages than the hub publishes", async () => {
  const { setting, close } = await hubEnvironment({ limits: { inboxDepth: 1 } });
  const scenarios = allScenarios.filter(({ name }) => name === "envelope-client-ref");
  try {
    const [result] = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    const why = "it accepts more open messages than the 1 that the hub publishes as its inbox_depth";
    expect(result).toMatchObject({ outcome: "skipped", why });
  } finally {
    await close();
  }
});

it("skips such a scenario if the hub counts deleted messages as open", async () => {
  const policy: Partial<HubPolicy> = {
    refuseContent({ type }, { store }) {
      const openEntries = [...store.entries.values()].filter(({ status }) => status === "open");
      if (type === "notify" || openEntries.length < 3) return undefined;
      return fault("rate_limited", "the inbox is full", {}, { "retry-after": "0" });
    },
  };
  const { setting, close } = await hubEnvironment({ limits: { inboxDepth: 3 }, policy });
  const scenarios = ["reading-deleted", "expiry-default"].flatMap((scenarioName) =>
    allScenarios.filter(({ name }) => name === scenarioName),
  );
  try {
    const results = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    expect(results[0]).toMatchObject({ outcome: "conforms" });
    expect(results.at(-1)).toMatchObject({ outcome: "skipped", why: expect.stringContaining("its inbox_depth") });
  } finally {
    await close();
  }
});

it("reports a full inbox as an error once, then skips other scenarios that need to submit messages", async () => {
  const { setting, close } = await hubEnvironment({ limits: { inboxDepth: 3 } });
  const fillingScenario: Scenario = {
    name: "filling",
    says: "others fill the inbox",
    rules: ["AHCP-LIM-002"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      for (let count = 0; count < 3; count++)
        await context.send({ method: "POST", path: "/v1/messages", body: ask(context) });
    },
  };
  const names = ["envelope-client-ref", "reading-notify", "reading-again"];
  const scenarios = [
    fillingScenario,
    ...names.flatMap((scenarioName) => allScenarios.filter(({ name }) => name === scenarioName)),
  ];
  try {
    const results = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    expect(results.slice(1).map(({ outcome }) => outcome)).toEqual(["errored", "conforms", "skipped"]);
    const why = expect.stringContaining("such as the vectors of a run");
    expect([results[1], results[3]]).toEqual([expect.objectContaining({ why }), expect.objectContaining({ why })]);
  } finally {
    await close();
  }
});

it("no longer counts a message as open if an answer or a read shows that it has ended", async () => {
  const { setting, close } = await hubEnvironment();
  const openCounts: number[] = [];
  const endingScenario: Scenario = {
    name: "ending",
    says: "messages end in two ways",
    rules: ["AHCP-LIM-002"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const cancelledAsk = await submit(context, ask(context));
      const answeredAsk = await submit(context, ask(context));
      openCounts.push(messagesLeftOpen(context).length);
      await cancel(context, cancelledAsk.id);
      openCounts.push(messagesLeftOpen(context).length);
      await read(context, answeredAsk.id);
      openCounts.push(messagesLeftOpen(context).length);
      await resolveMessage(context, answeredAsk.id);
      openCounts.push(messagesLeftOpen(context).length);
    },
  };
  try {
    await playScenarios({ protocol: protocolNamed("ahcp"), scenarios: [endingScenario], setting, seed: 1 });
    expect(openCounts).toEqual([2, 1, 1, 0]);
  } finally {
    await close();
  }
});
