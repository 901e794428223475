import type { JsonObject } from "../../../../../schemas/index.ts";
import type { ReferenceAgent } from "./agent.ts";

/** The extension that the agent knows. */
export const knownExtension = "https://touchstone.example/extensions/notes/v1";

/** Makes the public card of the agent, according to its policy. */
export function cardOf({ url, settings: { tokens, tenant }, policy }: ReferenceAgent): JsonObject {
  const tenantMember = tenant === undefined ? {} : { tenant };
  return policy.changeCard(
    {
      name: "Reference agent",
      description: "Answers messages with tasks, as the specification says.",
      version: "1.0.0",
      supportedInterfaces: [
        { url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0", ...tenantMember },
        { url: `${url}/rest`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0", ...tenantMember },
      ],
      capabilities: {
        streaming: true,
        pushNotifications: true,
        extendedAgentCard: tokens !== undefined,
        extensions: [{ uri: knownExtension, description: "Notes beside a message.", required: false }],
      },
      ...(tokens === undefined
        ? {}
        : {
            securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
            securityRequirements: [{ schemes: { bearer: { list: [] } } }],
          }),
      defaultInputModes: ["text/plain", "application/json"],
      defaultOutputModes: ["text/plain"],
      skills: [{ id: "echo", name: "Echo", description: "Repeats a message.", tags: ["echo"] }],
    },
    "public",
  );
}

/** Makes the extended card, for a caller with a credential. */
export function extendedCardOf(agent: ReferenceAgent): JsonObject {
  const card = cardOf(agent);
  const skills = [
    ...(card.skills as JsonObject[]),
    { id: "count", name: "Count", description: "Counts the letters of a message.", tags: ["count"] },
  ];
  return agent.policy.changeCard({ ...card, skills }, "extended");
}

export interface OfferedFeatures {
  streaming: boolean;
  pushNotifications: boolean;
  extendedAgentCard: boolean;
  requiredExtensions: string[];
  knownExtensions: string[];
}

export function offeredFeatures(agent: ReferenceAgent): OfferedFeatures {
  const { capabilities = {} } = cardOf(agent) as { capabilities?: JsonObject };
  const extensions = (capabilities.extensions ?? []) as { uri: string; required?: boolean }[];
  return {
    streaming: capabilities.streaming === true,
    pushNotifications: capabilities.pushNotifications === true,
    extendedAgentCard: capabilities.extendedAgentCard === true,
    requiredExtensions: extensions.filter(({ required }) => required === true).map(({ uri }) => uri),
    knownExtensions: extensions.map(({ uri }) => uri),
  };
}
