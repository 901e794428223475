import type { JsonObject } from "../../../../../schemas/index.ts";
import { digestOf, sign } from "../../rules/signature.ts";
import { cardText } from "../../rules/signed-card.ts";
import { nowMs, type RunningAgent } from "./agent.ts";

/** Makes the agent's card. */
export function cardOf(agent: RunningAgent): JsonObject {
  const { identity, policy, settings, url } = agent;
  const isPublic = settings.profile === "production";
  return policy.card(
    {
      name: "Echo",
      description: "Repeats what it is told.",
      version: "1.0.0",
      identity,
      protocolVersion: "0.1",
      supportedVersions: ["0.1"],
      endpoints: [{ protocol: "http", url: isPublic ? "https://echo.example/snap" : `${url}/snap` }],
      skills: [{ id: "echo", name: "Echo", description: "Says a text again.", tags: ["text"] }],
      capabilities: { streaming: true },
      defaultInputModes: ["text/plain", "application/json", "image/png"],
      defaultOutputModes: ["text/plain"],
    },
    agent,
  );
}

/** Makes the card with its signature, as it is served at the well-known URI. */
export function servedCard(agent: RunningAgent): JsonObject {
  const card = cardOf(agent);
  const timestamp = Math.floor(nowMs(agent) / 1000);
  const text = cardText(card, timestamp) ?? "";
  const sig = sign(digestOf(new TextEncoder().encode(text)), agent.key.tweaked);
  return agent.policy.servedCard({ card, sig, publicKey: agent.key.output, timestamp }, agent);
}
