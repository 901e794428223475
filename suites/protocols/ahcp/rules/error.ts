import { type Breach, type Checker, isObject, type Json, pointer } from "../../../../schemas/index.ts";

/** The error codes for each HTTP status. */
export const codes: Readonly<Record<number, readonly string[]>> = {
  400: ["validation_error", "version_not_supported"],
  401: ["unauthenticated"],
  403: ["agent_id_mismatch", "not_authorized"],
  404: ["not_found"],
  409: ["idempotency_conflict", "already_terminal"],
  410: ["gone"],
  422: ["invalid_field"],
  429: ["rate_limited"],
};

/** Statuses for HTTP errors (method, media type, or length of a path, body or header). The protocol has no codes for them. */
const transportStatuses: readonly number[] = [405, 406, 411, 413, 414, 415, 431, 501];

export const errorCheckers: readonly Checker[] = errorCheckersFor(codes);

/** The checkers for a protocol with more codes. */
export function errorCheckersFor(codes: Readonly<Record<number, readonly string[]>>): Checker[] {
  return [
    {
      rule: "AHCP-ERR-001",
      documents: ["error"],
      *check(record): Iterable<Breach> {
        if (!isObject(record) || typeof record.status !== "number") return;
        // The refusal of a cancellation may report the outcome in a format without `error`.
        if (record.endpoint === "cancel" && record.status === 409) return;
        const hasProtocolForm = record.endpoint !== "other" && Object.hasOwn(codes, record.status);
        for (const breach of findFormBreaches(record.body))
          yield hasProtocolForm ? breach : { ...breach, level: "SHOULD" };
      },
    },
    {
      rule: "AHCP-ERR-002",
      documents: ["error"],
      *check(record): Iterable<Breach> {
        const status = pointer.at("/status", record);
        const code = pointer.at("/body/error/code", record);
        if (typeof status !== "number" || typeof code !== "string" || code === "") return;
        const endpoint = pointer.at("/endpoint", record);
        // HTTP errors, and errors at paths outside of the protocol, have no code of the protocol.
        const hasNoCode = endpoint === "other" || transportStatuses.includes(status);
        const expectedStatuses = Object.keys(codes).filter((name) => codes[Number(name)]?.includes(code));
        if (expectedStatuses.length > 0 && !expectedStatuses.includes(String(status)))
          yield {
            at: "/status",
            why: `is ${status}, and the code "${code}" goes with ${expectedStatuses.join(" or ")}`,
            ...(hasNoCode ? { level: "SHOULD" } : {}),
          };
        if (expectedStatuses.length === 0 && Object.hasOwn(codes, status))
          yield { at: "/body/error/code", why: `is "${code}", which status ${status} does not list`, level: "SHOULD" };
      },
    },
  ];
}

function* findFormBreaches(body: Json | undefined): Iterable<Breach> {
  if (!isObject(body)) {
    yield { at: body === undefined ? "" : "/body", why: body === undefined ? "has no JSON body" : "is no object" };
    return;
  }
  const { error } = body;
  if (!isObject(error)) {
    yield { at: "/body", why: "has no object named error" };
    return;
  }
  for (const name of ["code", "message"]) {
    const value = Object.hasOwn(error, name) ? error[name] : undefined;
    if (value === undefined) yield { at: "/body/error", why: `has no ${name}` };
    else if (typeof value !== "string") yield { at: `/body/error/${name}`, why: "is no text" };
    else if (value === "") yield { at: `/body/error/${name}`, why: "is empty" };
    else if (name === "code" && !/^[a-z][a-z0-9_]*$/.test(value))
      yield { at: "/body/error/code", why: "is not written in small letters, digits and underscores", level: "SHOULD" };
  }
}
