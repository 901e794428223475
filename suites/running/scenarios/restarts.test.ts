import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, vi } from "vitest";
import {
  type Hook,
  protocolNamed,
  type Result,
  type ScenarioContext,
  type Setting,
  TargetFailure,
} from "../../../schemas/index.ts";
import { restartsOf } from "./restarts.ts";
import { playScenarios } from "./run.ts";

const rule = "AHCP-DUR-001";

/** Plays a scenario that restarts a small server and then finds a rule kept (`holds`) or broken. */
async function restartedBy(hookFor: (restart: () => Promise<void>) => Hook, holds = true): Promise<Result | undefined> {
  const server = createServer((_, response) => response.end("{}"));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const restart = async (): Promise<void> => {
    await new Promise((done) => {
      server.close(done);
      server.closeAllConnections();
    });
    await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  };
  const play = async (context: ScenarioContext): Promise<void> => {
    await context.hook("restart", {});
    context.expect(rule, holds, "it is lost");
  };
  const scenario = { name: "story", says: "says", rules: [rule], needs: [], withinMs: 20_000, play };
  const setting = { url: `http://127.0.0.1:${port}`, hooks: { restart: hookFor(restart) } };
  try {
    const [result] = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios: [scenario], setting, seed: 1 });
    return result;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe("a hook restart", () => {
  it("without effect does not show that data survives", async () => {
    const result = await restartedBy(() => () => ({}));
    expect(result).toMatchObject({
      outcome: "skipped",
      why: expect.stringMatching(/nothing shows that it was restarted/),
    });
  });

  it("without effect does not excuse a loss", async () => {
    expect(await restartedBy(() => () => ({}), false)).toMatchObject({ outcome: "violates", why: "it is lost" });
  });

  it("is believed if connections are closed, however fast the restart is", async () => {
    const hook = (restart: () => Promise<void>) => async () => {
      await restart();
      return {};
    };
    expect(await restartedBy(hook)).toMatchObject({ outcome: "conforms" });
  });

  it("is believed if the server goes down only later", async () => {
    const hook = (restart: () => Promise<void>) => () => {
      setTimeout(restart, 100);
      return {};
    };
    expect(await restartedBy(hook)).toMatchObject({ outcome: "conforms" });
  });

  it("is believed if it answers that the target was restarted", async () => {
    expect(await restartedBy(() => () => ({ restarted: true }))).toMatchObject({ outcome: "conforms" });
  });
});

describe("a target that stays away after a restart", () => {
  const noConnection = new TargetFailure("errored", "connect", "no connection: connect ECONNREFUSED 127.0.0.1:1");
  const refuseConnection = () => Promise.reject(noConnection);
  const { signal } = new AbortController();

  /** Returns the error of a request this many milliseconds after the restart. With `isBack`, the target has answered in between. */
  async function messageAfter(milliseconds: number, restart: unknown, isBack = false): Promise<string> {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const restarts = restartsOf({ hooks: { restart } } as Setting);
      await restarts.restart(async () => ({ restarted: true }), { url: undefined, isUp: async () => true, signal });
      vi.advanceTimersByTime(2000);
      if (isBack) await restarts.over(async () => {}, signal);
      vi.advanceTimersByTime(milliseconds);
      return await restarts.over(refuseConnection, signal).then(String, ({ message }: Error) => message);
    } finally {
      vi.useRealTimers();
    }
  }

  it("is reported with the hook, and with a hint about children of a command", async () => {
    expect(await messageAfter(40_000, { command: "./restart.sh" })).toMatch(
      /^no connection.*; no answer came from there since the hook "restart" was called; if the hook is a command, .*\(setsid\) before the command ends$/,
    );
    expect(await messageAfter(40_000, { http: { url: "http://127.0.0.1:1" } })).toMatch(/"restart" was called$/);
  });

  it("is reported without the hook once it has answered again", async () => {
    expect(await messageAfter(40_000, { command: "./restart.sh" }, true)).toBe(noConnection.message);
  });
});
