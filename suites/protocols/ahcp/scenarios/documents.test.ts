import { expect, it } from "vitest";
import { isObject, protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/index.ts";
import type { HubPolicy } from "../reference/hub/hub.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios } from "./index.ts";

it("reports two unrelated violations in one document, neither as a consequence", async () => {
  const policy: Partial<HubPolicy> = {
    // Answers lose their value, the body contains a digest, and a confirm accepts any answer.
    envelope: (envelope) => {
      const { value, ...inner } = isObject(envelope.response) ? envelope.response : {};
      return { ...envelope, payload_sha256: "0", response: inner };
    },
    checksAnswer: () => false,
  };
  const { setting, close } = await hubEnvironment({ policy });
  try {
    const results = await playScenarios({
      protocol: protocolNamed("ahcp"),
      seed: 1,
      setting,
      scenarios: scenarios.filter(({ name }) => /^(answers-|documents-read)/.test(name)),
    });
    const readResults = results.filter(({ id }) => id.includes("/documents-read/"));
    const violations = readResults.flatMap(({ rule, outcome, follows }) =>
      outcome === "violates" ? [[rule, follows]] : [],
    );
    expect(violations).toEqual([
      ["AHCP-RSP-011", undefined],
      ["AHCP-RSP-017", undefined],
    ]);
  } finally {
    await close();
  }
});
