import { existsSync, readFileSync } from "node:fs";
import type { BaselineEntry, Report } from "../../../schemas/index.ts";
import type { RenderOptions } from "../../reports/format.ts";
import { findConfig } from "../config/find.ts";
import { splitConfig } from "../config/projects.ts";

/** Finds the lines of the entries of a report's baseline, and the user's own file that a report can point to: the configuration, or the baseline. */
export function findOwnPlaces(report: Report): Pick<RenderOptions, "entryLine" | "ownFile"> {
  const { baseline, options } = report;
  const baselineFile = baseline !== undefined && existsSync(baseline.file) ? baseline.file : undefined;
  const configFile = typeof options?.config === "string" ? splitConfig(options.config).file : undefined;
  const configPath = configFile ?? (options?.config === false ? undefined : findConfig(process.cwd()));
  const ownFile = configPath !== undefined && existsSync(configPath) ? configPath : baselineFile;
  return {
    ...(ownFile === undefined ? {} : { ownFile }),
    ...(baselineFile === undefined ? {} : { entryLine: linesIn(readFileSync(baselineFile, "utf8")) }),
  };
}

/** Returns a function that finds the line of an entry in a baseline, counted from 1. Of duplicates, it finds the last one. */
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
