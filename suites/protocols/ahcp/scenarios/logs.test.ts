import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { hubEnvironment } from "../reference/live.ts";
import { logs } from "./logs.ts";

/** The outcome of each rule if the hook `logs` shows these parts of the hub's logs. `missingHook` is a hook to remove. */
async function outcomesWith(
  showLines: (lines: string) => string,
  missingHook?: string,
): Promise<Record<string, string>> {
  const { setting, close } = await hubEnvironment();
  const logsHook = setting.hooks?.logs;
  if (typeof logsHook !== "function") throw new Error("the hub shows no logs");
  const hooksWithLogs = {
    ...setting.hooks,
    logs: async () => ({ text: showLines(JSON.stringify(await logsHook({}))) }),
  };
  const hooks = Object.fromEntries(Object.entries(hooksWithLogs).filter(([hook]) => hook !== missingHook));
  try {
    const options = { protocol: protocolNamed("ahcp"), scenarios: logs, setting: { ...setting, hooks }, seed: 1 };
    const results = await playScenarios(options);
    return Object.fromEntries(results.map(({ rule = "", outcome }) => [rule, outcome]));
  } finally {
    await close();
  }
}

const logRules = ["AHCP-STA-001", "AHCP-SAF-004", "AHCP-SAF-003"];

it("skips the rules if the logs do not mention the messages", async () => {
  expect(await outcomesWith((lines) => lines)).toEqual(Object.fromEntries(logRules.map((rule) => [rule, "conforms"])));
  expect(await outcomesWith(() => "")).toEqual(Object.fromEntries(logRules.map((rule) => [rule, "skipped"])));
});

it("skips the rules on content that may be pushed if no push can be made", async () => {
  expect(await outcomesWith((lines) => lines, "secret")).toEqual({
    "AHCP-STA-001": "skipped",
    "AHCP-SAF-004": "conforms",
    "AHCP-SAF-003": "skipped",
  });
});
