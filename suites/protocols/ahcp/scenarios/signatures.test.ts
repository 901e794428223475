import { expect, it } from "vitest";
import { protocolNamed, type Result } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../scenarios/run.ts";
import type { HubOptions } from "../reference/hub/start.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios as all } from "./index.ts";

async function played(name: string, options: HubOptions): Promise<Result[]> {
  const { setting, close } = await hubEnvironment(options);
  const scenarios = all.filter((each) => each.name === name);
  try {
    return await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
  } finally {
    await close();
  }
}

it("padding of a signature is warned of where a published example is signed, too", async () => {
  const [padded] = await played("signatures-fixture", { policy: { sample: (header) => `${header}=` } });
  expect(padded).toMatchObject({ rule: "AHCP-SIG-010", outcome: "warns" });
  const [other] = await played("signatures-fixture", { policy: { sample: (header) => `${header}x` } });
  expect(other).toMatchObject({ rule: "AHCP-SIG-010", outcome: "violates" });
});

it("where no push verifies, the finer rules are skipped for that reason", async () => {
  const results = await played("signatures-context", { variant: "breaks-AHCP-SIG-003" });
  const others = results.filter(({ rule }) => rule !== "AHCP-SIG-003");
  expect(others.map(({ outcome, why }) => [outcome, why])).toEqual(
    Array(3).fill(["skipped", "the plainest push does not verify, so that nothing finer can be judged"]),
  );
});

it("an algorithm that is not published is not named as if it were known", async () => {
  const long = (headers: Record<string, string>): Record<string, string> => ({
    ...headers,
    "ahcp-signature": headers["ahcp-signature"]?.replace(/v1=.*$/, `v1=${"A".repeat(86)}`) ?? "",
  });
  const policy = {
    headers: long,
    reply: (reply: object) => {
      const { body } = reply as { body?: { signature_algs?: string[] } };
      return body?.signature_algs === undefined
        ? reply
        : { ...reply, body: { ...body, signature_algs: ["hmac-sha256"] } };
    },
  } as HubOptions["policy"];
  const results = await played("signatures-always", policy === undefined ? {} : { policy });
  expect(results.find(({ rule }) => rule === "AHCP-SIG-006")).toMatchObject({
    outcome: "violates",
    why: "v1 has 64 bytes, as ed25519 makes them, which the hub does not publish",
  });
});
