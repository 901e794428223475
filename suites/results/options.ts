import type { ReportOptions, ReportTarget, TargetConfig } from "../../schemas/index.ts";
import { isWebAddress } from "../base/secrets/address.ts";

type Optional<T> = { [K in keyof T]?: T[K] | undefined };

/** The call of a run, including secrets. */
export interface RunCall extends Optional<Omit<ReportOptions, "verb" | "protocol" | "target">> {
  /** The command that starts the program, such as `npx touchstone`. */
  program?: string | undefined;
  /** The name of the command; `run` by default. */
  verb?: ReportOptions["verb"] | undefined;
  protocol: string;
  target: TargetConfig;
  /** Whether the configuration names the target, so that the command does not have to, and values from the environment do not appear in it. */
  isConfigured?: boolean;
  /** For fuzzing: the values of the options that set the extent of generation, by name. The command for a single failure has a different extent. */
  extent?: Readonly<Partial<Record<ExtentOption, string | number | undefined>>>;
}

/** The options of `fuzz` that set how much is generated, or which part of it. */
export const extentOptions = ["runs", "walks", "max-failures", "path"] as const;
export type ExtentOption = (typeof extentOptions)[number];

/** Returns the options of a run for its report, without header values and passwords. */
export function optionsOf(call: RunCall): ReportOptions {
  const { program: _, isConfigured: __, extent: ___, verb = "run", protocol, target, ...otherMembers } = call;
  const definedOptions = Object.entries(otherMembers).filter(([, value]) => value !== undefined);
  return { verb, protocol, target: targetOf(target), ...Object.fromEntries(definedOptions) };
}

function targetOf(target: TargetConfig): ReportTarget {
  if (target.kind === "mcp") {
    const { headers, server, ...others } = target;
    const withoutPasswords = { ...others, server: isWebAddress(server) ? withoutSecrets(server) : server };
    return headers === undefined ? withoutPasswords : { ...withoutPasswords, headers: Object.keys(headers) };
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

/** Removes the login and the fragment from an address, and replaces each value in its query, and each name without a value, by a variable, because any of them may be a secret. The address is normalised as a URL (WHATWG), unless its spelling is unproblematic. */
function withoutSecrets(address: string): string {
  const url = new URL(address);
  const [withoutFragment = ""] = address.split("#");
  const [withoutQuery = ""] = withoutFragment.split("?");
  const isUsual = /^https?:\/\/[^\s\\@]*$/i.test(withoutQuery);
  const start = isUsual ? withoutQuery : `${url.origin}${url.pathname}`;
  const search = url.search.slice(1);
  if (search === "") return start;
  const pairs = search.split("&").map((pair) => {
    const [, name, value] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    if (pair === "") return "";
    if (name === undefined || name === "" || value === "") return "$QUERY";
    return `${name}=$${variableOf(name)}`;
  });
  return `${start}?${pairs.join("&")}`;
}

/** Returns the environment variable for the value of a header or for a part of a query, which may be a secret. */
export function variableOf(name: string): string {
  return name
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "_")
    .replace(/^(?=[0-9])/, "_");
}
