import { readFileSync } from "node:fs";
import {
  type Baseline,
  type Config,
  type Credential,
  type FailOn,
  faultsIn,
  type Json,
  nearestName,
  TouchstoneError,
} from "../../../schemas/index.ts";
import type { InProcessOptions } from "../../targets/in-process.ts";

/** Members of a configuration that say how a party is reached, operated and tried again: in a configuration they mean the same. */
type OfParty = Pick<
  Config,
  | ("credentials" | "hooks" | "receiver" | "callbackAuth" | "profile" | "timeScale" | "bounds" | "options")
  | ("keys" | "refusedWhen" | "retry" | "webServer")
>;

export interface ConformanceOptions extends InProcessOptions, OfParty {
  /** Ids, paths, rules or globs of the vectors to register; all by default. */
  only?: readonly string[];
  /** The same of those to leave out. */
  skip?: readonly string[];
  /** How the specification is read at its contradictions, by the names of `touchstone list readings`. */
  readings?: readonly string[];
  /** Folder of a vector set other than the package's own. */
  vectors?: string;
  /** File of the known failures, or its content: they must fail as listed, and nothing else may. */
  baseline?: string | Baseline;
  /** Least level with a breach that fails (default: must). */
  failOn?: FailOn;
  /** Milliseconds for one vector (default: 5000). */
  timeoutMs?: number;
  /** Seed of the fresh values for a live server (default: a new one for each run against HTTP, otherwise 42). */
  seed?: number;
  /** Vectors at once (default: as a run has it for the kind of target). */
  concurrency?: number;
  /** The credential of the requests to a server (default: `credentials.a`). */
  credential?: Credential;
  /** Plays the protocol's scenarios as well, or nothing else: a test for each. The target is then a configuration of kind http, command, hooks or reference. */
  scenarios?: boolean | "only";
  /** The party that scenarios are played against, by its name in `touchstone play PROTOCOL --sides` (default: the usual one). */
  side?: string;
  /** Seconds that scenarios wait in all for a clock that no hook moves (default: 70). */
  maxWait?: number;
  /** The day for the expiry of entries of the baseline, `YYYY-MM-DD` in UTC (default: today). */
  today?: string;
}

/** Every option, so that the compiler asks for a new one here. */
const names: Record<keyof Required<ConformanceOptions>, true> = {
  name: true,
  claims: true,
  text: true,
  only: true,
  skip: true,
  readings: true,
  vectors: true,
  baseline: true,
  failOn: true,
  timeoutMs: true,
  seed: true,
  credential: true,
  today: true,
  webServer: true,
  concurrency: true,
  scenarios: true,
  side: true,
  maxWait: true,
  retry: true,
  keys: true,
  refusedWhen: true,
  credentials: true,
  hooks: true,
  receiver: true,
  callbackAuth: true,
  profile: true,
  timeScale: true,
  bounds: true,
  options: true,
};

/** Throws a usage error for an option that there is not: its like may be meant, and would not be followed. */
export function mustBeOptions(options: ConformanceOptions): void {
  const known = Object.keys(names);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TouchstoneError("usage", `conformance() has no option "${unknown}"`, {
    hint: `${nearestName(unknown, known)}there are ${known.join(", ")}`,
  });
}

/** The list of an option. Throws a usage error for anything that is not a list. */
export function baselineOf(given: string | Baseline | undefined): Baseline | undefined {
  if (given === undefined) return given;
  const where = typeof given === "string" ? { where: given } : {};
  const list = typeof given === "string" ? listIn(given) : given;
  // A list that was written by hand knows no digest of a set.
  const [fault] = faultsIn("baseline", list as unknown as Json).filter(({ at }) => at !== "/sets");
  if (fault === undefined) return list;
  const place = fault.at === "" ? "" : `#${fault.at}: `;
  throw new TouchstoneError("usage", `wrong baseline: ${place}${fault.what}`, {
    ...where,
    hint: fault.hint ?? "the format is schemas/touchstone/baseline.schema.json",
  });
}

function listIn(file: string): Baseline {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Baseline;
  } catch (cause) {
    throw new TouchstoneError("usage", `the baseline cannot be read: ${(cause as Error).message}`, {
      where: file,
      hint: "`touchstone run … --baseline FILE --update-baseline` writes one",
      cause,
    });
  }
}
