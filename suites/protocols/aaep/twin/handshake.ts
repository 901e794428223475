import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { list, object, type Say, texts } from "../../../packs/twins/say.ts";
import { agreedFilters, filtersOf, findLeak } from "./filters.ts";
import { isAkin } from "./language.ts";

/** Judges an acceptance by its request. */
export function pair(say: Say, request: JsonObject, accepted: JsonObject): void {
  const asked = object(request.capabilities);
  const granted = object(accepted.honored_capabilities);
  for (const name of ["max_events_per_second", "languages", "coalesce_boundaries", "event_filters"])
    if (asked[name] !== undefined && granted[name] === undefined) say(`leaves ${name} out`, "answers-that-inherit");
  const [most, rate] = [asked.max_events_per_second, granted.max_events_per_second];
  if (typeof most === "number" && typeof rate === "number" && rate > most) say("grants a higher rate");
  subset(say, { name: "languages", fallback: ["en-US"], fits: isAkin }, asked, granted);
  subset(say, boundaries, asked, granted);
  const leaking =
    granted.event_filters === undefined ? undefined : findLeak(filtersOf(asked), agreedFilters(asked, granted));
  if (leaking !== undefined) say(`lets ${leaking.type} through`, ...(leaking.isByDefault ? ["beyond-defaults"] : []));
  judgeWidening(say, asked, granted);
  versions(say, request, accepted);
  if (asked.accept_signed_manifests_only === true && accepted.signed_manifest === undefined)
    say("accepts a demand for signatures without one", "signatures-elsewhere");
}

/** A capability that is a list: its value without a request, and whether a requested item covers a granted one. */
interface ListCapability {
  name: string;
  fallback: readonly string[];
  fits: (one: string, other: string) => boolean;
}

const boundaries: ListCapability = {
  name: "coalesce_boundaries",
  fallback: ["sentence", "completion"],
  fits: (one, other) => one === other,
};

function subset(say: Say, { name, fallback, fits }: ListCapability, asked: JsonObject, granted: JsonObject): void {
  const wanted = asked[name] === undefined ? fallback : texts(asked[name]);
  for (const each of texts(granted[name]))
    if (!wanted.some((one) => fits(one, each)))
      say(
        `grants ${each} of ${name}, which was not asked for`,
        ...(asked[name] === undefined ? ["beyond-defaults"] : []),
      );
}

/** Reports grants beyond a request that no rule forbids. */
function judgeWidening(say: Say, asked: JsonObject, granted: JsonObject): void {
  const flags = ["supports_confirmation_reply", "supports_clarification_reply"];
  for (const name of flags) if (granted[name] === true && asked[name] !== true) say(`widens ${name}`, "wider-answers");
  const isBeyond = (name: string, fallback: readonly Json[]): boolean => {
    const wanted = Array.isArray(asked[name]) ? asked[name] : fallback;
    return list(granted[name]).some((each) => !wanted.includes(each));
  };
  if (isBeyond("supported_conformance_levels", [1])) say("widens the levels", "wider-answers");
  if (isBeyond("supported_extensions", [])) say("widens the extensions", "wider-answers");
  if (asked.accept_signed_manifests_only === true && granted.accept_signed_manifests_only === false)
    say("drops the demand for signatures", "wider-answers");
}

function versions(say: Say, { aaep_version: asked }: JsonObject, { aaep_version: spoken }: JsonObject): void {
  const [[major, minor] = [], [spokenMajor, spokenMinor] = []] = [asked, spoken].map((version) =>
    /^(\d+)\.(\d+)/.exec(String(version))?.slice(1).map(BigInt),
  );
  if (major === undefined || minor === undefined || spokenMajor === undefined || spokenMinor === undefined) return;
  if (spokenMajor > major) say("speaks a higher major version");
  else if (spokenMajor === major && spokenMinor > minor) say("speaks a higher minor version", "higher-minor-versions");
}
