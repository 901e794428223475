import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { listOrEmpty, objectOrEmpty, type ReportFault, stringsIn } from "../../../packs/twins/say.ts";
import { agreedFilters, filtersOf, findLeak } from "./filters.ts";
import { isSameLanguage } from "./language.ts";

/** Judges an acceptance by its request. */
export function judgeGrant(report: ReportFault, request: JsonObject, accepted: JsonObject): void {
  const requested = objectOrEmpty(request.capabilities);
  const granted = objectOrEmpty(accepted.honored_capabilities);
  for (const name of ["max_events_per_second", "languages", "coalesce_boundaries", "event_filters"])
    if (requested[name] !== undefined && granted[name] === undefined)
      report(`leaves out ${name}`, "answers-that-inherit");
  const [maxRate, rate] = [requested.max_events_per_second, granted.max_events_per_second];
  if (typeof maxRate === "number" && typeof rate === "number" && rate > maxRate) report("grants a higher rate");
  judgeGrantedList(report, { name: "languages", defaultItems: ["en-US"], covers: isSameLanguage }, requested, granted);
  judgeGrantedList(report, boundaries, requested, granted);
  const leak =
    granted.event_filters === undefined ? undefined : findLeak(filtersOf(requested), agreedFilters(requested, granted));
  if (leak !== undefined)
    report(`passes the excluded type ${leak.type}`, ...(leak.isByDefault ? ["beyond-defaults"] : []));
  judgeWidening(report, requested, granted);
  judgeVersions(report, request, accepted);
  if (requested.accept_signed_manifests_only === true && accepted.signed_manifest === undefined)
    report("accepts a demand for signatures without one", "signatures-elsewhere");
}

/** A capability that is a list: its default items, and whether a requested item covers a granted one. */
interface ListCapability {
  name: string;
  defaultItems: readonly string[];
  covers: (requestedItem: string, grantedItem: string) => boolean;
}

const boundaries: ListCapability = {
  name: "coalesce_boundaries",
  defaultItems: ["sentence", "completion"],
  covers: (requestedItem, grantedItem) => requestedItem === grantedItem,
};

function judgeGrantedList(
  report: ReportFault,
  { name, defaultItems, covers }: ListCapability,
  requested: JsonObject,
  granted: JsonObject,
): void {
  const requestedItems = requested[name] === undefined ? defaultItems : stringsIn(requested[name]);
  for (const grantedItem of stringsIn(granted[name]))
    if (!requestedItems.some((requestedItem) => covers(requestedItem, grantedItem)))
      report(
        `grants ${grantedItem} of ${name}, which was not requested`,
        ...(requested[name] === undefined ? ["beyond-defaults"] : []),
      );
}

/** Reports grants that exceed the request without breaking a rule. */
function judgeWidening(report: ReportFault, requested: JsonObject, granted: JsonObject): void {
  const flags = ["supports_confirmation_reply", "supports_clarification_reply"];
  for (const name of flags)
    if (granted[name] === true && requested[name] !== true) report(`widens ${name}`, "wider-answers");
  const hasExtraItems = (name: string, defaultItems: readonly Json[]): boolean => {
    const requestedItems = Array.isArray(requested[name]) ? requested[name] : defaultItems;
    return listOrEmpty(granted[name]).some((item) => !requestedItems.includes(item));
  };
  if (hasExtraItems("supported_conformance_levels", [1])) report("widens the levels", "wider-answers");
  if (hasExtraItems("supported_extensions", [])) report("widens the extensions", "wider-answers");
  if (requested.accept_signed_manifests_only === true && granted.accept_signed_manifests_only === false)
    report("drops the demand for signatures", "wider-answers");
}

function judgeVersions(
  report: ReportFault,
  { aaep_version: requestedVersion }: JsonObject,
  { aaep_version: acceptedVersion }: JsonObject,
): void {
  const [[major, minor] = [], [acceptedMajor, acceptedMinor] = []] = [requestedVersion, acceptedVersion].map(
    (version) => /^(\d+)\.(\d+)/.exec(String(version))?.slice(1).map(BigInt),
  );
  if (major === undefined || minor === undefined || acceptedMajor === undefined || acceptedMinor === undefined) return;
  if (acceptedMajor > major) report("accepts a higher major version");
  else if (acceptedMajor === major && acceptedMinor > minor)
    report("accepts a higher minor version", "higher-minor-versions");
}
