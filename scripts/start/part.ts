import { getRequestListener } from "@hono/node-server";
import { protocolNamed, type Report } from "../../schemas/index.ts";
import { commandLine, type Environments, referenceEnvironments, runSuite } from "../../suites/index.ts";

/** The part of one protocol to run: all, or one of so many parts. */
export interface StartPart {
  protocol: string;
  parts: number;
  /** Concurrent requests with vectors; by default the number that suits the reference. */
  concurrency?: number;
}

/** Waits can be short, because the references are on this machine. The timeout is long, because many requests at once make answers late. */
const timeScale = 0.6;
const timeoutMs = 60_000;

// Replaces the global Response by a faster one. Nothing else in these processes uses it.
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
