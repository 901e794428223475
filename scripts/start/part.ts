import { getRequestListener } from "@hono/node-server";
import { protocolNamed, type Report } from "../../schemas/index.ts";
import { commandLine, type Environments, referenceEnvironments, runSuite } from "../../suites/index.ts";

/** The part of one protocol to run: all, or one of so many parts. */
export interface StartPart {
  protocol: string;
  parts: number;
  /** Questions at once, of vectors; by default as many as the reference likes best. */
  concurrency?: number;
}

/** Nothing on this machine is slow, so that waits can be short; and a party that is asked everything at once may answer late. */
const timeScale = 0.6;
const timeoutMs = 60_000;

// The references answer without the streams that answers of Node have: nothing else uses the globals of these processes.
getRequestListener(() => new Response());

function hurryEnvironments(environments: Environments): Environments {
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
    scenarios: hurryEnvironments(referenceEnvironments(undefined)),
    command: commandLine({ protocol: "all", target, scenarios: true }),
    ...(parts === 1 ? {} : { shard: { index: 1, count: parts } }),
  });
}
