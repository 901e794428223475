import { getRequestListener } from "@hono/node-server";
import { protocolNamed, type Report } from "../../schemas/index.ts";
import { commandLine, type Environments, referenceEnvironments, runSuite } from "../../suites/index.ts";

/** The protocol to run, and the number of parts from which the first is run. */
export interface StartPart {
  protocol: string;
  parts: number;
  /** Concurrent requests with vectors; by default the number that suits the reference. */
  concurrency?: number;
}

/** Waits can be short, because the references are on this machine. */
const timeScale = 0.6;
/** The timeout is long, because many concurrent requests delay the answers. */
const timeoutMs = 60_000;

// This call replaces the global Response by a faster one, which nothing else in these processes uses.
getRequestListener(() => new Response());

function shortenWaits(environments: Environments): Environments {
  return {
    ...environments,
    async open(protocol, side) {
      const { setting, close } = await environments.open(protocol, side);
      return { setting: { timeScale, ...setting }, close };
    },
  };
}

/** Runs vectors and scenarios of a protocol against its reference implementation, over HTTP on the loopback interface. */
export function runPart({ protocol, parts, concurrency }: StartPart): Promise<Report> {
  const target = { kind: "reference" } as const;
  return runSuite({
    protocols: [protocolNamed(protocol)],
    target,
    timeoutMs,
    concurrency,
    scenarios: shortenWaits(referenceEnvironments(undefined)),
    command: commandLine({ protocol: "all", target, scenarios: true }),
    ...(parts === 1 ? {} : { shard: { index: 1, count: parts } }),
  });
}
