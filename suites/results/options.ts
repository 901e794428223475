import type { ReportOptions, ReportTarget, TargetConfig } from "../../schemas/index.ts";
import { isWebAddress } from "../base/secrets/address.ts";

type Optional<T> = { [K in keyof T]?: T[K] | undefined };

/** How a run is called, secrets and all. */
export interface Called extends Optional<Omit<ReportOptions, "verb" | "protocol" | "target">> {
  /** How the program is called, such as `npx touchstone`. */
  program?: string | undefined;
  /** Name of the command; `run` when it is not said. */
  verb?: ReportOptions["verb"] | undefined;
  protocol: string;
  target: TargetConfig;
  /** The configuration names the target, so that a command need not: its values from the environment stay there. */
  isConfigured?: boolean;
  /** For fuzzing: values of options by name that set the extent of generation. The command for a single failure has its own. */
  extent?: Readonly<Partial<Record<SetExtent, string | number | undefined>>>;
}

/** The options of `fuzz` that say how much is drawn, or which of it. */
export const extentOptions = ["runs", "walks", "max-failures", "path"] as const;
export type SetExtent = (typeof extentOptions)[number];

/** The options of a run in its report: neither header values nor passwords. */
export function optionsOf(called: Called): ReportOptions {
  const { program: _, isConfigured: __, extent: ___, verb = "run", protocol, target, ...others } = called;
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  return { verb, protocol, target: targetOf(target), ...Object.fromEntries(given) };
}

function targetOf(target: TargetConfig): ReportTarget {
  if (target.kind === "mcp") {
    const { headers, server, ...others } = target;
    const safe = { ...others, server: isWebAddress(server) ? withoutSecrets(server) : server };
    return headers === undefined ? safe : { ...safe, headers: Object.keys(headers) };
  }
  if (target.kind !== "http") return { ...target };
  const { kind, url, headers, endpoints, claims } = target;
  return {
    kind,
    url: isWebAddress(url) ? withoutSecrets(url) : "http://…",
    ...(headers === undefined ? {} : { headers: Object.keys(headers) }),
    ...(endpoints === undefined ? {} : { endpoints }),
    ...(claims === undefined ? {} : { claims }),
  };
}

/**
 * Without a login and a fragment, and with a variable for each value in its query, and for each name without a value: any of them may be a
 * secret. Parsed and normalised as a URL (WHATWG); another spelling is kept only if nothing was removed.
 */
function withoutSecrets(address: string): string {
  const url = new URL(address);
  const [beyond = ""] = address.split("#");
  const [plain = ""] = beyond.split("?");
  const isUsual = /^https?:\/\/[^\s\\@]*$/i.test(plain);
  const start = isUsual ? plain : `${url.origin}${url.pathname}`;
  const search = url.search.slice(1);
  if (search === "") return start;
  const pairs = search.split("&").map((pair) => {
    const [, name, value] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    if (pair === "" || name === undefined || value === "" || name === "") return pair === "" ? "" : "$QUERY";
    return `${name}=$${variableOf(name)}`;
  });
  return `${start}?${pairs.join("&")}`;
}

/** The environment variable for the value of a header, or of a part of a query: it may be a secret. */
export function variableOf(name: string): string {
  return name
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "_")
    .replace(/^(?=[0-9])/, "_");
}
