import { existsSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { type Config, isObject, nearestName, TouchstoneError } from "../../../schemas/index.ts";

/** `FILE#PROJECT`: a file, and one of the projects in it. A file with the sign in its own name is read as a whole. */
export function splitConfig(named: string): { file: string; project?: string } {
  const sign = named.lastIndexOf("#");
  if (sign < 1 || existsSync(named)) return { file: named };
  return { file: named.slice(0, sign), project: named.slice(sign + 1) };
}

/**
 * The settings of one project of a configuration: the project's own members, and the others of the configuration. Without a project it is the
 * configuration as it is. Throws a usage error for a project that it does not have.
 */
export function projectIn(config: unknown, project: string | undefined, where: string): unknown {
  if (project === undefined) return config;
  const { projects, ...shared } = (isObject(config) ? config : {}) as Config;
  const all = isObject(projects) ? projects : {};
  if (!Object.hasOwn(all, project) || !isObject(all[project])) {
    const names = Object.keys(all);
    throw new TouchstoneError("usage", `unknown project "${project}"`, {
      where,
      hint:
        names.length === 0 ? 'it has no "projects"' : `${nearestName(project, names)}there are: ${names.join(", ")}`,
    });
  }
  const { report, baseline, webServer } = shared;
  return {
    ...shared,
    ...(report === undefined ? {} : { report: report.map((each) => reportOf(each, project)) }),
    ...(baseline === undefined ? {} : { baseline: baseline.replaceAll("{project}", project) }),
    // A server that all projects share is started by the first project that needs it.
    ...(webServer === undefined ? {} : { webServer: { ...webServer, reuse: true } }),
    ...all[project],
  };
}

/** The pointer of a member that a project may have itself. */
export function placeInProject(config: unknown, project: string | undefined, at: string): string {
  if (project === undefined) return at;
  const [, name = ""] = at.split("/");
  const own = isObject(config) && isObject(config.projects) ? config.projects[project] : undefined;
  return isObject(own) && Object.hasOwn(own, name) ? `/projects/${project}${at}` : at;
}

/** A report that several projects write, each to a file of its own: `{project}` is replaced by the name, which otherwise comes before the extension. */
export function reportOf(report: string, project: string): string {
  const sign = report.indexOf("=");
  if (sign === -1) return report;
  const file = report.slice(sign + 1);
  if (file.includes("{project}")) return report.replaceAll("{project}", project);
  const extension = extname(file);
  return `${report.slice(0, sign + 1)}${join(dirname(file), `${basename(file, extension)}-${project}${extension}`)}`;
}
