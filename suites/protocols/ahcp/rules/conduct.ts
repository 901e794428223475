import { type Breach, type Checker, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";

/** The places of limits in the capability document, by name. */
const publishedLimits: Readonly<Record<string, string>> = {
  body: "/max_body_bytes",
  part: "/max_part_bytes",
  parts: "/max_context_parts",
  rate: "/rate_limit/requests_per_minute",
  inbox: "/rate_limit/inbox_depth",
};

export const conductCheckers: readonly Checker[] = [
  {
    rule: "AHCP-LIM-005",
    documents: ["conduct"],
    *check(record): Iterable<Breach> {
      const capability = pointer.at("/capability", record);
      for (const [index, refusal] of listAt("/refused", record).entries())
        if (isObject(refusal) && capability !== undefined) yield* ofRefusal(refusal, capability, `/refused/${index}`);
    },
  },
  {
    rule: "AHCP-CAP-004",
    documents: ["capability", "conduct"],
    *check(instance, document): Iterable<Breach> {
      const at = document === "conduct" ? "/capability" : "";
      const capability = pointer.at(at, instance);
      if (!isObject(capability)) return;
      const { replay_window_seconds: window } = capability;
      if (typeof window === "number" && window !== 120)
        yield { at: `${at}/replay_window_seconds`, why: `is ${window}, and agents refuse after 120` };
      if (document === "conduct") yield* useCapability(instance, capability, "signed_with", "signature_algs");
      if (document === "conduct") yield* useCapability(instance, capability, "let_in", "auth_schemes");
    },
  },
];

function* ofRefusal({ limit, amount, request }: JsonObject, capability: Json, at: string): Iterable<Breach> {
  const place = typeof limit === "string" ? publishedLimits[limit] : undefined;
  if (place === undefined || typeof amount !== "number") return;
  const most = pointer.at(place, capability);
  if (typeof most !== "number") {
    yield { at: `${at}/limit`, why: `is enforced, and ${place.slice(1)} is not published`, level: "SHOULD" };
    return;
  }
  // The specification does not say whether `max_body_bytes` limits the member or the whole request: either makes the refusal right.
  const seen = limit === "body" && typeof request === "number" ? Math.max(amount, request) : amount;
  if (seen > most) return;
  const why = `is ${seen}, within the ${most} that are published`;
  yield { at: `${at}/amount`, why, ...(limit === "rate" ? { level: "SHOULD" } : {}) };
}

function* useCapability(record: Json, capability: JsonObject, seen: string, list: string): Iterable<Breach> {
  const allowed = capability[list];
  if (!Array.isArray(allowed)) return;
  for (const [index, each] of listAt(`/${seen}`, record).entries())
    if (typeof each === "string" && !allowed.includes(each))
      yield { at: `/${seen}/${index}`, why: `is "${each}", which ${list} does not publish` };
}

function listAt(place: string, value: Json): Json[] {
  const found = pointer.at(place, value);
  return Array.isArray(found) ? found : [];
}
