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

/** Members of a configuration about the tested party, with the same meaning. */
type PartyOptions = Pick<
  Config,
  | ("credentials" | "hooks" | "receiver" | "callbackAuth" | "profile" | "timeScale" | "bounds" | "options")
  | ("keys" | "refusedWhen" | "retry" | "webServer")
>;

export interface ConformanceOptions extends InProcessOptions, PartyOptions {
  /** Ids, paths, rules or globs of the vectors to register; all by default. */
  only?: readonly string[];
  /** Vectors to exclude, in the same form. */
  skip?: readonly string[];
  /** The readings to choose at contradictions in the specification, by the names of `touchstone list readings`. */
  readings?: readonly string[];
  /** The folder of a vector set other than the package's own. */
  vectors?: string;
  /** The known failures, or the path of their file: these vectors must fail as listed, and no others may fail. */
  baseline?: string | Baseline;
  /** The lowest requirement level that makes a test fail (default: must). */
  failOn?: FailOn;
  /** The time limit for one vector in milliseconds (default: 5000). */
  timeoutMs?: number;
  /** The seed of the fresh values for a live server (default: a new one for each run against HTTP, otherwise 42). */
  seed?: number;
  /** The number of vectors that run at the same time (default: as in a run, by the kind of target). */
  concurrency?: number;
  /** The credential of the requests to a server (default: `credentials.a`). */
  credential?: Credential;
  /** Plays the protocol's scenarios as well, or only those, with a test for each. The target is then a configuration of kind http, command, hooks or reference. */
  scenarios?: boolean | "only";
  /** The party that scenarios are played against, by its name in `touchstone play PROTOCOL --sides` (default: the usual one). */
  side?: string;
  /** The total seconds to wait for deadlines if there is no clock hook (default: 70). */
  maxWait?: number;
  /** The date on which the expiry of baseline entries is judged, `YYYY-MM-DD` in UTC (default: today). */
  today?: string;
}

/** All options. The type makes the compiler require each new one here. */
const optionNames: Record<keyof Required<ConformanceOptions>, true> = {
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

/** Throws a usage error for an unknown option: a misspelt one would otherwise be ignored. */
export function requireKnownOptions(options: ConformanceOptions): void {
  const allNames = Object.keys(optionNames);
  const unknown = Object.keys(options).find((name) => !allNames.includes(name));
  if (unknown === undefined) return;
  throw new TouchstoneError("usage", `conformance() has no option "${unknown}"`, {
    hint: `${nearestName(unknown, allNames)}there are ${allNames.join(", ")}`,
  });
}

/** The baseline that the option contains or names. Throws a usage error if it is not a valid baseline. */
export function baselineOf(fileOrList: string | Baseline | undefined): Baseline | undefined {
  if (fileOrList === undefined) return fileOrList;
  const where = typeof fileOrList === "string" ? { where: fileOrList } : {};
  const list = typeof fileOrList === "string" ? readBaseline(fileOrList) : fileOrList;
  // A handwritten list need not know the digest of a set.
  const [fault] = faultsIn("baseline", list as unknown as Json).filter(({ at }) => at !== "/sets");
  if (fault === undefined) return list;
  const place = fault.at === "" ? "" : `#${fault.at}: `;
  throw new TouchstoneError("usage", `wrong baseline: ${place}${fault.what}`, {
    ...where,
    hint: fault.hint ?? "the format is schemas/touchstone/baseline.schema.json",
  });
}

function readBaseline(file: string): Baseline {
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
