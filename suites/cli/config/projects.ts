import { existsSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { type Config, isObject, nearestName, TouchstoneError } from "../../../schemas/index.ts";

/** Splits `FILE#PROJECT` into a file and one of its projects. If a file with the whole name exists, the name is not split. */
export function splitConfig(configPath: string): { file: string; project?: string } {
  const sign = configPath.lastIndexOf("#");
  if (sign < 1 || existsSync(configPath)) return { file: configPath };
  return { file: configPath.slice(0, sign), project: configPath.slice(sign + 1) };
}

/** The settings of one project: its own members, and the other members of the configuration. Without a project, the configuration itself. Throws a usage error for a project that the configuration does not have. */
export function projectIn(config: unknown, project: string | undefined, where: string): unknown {
  if (project === undefined) return config;
  const { projects, ...sharedMembers } = (isObject(config) ? config : {}) as Config;
  const all = isObject(projects) ? projects : {};
  if (!Object.hasOwn(all, project) || !isObject(all[project])) {
    const names = Object.keys(all);
    throw new TouchstoneError("usage", `unknown project "${project}"`, {
      where,
      hint:
        names.length === 0 ? 'it has no "projects"' : `${nearestName(project, names)}there are: ${names.join(", ")}`,
    });
  }
  const { report, baseline, webServer } = sharedMembers;
  return {
    ...sharedMembers,
    ...(report === undefined ? {} : { report: report.map((each) => reportOf(each, project)) }),
    ...(baseline === undefined ? {} : { baseline: baseline.replaceAll("{project}", project) }),
    // A server that all projects share is started by the first project that needs it.
    ...(webServer === undefined ? {} : { webServer: { ...webServer, reuse: true } }),
    ...all[project],
  };
}

/** The pointer to a member that a project may have itself. */
export function placeInProject(config: unknown, project: string | undefined, at: string): string {
  if (project === undefined) return at;
  const [, name = ""] = at.split("/");
  const ownMembers = isObject(config) && isObject(config.projects) ? config.projects[project] : undefined;
  return isObject(ownMembers) && Object.hasOwn(ownMembers, name) ? `/projects/${project}${at}` : at;
}

/** A separate file for each project's copy of a report: the name replaces `{project}`, or otherwise precedes the extension. */
export function reportOf(report: string, project: string): string {
  const sign = report.indexOf("=");
  if (sign === -1) return report;
  const file = report.slice(sign + 1);
  if (file.includes("{project}")) return report.replaceAll("{project}", project);
  const extension = extname(file);
  return `${report.slice(0, sign + 1)}${join(dirname(file), `${basename(file, extension)}-${project}${extension}`)}`;
}
