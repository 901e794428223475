import { existsSync, readFileSync } from "node:fs";
import type { BaselineEntry, Report } from "../../../schemas/index.ts";
import type { RenderOptions } from "../../reports/format.ts";
import { findConfig } from "../config/find.ts";
import { splitConfig } from "../config/projects.ts";

/** The places of a report's baseline and of its entries, and the user's file behind the run: the configuration, or the baseline. */
export function findOwnPlaces(report: Report): Pick<RenderOptions, "entryLine" | "ownFile"> {
  const { baseline, options } = report;
  const list = baseline !== undefined && existsSync(baseline.file) ? baseline.file : undefined;
  const configFile = typeof options?.config === "string" ? splitConfig(options.config).file : undefined;
  const config = configFile ?? (options?.config === false ? undefined : findConfig(process.cwd()));
  const ownFile = config !== undefined && existsSync(config) ? config : list;
  return {
    ...(ownFile === undefined ? {} : { ownFile }),
    ...(list === undefined ? {} : { entryLine: linesIn(readFileSync(list, "utf8")) }),
  };
}

/** The line of a baseline, counted from 1, on which an entry names its id, rule or assertion; of several, the last one, which is a duplicate. */
export function linesIn(text: string): (entry: Pick<BaselineEntry, "id" | "rule" | "site">) => number | undefined {
  const lines = new Map<string, number>();
  text.split("\n").forEach((line, index) => {
    for (const [, key = "", value = ""] of line.matchAll(/"(id|rule|site)"\s*:\s*("(?:[^"\\]|\\.)*")/g))
      lines.set(`${key} ${value}`, index + 1);
  });
  return (entry) => {
    for (const key of ["id", "rule", "site"] as const) {
      const value = entry[key];
      const line = value === undefined ? undefined : lines.get(`${key} ${JSON.stringify(value)}`);
      if (line !== undefined) return line;
    }
    return undefined;
  };
}
