import type { Endpoint, Protocol } from "../../schemas/index.ts";
import { httpTarget } from "./http.ts";
import { type Target, TargetFailure } from "./target.ts";

/** Starts the reference service of a protocol on an ephemeral loopback port. */
export type StartReference = (
  protocol: Protocol,
  options: { variant?: string },
) => Promise<{ url: string; close(): Promise<void> }>;

/** The reference implementation that comes with the package, or a broken variant of it, asked over loopback HTTP. */
export function referenceTarget(variant?: string, start: StartReference = builtIn): Target {
  let service: { url: string; close(): Promise<void> } | undefined;
  let client: Target | undefined;
  return {
    kind: "reference",
    name: variant === undefined ? "reference" : `reference, ${variant}`,
    claims: undefined,
    concurrency: 32,
    async open(protocol) {
      service = await start(protocol, variant === undefined ? {} : { variant });
      client = httpTarget({ url: service.url, endpoints: endpointsOf(protocol) });
      try {
        await client.open(protocol);
      } catch (error) {
        await service.close();
        throw error;
      }
    },
    skips: (question) => client?.skips(question),
    async check(question, signal) {
      if (client === undefined) throw new TargetFailure("errored", "send", "the reference is not open");
      return client.check(question, signal);
    },
    async close() {
      const running = service;
      service = undefined;
      await client?.close();
      await running?.close();
    },
  };
}

/** The reference takes every document: those that have no endpoint of their own by their names. */
function endpointsOf({ profile: { documents } }: Protocol): Record<string, Endpoint> {
  const endpoints: Record<string, Endpoint> = {};
  for (const { name, endpoint } of documents) {
    if (endpoint !== undefined) continue;
    const path = `/documents/${encodeURIComponent(name)}`;
    endpoints[name] = { method: "POST", path, accepted: [200], rejected: [422, 400] };
  }
  return endpoints;
}

const builtIn: StartReference = async (protocol, options) => {
  const { startReference } = await import("../reference/index.ts");
  return startReference(protocol, options);
};
