import type { HubOptions } from "../protocols/ahcp/reference/hub/start.ts";
import { startHub } from "../protocols/ahcp/reference/hub/start.ts";
import type { Staged } from "./setting.ts";

/** Starts the reference hub with two agents, and gives its operator as hooks. */
export async function stagedReference(options: HubOptions = {}): Promise<Staged> {
  const credentials = {
    a: { agent: "touchstone-a", token: "reference-token-a" },
    b: { agent: "touchstone-b", apikey: "reference-key-b" },
  };
  const { url, operator, close } = await startHub({ profile: "development", credentials, ...options });
  const { secrets, ...hooks } = operator;
  return {
    setting: {
      url,
      credentials,
      hooks: { ...hooks, ...(secrets === undefined ? {} : { secret: secrets }) },
      profile: options.profile ?? "development",
    },
    close,
  };
}
