import { type Breach, type Checker, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { findLeak } from "./filter.ts";
import { covers } from "./tag.ts";

/** A request and its acceptance: the grant must not exceed the request. */
export const grantCheckers: readonly Checker[] = [
  onHandshakes("AAEP-HS-005", function* (asked, granted) {
    const { max_events_per_second: most } = asked;
    const { max_events_per_second: rate } = granted;
    if (typeof most !== "number") return;
    if (rate === undefined) yield unsaidTerm("max_events_per_second");
    else if (typeof rate === "number" && rate > most)
      yield { at: `${terms}/max_events_per_second`, why: `is ${rate}, over the ${most} asked for` };
  }),
  onHandshakes("AAEP-HS-006", (asked, granted) =>
    findExtras(asked, granted, { name: "languages", fallback: ["en-US"], fits: covers }),
  ),
  onHandshakes("AAEP-HS-007", (asked, granted) => findExtras(asked, granted, boundaries)),
  onHandshakes("AAEP-HS-008", function* (asked, granted) {
    if (asked.event_filters !== undefined && granted.event_filters === undefined) yield unsaidTerm("event_filters");
    const found = findLeak(asked.event_filters, granted.event_filters);
    if (found === undefined) return;
    const why = `lets "${found.type}" through, which the request keeps out`;
    yield { at: `${terms}/event_filters`, why, ...(found.byDefault ? { level: "SHOULD" } : {}) };
  }),
  onHandshakes("AAEP-HS-009", function* (asked, granted) {
    for (const name of ["supports_confirmation_reply", "supports_clarification_reply"])
      if (granted[name] === true && (asked[name] === undefined || asked[name] === false))
        yield { at: `${terms}/${name}`, why: "is true, and was not asked for" };
    if (granted.accept_signed_manifests_only === false && asked.accept_signed_manifests_only === true)
      yield { at: `${terms}/accept_signed_manifests_only`, why: "is false, while the request demands it" };
    const lists = { supported_conformance_levels: [1], supported_extensions: [] };
    for (const [name, fallback] of Object.entries(lists)) {
      const known = new Set<Json>(listOf(asked[name]) ?? fallback);
      for (const [index, each] of (listOf(granted[name]) ?? []).entries())
        if (!known.has(each)) yield { at: `${terms}/${name}/${index}`, why: `is ${each}, which was not asked for` };
    }
  }),
  {
    rule: "AAEP-HS-010",
    documents: ["handshake"],
    *check(record) {
      const { request, accepted } = partsOf(record);
      const [asked, spoken] = [majorOf(request.aaep_version), majorOf(accepted.aaep_version)];
      if (asked !== undefined && spoken !== undefined && isAbove(spoken, asked))
        yield { at: "/accepted/aaep_version", why: `has the major version ${spoken}, above the ${asked} asked for` };
    },
  },
];

const terms = "/accepted/honored_capabilities";

function onHandshakes(rule: string, check: (asked: JsonObject, granted: JsonObject) => Iterable<Breach>): Checker {
  return {
    rule,
    documents: ["handshake"],
    check(record) {
      const { request, accepted } = partsOf(record);
      const { capabilities: asked } = request;
      const { honored_capabilities: granted } = accepted;
      return isObject(asked) && isObject(granted) ? check(asked, granted) : [];
    },
  };
}

function partsOf(record: Json): { request: JsonObject; accepted: JsonObject } {
  const { request, accepted } = isObject(record) ? record : {};
  return { request: isObject(request) ? request : {}, accepted: isObject(accepted) ? accepted : {} };
}

/** An omitted answer grants an explicit wish, but should repeat it. */
function unsaidTerm(name: string): Breach {
  return { at: terms, why: `does not say ${name}, which the request did`, level: "SHOULD" };
}

/** A capability that is a list: its default value, and whether a requested item covers a granted one. */
interface ListCapabilities {
  name: string;
  fallback: readonly string[];
  fits: (one: string, other: string) => boolean;
}

const boundaries: ListCapabilities = {
  name: "coalesce_boundaries",
  fallback: ["sentence", "completion"],
  fits: (one, other) => one === other,
};

/** Granted items that were not requested. Without a request the default applies, and the finding is only a warning. */
function* findExtras(
  asked: JsonObject,
  granted: JsonObject,
  { name, fallback, fits }: ListCapabilities,
): Iterable<Breach> {
  const wanted = listOf(asked[name]);
  const given = listOf(granted[name]);
  if (given === undefined) {
    if (wanted !== undefined && granted[name] === undefined) yield unsaidTerm(name);
    return;
  }
  if (wanted === undefined && asked[name] !== undefined) return;
  // The schema limits longer lists.
  const [requested, honored] = [wanted ?? fallback, given].map((list) => list.slice(0, 64).filter(isText)) as [
    string[],
    string[],
  ];
  for (const [index, each] of honored.entries())
    if (!requested.some((one) => fits(each, one)))
      yield {
        at: `${terms}/${name}/${index}`,
        why: `is "${each}", which was not asked for`,
        ...(wanted === undefined ? { level: "SHOULD" } : {}),
      };
}

function listOf(value: Json | undefined): Json[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function isText(value: Json): value is string {
  return typeof value === "string";
}

function majorOf(version: Json | undefined): string | undefined {
  return typeof version === "string" ? /^0*([0-9]+)\./.exec(version)?.[1] : undefined;
}

/** Compares numerals of any length, without leading zeros. */
function isAbove(one: string, other: string): boolean {
  return one.length === other.length ? one > other : one.length > other.length;
}
