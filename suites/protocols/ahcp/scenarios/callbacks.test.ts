import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type JsonObject, protocolNamed, type Result, type Setting } from "../../../../schemas/index.ts";
import { unmetNeeds } from "../../../running/scenarios/needs.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import type { HubOptions } from "../reference/hub/start.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios as allScenarios } from "./index.ts";

const protocol = protocolNamed("ahcp");

/** Plays these scenarios against a hub, with a changed setting. Returns the results by rule. */
async function playWith(
  names: readonly string[],
  options: HubOptions,
  change: (setting: Setting) => Setting = (setting) => setting,
): Promise<Record<string, Result>> {
  const { setting, close } = await hubEnvironment(options);
  const scenarios = allScenarios.filter(({ name }) => names.includes(name));
  try {
    const results = await playScenarios({ protocol, scenarios, setting: change(setting), seed: 1 });
    return Object.fromEntries(results.map((result) => [result.rule, result]));
  } finally {
    await close();
  }
}

/** The setting without these hooks. */
function withoutHooks({ hooks = {}, ...setting }: Setting, ...names: string[]): Setting {
  return { ...setting, hooks: Object.fromEntries(Object.entries(hooks).filter(([name]) => !names.includes(name))) };
}

describe("scenarios about callbacks", () => {
  it("read secrets and keys from the configuration as well as from hooks", async () => {
    const reference = "vault://elsewhere/1";
    const results = await playWith(
      ["signatures-context", "delivery-token"],
      { vault: { [reference]: "s€cret" } },
      (setting) => ({
        ...withoutHooks(setting, "secret", "key"),
        callbackAuth: { hmac: { reference, secret: "s€cret" } },
      }),
    );
    for (const rule of ["AHCP-SIG-003", "AHCP-SIG-004", "AHCP-SIG-005", "AHCP-SIG-007"])
      expect(results[rule]?.outcome, rule).toBe("conforms");
    expect(results["AHCP-DLV-011"]).toMatchObject({ outcome: "skipped", why: expect.stringContaining("bearer") });
    const withWrongSecret = await playWith(["signatures-context"], { vault: { [reference]: "other" } }, (setting) => ({
      ...withoutHooks(setting, "secret", "key"),
      callbackAuth: { hmac: { reference, secret: "s€cret" } },
    }));
    expect(withWrongSecret["AHCP-SIG-003"]?.outcome).toBe("violates");
  });

  it("do not mistake an attempt before a restart for one that survived the restart", async () => {
    const results = await playWith(
      ["durability-pushes"],
      { variant: "breaks-AHCP-DUR-004", timeScale: 0.002 },
      ({ hooks = {}, ...setting }) => {
        const restart = hooks.restart as (input: JsonObject) => Promise<JsonObject>;
        // Long enough for the next attempt.
        const delayedRestart = async (input: JsonObject): Promise<JsonObject> => sleep(400).then(() => restart(input));
        return { ...setting, hooks: { ...hooks, restart: delayedRestart } };
      },
    );
    expect(["violates", "skipped"]).toContain(results["AHCP-DUR-004"]?.outcome);
  });

  it("report the received pushes as exchanges", async () => {
    const results = await playWith(["delivery-push", "signatures-attempts"], { variant: "breaks-AHCP-SIG-008" });
    expect(results["AHCP-SIG-008"]?.outcome).toBe("violates");
    const pushes = results["AHCP-SIG-008"]?.exchanges?.filter(({ incoming }) => incoming === true) ?? [];
    expect(pushes[0]?.response?.status).toBe(503);
    expect(pushes[0]?.request.headers["ahcp-signature"]).toMatch(/^t=\d+,jti=/);
    expect(pushes[0]?.request.body).toContain("in_reply_to");
  });

  it("are skipped if the hub refuses the suite's callback or cannot reach it", async () => {
    const { "AHCP-DLV-001": refusedPush } = await playWith(["delivery-push"], { profile: "production" }, (setting) => ({
      ...withoutHooks(setting, "profile"),
      profile: "development",
    }));
    expect(refusedPush).toMatchObject({
      outcome: "skipped",
      why: expect.stringContaining("does not accept a callback"),
    });
    const distantHub = { url: "https://hub.example/ahcp" };
    expect(unmetNeeds(["receiver"], distantHub)).toEqual(["receiver"]);
    expect(unmetNeeds(["receiver"], { ...distantHub, receiver: { url: "https://suite.example" } })).toEqual([]);
    expect(unmetNeeds(["receiver", "production"], { url: "http://[::1]:8080" })).toEqual(["production"]);
  });

  it("wait for a forbidden push as long as a due push took, even if the clock was moved in between", async () => {
    const timeScale = 0.3;
    const options = { variant: "breaks-AHCP-SSR-005", choices: ["pushes-a-little-later"], timeScale };
    const results = await playWith(["destinations-look-alikes"], options, (setting) => ({ ...setting, timeScale }));
    expect(results["AHCP-SSR-005"]?.outcome).toBe("violates");
  });

  it("are skipped if all attempts arrive together, with the same time", async () => {
    const timeScale = 0.3;
    const options = { variant: "breaks-AHCP-SIG-008-first-real", timeScale };
    const results = await playWith(["signatures-attempts"], options, (setting) => ({ ...setting, timeScale }));
    expect(results["AHCP-SIG-008"]).toMatchObject({
      outcome: "skipped",
      why: expect.stringContaining("whether a later one"),
    });
  });

  it("restore the hub's original profile", async () => {
    const profilesSet: unknown[] = [];
    await playWith(["destinations-foreign", "delivery-push"], {}, (setting) => ({
      ...setting,
      hooks: {
        ...setting.hooks,
        profile: (input) => {
          profilesSet.push(input.profile);
          const hook = setting.hooks?.profile;
          return typeof hook === "function" ? hook(input) : {};
        },
      },
    }));
    expect(profilesSet).toEqual(["production", "development"]);
  });
});
