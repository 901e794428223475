import { expect, it } from "vitest";
import { isObject, protocolNamed, type Scenario } from "../../../../schemas/index.ts";
import { nameOf } from "../../../packs/reference/mistakes.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import type { HubPolicy } from "../reference/hub/hub.ts";
import { fault } from "../reference/hub/reply.ts";
import { hubVariants } from "../reference/hub/variants/index.ts";
import { hubEnvironment } from "../reference/live.ts";
import { messagesLeftOpen } from "./inbox-room.ts";
import { scenarios as all } from "./index.ts";
import { ask } from "./messages.ts";
import { cancel, read, resolveMessage, submit } from "./steps.ts";

it("close the open messages of earlier ones if the hub's inbox is full", async () => {
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

it("find an inbox with less room than its hub publishes, although others have left messages open", async () => {
  const variant = hubVariants.find((hubVariant) => nameOf(hubVariant) === "breaks-AHCP-LIM-005-depth");
  const { setting, close } = await hubEnvironment({ limits: { inboxDepth: 60 }, policy: variant?.policy ?? {} });
  const scenarios = all.filter(({ name }) =>
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
  ["right", undefined, ["AHCP-LIM-002 conforms", "AHCP-LIM-005 conforms"]],
  ["less deep than it says", "breaks-AHCP-LIM-005-depth", ["AHCP-LIM-002 conforms", "AHCP-LIM-005 violates"]],
  ["full without a time to come again", "breaks-AHCP-LIM-002", ["AHCP-LIM-002 warns"]],
])("find the depth of an inbox if it is the only published limit: %s", async (_, variant, expectedOutcome) => {
  const mistake = hubVariants.find((hubVariant) => nameOf(hubVariant) === variant)?.policy;
  const policy: Partial<HubPolicy> = {
    ...mistake,
    reply(answer, route) {
      const { body, ...head } = mistake?.reply?.(answer, route) ?? answer;
      if (route.route !== "capability" || !isObject(body)) return body === undefined ? head : { ...head, body };
      return { ...head, body: { ...body, rate_limit: { inbox_depth: 20 } } };
    },
  };
  const { setting, close } = await hubEnvironment({ limits: { inboxDepth: 20 }, policy });
  const scenarios = all.filter(({ name }) => name === "limits-depth");
  try {
    const results = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    expect(results.map(({ rule, outcome }) => `${rule} ${outcome}`)).toEqual(expect.arrayContaining(expectedOutcome));
  } finally {
    await close();
  }
});

it("reports nothing if a scenario needs more open messages than the hub publishes", async () => {
  const { setting, close } = await hubEnvironment({ limits: { inboxDepth: 1 } });
  const scenarios = all.filter(({ name }) => name === "envelope-client-ref");
  try {
    const [result] = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    const why = "it accepts more open messages than the 1 that the hub publishes as its inbox_depth";
    expect(result).toMatchObject({ outcome: "skipped", why });
  } finally {
    await close();
  }
});

it("reports the same for a hub that counts messages deleted while open", async () => {
  const policy: Partial<HubPolicy> = {
    refuseContent({ type }, { store }) {
      const open = [...store.entries.values()].filter(({ status }) => status === "open");
      if (type === "notify" || open.length < 3) return undefined;
      return fault("rate_limited", "the inbox is full", {}, { "retry-after": "0" });
    },
  };
  const { setting, close } = await hubEnvironment({ limits: { inboxDepth: 3 }, policy });
  const scenarios = ["reading-deleted", "expiry-default"].flatMap((each) => all.filter(({ name }) => name === each));
  try {
    const results = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    expect(results[0]).toMatchObject({ outcome: "conforms" });
    expect(results.at(-1)).toMatchObject({ outcome: "skipped", why: expect.stringContaining("its inbox_depth") });
  } finally {
    await close();
  }
});

it("report once that others have filled the inbox, and then play nothing that needs room there", async () => {
  const { setting, close } = await hubEnvironment({ limits: { inboxDepth: 3 } });
  const filling: Scenario = {
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
  const scenarios = [filling, ...names.flatMap((each) => all.filter(({ name }) => name === each))];
  try {
    const results = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    expect(results.slice(1).map(({ outcome }) => outcome)).toEqual(["errored", "conforms", "skipped"]);
    const why = expect.stringContaining("such as the vectors of a run");
    expect([results[1], results[3]]).toEqual([expect.objectContaining({ why }), expect.objectContaining({ why })]);
  } finally {
    await close();
  }
});

it("ends no message again that was seen to have ended", async () => {
  const { setting, close } = await hubEnvironment();
  const left: number[] = [];
  const ending: Scenario = {
    name: "ending",
    says: "messages end in two ways",
    rules: ["AHCP-LIM-002"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const one = await submit(context, ask(context));
      const other = await submit(context, ask(context));
      left.push(messagesLeftOpen(context).length);
      await cancel(context, one.id);
      left.push(messagesLeftOpen(context).length);
      await read(context, other.id);
      left.push(messagesLeftOpen(context).length);
      await resolveMessage(context, other.id);
      left.push(messagesLeftOpen(context).length);
    },
  };
  try {
    await playScenarios({ protocol: protocolNamed("ahcp"), scenarios: [ending], setting, seed: 1 });
    expect(left).toEqual([2, 1, 1, 0]);
  } finally {
    await close();
  }
});
