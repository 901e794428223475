import { type Breach, type Checker, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";

/** JSON Pointers to the limits in the capability document, by name. */
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
        if (isObject(refusal) && capability !== undefined)
          yield* checkRefusal(refusal, capability, `/refused/${index}`);
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
      if (document === "conduct") yield* checkPublished(instance, capability, "signed_with", "signature_algs");
      if (document === "conduct") yield* checkPublished(instance, capability, "let_in", "auth_schemes");
    },
  },
];

function* checkRefusal({ limit, amount, request }: JsonObject, capability: Json, at: string): Iterable<Breach> {
  const pointerOfLimit = typeof limit === "string" ? publishedLimits[limit] : undefined;
  if (pointerOfLimit === undefined || typeof amount !== "number") return;
  const maximum = pointer.at(pointerOfLimit, capability);
  if (typeof maximum !== "number") {
    yield { at: `${at}/limit`, why: `is enforced, and ${pointerOfLimit.slice(1)} is not published`, level: "SHOULD" };
    return;
  }
  // The specification does not say whether `max_body_bytes` limits the member or the whole request. Both readings are correct.
  const size = limit === "body" && typeof request === "number" ? Math.max(amount, request) : amount;
  if (size > maximum) return;
  const why = `is ${size}, within the ${maximum} that are published`;
  yield { at: `${at}/amount`, why, ...(limit === "rate" ? { level: "SHOULD" } : {}) };
}

function* checkPublished(record: Json, capability: JsonObject, usedName: string, list: string): Iterable<Breach> {
  const publishedValues = capability[list];
  if (!Array.isArray(publishedValues)) return;
  for (const [index, value] of listAt(`/${usedName}`, record).entries())
    if (typeof value === "string" && !publishedValues.includes(value))
      yield { at: `/${usedName}/${index}`, why: `is "${value}", which ${list} does not publish` };
}

function listAt(path: string, value: Json): Json[] {
  const list = pointer.at(path, value);
  return Array.isArray(list) ? list : [];
}
