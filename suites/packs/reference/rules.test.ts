import { expect, it } from "vitest";
import { documentNamed, type JsonObject, protocolNamed } from "../../../schemas/index.ts";
import { ruled } from "../pack/load.ts";
import { rulesFor } from "./rules.ts";
import { noFormats } from "./variants/no-formats.ts";

it("are enforced along with unasserted formats by an implementation that ignores formats, except for the rule that it does not know", async () => {
  const protocol = await ruled(protocolNamed("agentformat"));
  const agent = documentNamed(protocol, "agent");
  const [sample] = agent.samples as [JsonObject];
  const document = { ...sample, metadata: { ...(sample.metadata as JsonObject), homepage: "example.org" } };
  const { conforms: _, ...lacking } = noFormats;
  const broken = async (variant: typeof noFormats): Promise<(string | undefined)[]> =>
    (await rulesFor(protocol, variant))(agent, document).breaches.map(({ rule }) => rule);
  expect(await broken(noFormats)).toEqual(["AGF-META-007"]);
  expect(await broken(lacking)).toEqual([]);
});
