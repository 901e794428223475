import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { type Hook, protocolNamed, type Result, type ScenarioContext } from "../../schemas/index.ts";
import { playScenarios } from "./run.ts";

const rule = "AHCP-DUR-001";

/** What a scenario comes to that finds all well, or not, after a restart of a small server. */
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
  it("that restarts nothing shows nothing to last", async () => {
    const result = await restartedBy(() => () => ({}));
    expect(result).toMatchObject({
      outcome: "skipped",
      why: expect.stringMatching(/nothing shows that it was restarted/),
    });
  });

  it("that restarts nothing excuses no loss", async () => {
    expect(await restartedBy(() => () => ({}), false)).toMatchObject({ outcome: "violates", why: "it is lost" });
  });

  it("is believed where connections are closed, however quick it is", async () => {
    const hook = (restart: () => Promise<void>) => async () => {
      await restart();
      return {};
    };
    expect(await restartedBy(hook)).toMatchObject({ outcome: "conforms" });
  });

  it("is believed where it has only begun", async () => {
    const hook = (restart: () => Promise<void>) => () => {
      setTimeout(restart, 100);
      return {};
    };
    expect(await restartedBy(hook)).toMatchObject({ outcome: "conforms" });
  });

  it("is believed where it says so itself", async () => {
    expect(await restartedBy(() => () => ({ restarted: true }))).toMatchObject({ outcome: "conforms" });
  });
});
