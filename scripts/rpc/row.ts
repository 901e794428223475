import type { Report } from "../../schemas/index.ts";
import { breachesOf, type RpcParty } from "./parties.ts";

/** The result of one server. */
export interface RpcRow {
  cells: readonly (string | number)[];
  /** Whether a correct server violates only what its library itself violates, or a mistake is found. */
  isFine: boolean;
}

/** The violations of a server, by rule, or by schema location if no rule covers it. */
export function accusationsIn(report: Report): string[] {
  const results = report.runs.flatMap((run) => run.results).filter(({ outcome }) => outcome === "violates");
  return [...new Set(results.map(({ rule, site }) => rule ?? site?.replace(/^.*#\/\$defs\/\w+/, "") ?? "text"))].sort();
}

export function rowOf(party: RpcParty, report: Report): RpcRow {
  const { library, option = "-", mistake } = party;
  const ownBreaches = breachesOf(party);
  const violations = accusationsIn(report);
  const otherBreaches = violations.filter((violation) => !Object.hasOwn(ownBreaches, violation));
  const { counts } = report;
  const judgedCount = counts.conforms + counts.violates;
  const isFine = judgedCount > 0 && (mistake === undefined ? otherBreaches.length === 0 : otherBreaches.length > 0);
  const ownCount = violations.length - otherBreaches.length;
  const violated = [...otherBreaches, ...(ownCount === 0 ? [] : [`${ownCount} of the library's own`])].join(", ");
  return { isFine, cells: [library, option, mistake ?? "none", judgedCount, counts.skipped, counts.errored, violated] };
}

export function rpcTable(rows: readonly RpcRow[]): string {
  const head = ["library", "option", "mistake", "judged", "skipped", "errored", "violated"];
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), "|---|---|---|--:|--:|--:|---|", ...rows.map(({ cells }) => line(cells))].join("\n");
}
