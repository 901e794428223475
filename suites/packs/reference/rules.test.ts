import { expect, it } from "vitest";
import { documentNamed, type JsonObject, protocolNamed } from "../../../schemas/index.ts";
import { ruled } from "../pack/load.ts";
import { rulesFor } from "./rules.ts";
import { noFormats } from "./variants/no-formats.ts";

it("a variant without format checks still enforces the rules about formats, unless it also lacks their code", async () => {
  const protocol = await ruled(protocolNamed("agentformat"));
  const agent = documentNamed(protocol, "agent");
  const [sample] = agent.samples as [JsonObject];
  const document = { ...sample, metadata: { ...(sample.metadata as JsonObject), homepage: "example.org" } };
  const { conforms: _, ...withoutOwnCheck } = noFormats;
  const brokenRules = async (variant: typeof noFormats): Promise<(string | undefined)[]> =>
    (await rulesFor(protocol, variant))(agent, document).breaches.map(({ rule }) => rule);
  expect(await brokenRules(noFormats)).toEqual(["AGF-META-007"]);
  expect(await brokenRules(withoutOwnCheck)).toEqual([]);
});
