import { type Breach, type Checker, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { findLeak } from "./filter.ts";
import { covers } from "./tag.ts";

/** Checks that the terms of an acceptance do not exceed those of its request. */
export const grantCheckers: readonly Checker[] = [
  onHandshakes("AAEP-HS-005", function* (request, grant) {
    const { max_events_per_second: maxRate } = request;
    const { max_events_per_second: rate } = grant;
    if (typeof maxRate !== "number") return;
    if (rate === undefined) yield omittedTerm("max_events_per_second");
    else if (typeof rate === "number" && rate > maxRate)
      yield { at: `${termsPath}/max_events_per_second`, why: `is ${rate}, more than the requested ${maxRate}` };
  }),
  onHandshakes("AAEP-HS-006", (request, grant) =>
    findExtras(request, grant, { name: "languages", defaultItems: ["en-US"], covers }),
  ),
  onHandshakes("AAEP-HS-007", (request, grant) => findExtras(request, grant, boundaries)),
  onHandshakes("AAEP-HS-008", function* (request, grant) {
    if (request.event_filters !== undefined && grant.event_filters === undefined) yield omittedTerm("event_filters");
    const leak = findLeak(request.event_filters, grant.event_filters);
    if (leak === undefined) return;
    const why = `passes "${leak.type}", which the request excludes`;
    yield { at: `${termsPath}/event_filters`, why, ...(leak.byDefault ? { level: "SHOULD" } : {}) };
  }),
  onHandshakes("AAEP-HS-009", function* (request, grant) {
    for (const name of ["supports_confirmation_reply", "supports_clarification_reply"])
      if (grant[name] === true && (request[name] === undefined || request[name] === false))
        yield { at: `${termsPath}/${name}`, why: "is true, but was not requested" };
    if (grant.accept_signed_manifests_only === false && request.accept_signed_manifests_only === true)
      yield { at: `${termsPath}/accept_signed_manifests_only`, why: "is false, although the request demands it" };
    const lists = { supported_conformance_levels: [1], supported_extensions: [] };
    for (const [name, defaultItems] of Object.entries(lists)) {
      const requestedItems = new Set<Json>(listOf(request[name]) ?? defaultItems);
      for (const [index, item] of (listOf(grant[name]) ?? []).entries())
        if (!requestedItems.has(item))
          yield { at: `${termsPath}/${name}/${index}`, why: `is ${item}, which was not requested` };
    }
  }),
  {
    rule: "AAEP-HS-010",
    documents: ["handshake"],
    *check(record) {
      const { request, accepted } = partsOf(record);
      const [requestedMajor, acceptedMajor] = [majorOf(request.aaep_version), majorOf(accepted.aaep_version)];
      if (requestedMajor !== undefined && acceptedMajor !== undefined && isGreater(acceptedMajor, requestedMajor))
        yield {
          at: "/accepted/aaep_version",
          why: `has the major version ${acceptedMajor}, which is higher than the requested ${requestedMajor}`,
        };
    },
  },
];

const termsPath = "/accepted/honored_capabilities";

function onHandshakes(rule: string, check: (request: JsonObject, grant: JsonObject) => Iterable<Breach>): Checker {
  return {
    rule,
    documents: ["handshake"],
    check(record) {
      const { request, accepted } = partsOf(record);
      const { capabilities: requestedCapabilities } = request;
      const { honored_capabilities: grantedCapabilities } = accepted;
      return isObject(requestedCapabilities) && isObject(grantedCapabilities)
        ? check(requestedCapabilities, grantedCapabilities)
        : [];
    },
  };
}

function partsOf(record: Json): { request: JsonObject; accepted: JsonObject } {
  const { request, accepted } = isObject(record) ? record : {};
  return { request: isObject(request) ? request : {}, accepted: isObject(accepted) ? accepted : {} };
}

/** Makes the finding for a term that the answer omits. The term counts as granted, but the answer should repeat it. */
function omittedTerm(name: string): Breach {
  return { at: termsPath, why: `does not repeat ${name} of the request`, level: "SHOULD" };
}

/** A capability that is a list: its default items, and whether a requested item covers a granted one. */
interface GrantedList {
  name: string;
  defaultItems: readonly string[];
  covers: (grantedItem: string, requestedItem: string) => boolean;
}

const boundaries: GrantedList = {
  name: "coalesce_boundaries",
  defaultItems: ["sentence", "completion"],
  covers: (grantedItem, requestedItem) => grantedItem === requestedItem,
};

/** Finds granted items that were not requested. If the request omits the list, the default applies, and the finding is only a warning. */
function* findExtras(
  request: JsonObject,
  grant: JsonObject,
  { name, defaultItems, covers: isCovered }: GrantedList,
): Iterable<Breach> {
  const requestedList = listOf(request[name]);
  const grantedList = listOf(grant[name]);
  if (grantedList === undefined) {
    if (requestedList !== undefined && grant[name] === undefined) yield omittedTerm(name);
    return;
  }
  if (requestedList === undefined && request[name] !== undefined) return;
  const requestedStrings = stringsIn(requestedList ?? defaultItems);
  for (const [index, grantedString] of stringsIn(grantedList).entries())
    if (!requestedStrings.some((requestedString) => isCovered(grantedString, requestedString)))
      yield {
        at: `${termsPath}/${name}/${index}`,
        why: `is "${grantedString}", which was not requested`,
        ...(requestedList === undefined ? { level: "SHOULD" } : {}),
      };
}

function listOf(value: Json | undefined): Json[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** Returns the strings of a list. The schema rejects lists of more than 64 items. */
function stringsIn(list: readonly Json[]): string[] {
  return list.slice(0, 64).filter((item) => typeof item === "string");
}

function majorOf(version: Json | undefined): string | undefined {
  return typeof version === "string" ? /^0*([0-9]+)\./.exec(version)?.[1] : undefined;
}

/** Compares numerals of any length, without leading zeros. */
function isGreater(first: string, second: string): boolean {
  return first.length === second.length ? first > second : first.length > second.length;
}
