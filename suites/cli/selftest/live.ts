import {
  type LiveReference,
  type Protocol,
  protocolsNamed,
  type Scenario,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { packOf } from "../../packs/pack/load.ts";

/** A protocol with scenarios that can be played against a live reference. */
export interface LiveProtocol {
  protocol: Protocol;
  scenarios: readonly Scenario[];
  live: LiveReference;
}

/** The options of the selftests that can be stopped and resumed. */
export interface ResumableOptions {
  all: boolean;
  json: boolean;
  seed: number;
  journal: string | undefined;
  signal: AbortSignal;
}

/** The protocols with this name that have scenarios and a live reference. Throws a usage error if there are none. */
export async function liveProtocols(name: string): Promise<LiveProtocol[]> {
  const liveList: LiveProtocol[] = [];
  for (const protocol of protocolsNamed(name)) {
    const pack = await packOf(protocol);
    if (pack.scenarios === undefined || pack.live === undefined) continue;
    const [{ scenarios }, { live }] = await Promise.all([pack.scenarios(), pack.live()]);
    liveList.push({ protocol, scenarios, live });
  }
  if (liveList.length > 0) return liveList;
  throw new TouchstoneError("usage", `${name} has no scenarios with a live reference`, {
    hint: "the part `live` of a pack: suites/packs/pack/README.md, What else a pack may have",
  });
}

/** The journal file of a protocol: a separate file for each one if there are several protocols. */
export function journalOf(file: string | undefined, { name }: Protocol, isOnly: boolean): string | undefined {
  return file === undefined || isOnly ? file : `${file}.${name}`;
}
