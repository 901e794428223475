import { expect, it } from "vitest";
import { documentNamed, protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { httpTarget } from "../../../targets/http.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("aaep");
const document = documentNamed(protocol, "subscription.request");
const leavingScenarios = scenarios.filter(({ name }) => /^(?:gone-by-|nobody-to-answer)/.test(name));

it("reports no violation for a producer that still waits for the streams of earlier subscriptions", {
  timeout: 120_000,
}, async () => {
  const { setting, close } = await live.open({ side: "producer", variant: "lenient" });
  const target = httpTarget({
    url: String(setting.url),
    headers: { authorization: `Bearer ${setting.credentials?.a?.token}` },
  });
  try {
    await target.open(protocol);
    const capabilities = { supports_confirmation_reply: true };
    const data = { type: "subscription.request", aaep_version: "1.0.0", subscriber_id: "quay-reader", capabilities };
    const question = { document, data, keep: [], seed: 1 };
    const answers = [1, 2].map(() => target.check(question, AbortSignal.timeout(5000)));
    expect((await Promise.all(answers)).map(({ verdict }) => verdict)).toEqual(["accepted", "accepted"]);

    const results = await playScenarios({ protocol, scenarios: leavingScenarios, setting, seed: 7 });
    expect(results.map(({ rule, outcome, why }) => [rule, outcome, why])).toEqual([
      ["AAEP-TMO-005", "conforms", undefined],
      ["AAEP-TRN-006", "conforms", undefined],
      ["AAEP-HS-023", "conforms", undefined],
      ["AAEP-TRN-006", "conforms", undefined],
      ["AAEP-TMO-006", "conforms", undefined],
      // It writes types in full, which is discouraged.
      ["AAEP-ENV-009", "warns", expect.stringContaining("instead of")],
    ]);
  } finally {
    await target.close();
    await close();
  }
});
