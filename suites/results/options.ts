import type { ReportOptions, ReportTarget, TargetConfig } from "../../schemas/index.ts";

type Optional<T> = { [K in keyof T]?: T[K] | undefined };

/** How a run is called, secrets and all. */
export interface Called extends Optional<Omit<ReportOptions, "verb" | "protocol" | "target">> {
  /** How the program is called, such as `npx touchstone`. */
  program?: string | undefined;
  /** Name of the command; `run` when it is not said. */
  verb?: ReportOptions["verb"] | undefined;
  protocol: string;
  target: TargetConfig;
  /** The configuration names the target, so that a command need not: what that takes from the environment stays there. */
  isConfigured?: boolean;
  /** Of fuzzing: values of options by name that say how much is drawn, or which of it. What repeats a single failure has its own. */
  extent?: Readonly<Partial<Record<Extent, string | number | undefined>>>;
}

/** The options of `fuzz` that say how much is drawn, or which of it. */
export const extents = ["runs", "walks", "max-failures", "path"] as const;
export type Extent = (typeof extents)[number];

/** What a report holds of how its run was called: neither header values nor passwords. */
export function optionsOf(called: Called): ReportOptions {
  const { program: _, isConfigured: __, extent: ___, verb = "run", protocol, target, ...others } = called;
  const said = Object.entries(others).filter(([, value]) => value !== undefined);
  return { verb, protocol, target: targetOf(target), ...Object.fromEntries(said) };
}

function targetOf(target: TargetConfig): ReportTarget {
  if (target.kind === "mcp") {
    const { headers, server, ...others } = target;
    const said = { ...others, server: /^https?:/i.test(server) ? withoutSecrets(server) : server };
    return headers === undefined ? said : { ...said, headers: Object.keys(headers) };
  }
  if (target.kind !== "http") return { ...target };
  const { kind, url, headers, endpoints, claims } = target;
  return {
    ...{ kind, url: withoutSecrets(url) },
    ...(headers === undefined ? {} : { headers: Object.keys(headers) }),
    ...(endpoints === undefined ? {} : { endpoints }),
    ...(claims === undefined ? {} : { claims }),
  };
}

/** Without a login, and with a variable in the place of each value of its query: any of them may be a secret. */
function withoutSecrets(url: string): string {
  return url
    .replace(/^(\w+:\/\/)[^/?#]*@/, "$1")
    .replace(/#.*$/s, "")
    .replace(/([?&])([^=&]+)=[^&]*/g, (_, mark: string, name: string) => `${mark}${name}=$${variableOf(name)}`);
}

/** The environment variable that stands for the value of a header, or of a part of a query: it may be a secret. */
export function variableOf(name: string): string {
  return name
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "_")
    .replace(/^(?=[0-9])/, "_");
}
