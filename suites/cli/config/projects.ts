import { existsSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { type Config, isObject, nearestName, TouchstoneError } from "../../../schemas/index.ts";

/** Splits `FILE#PROJECT` into a file and one of its projects. If a file with the whole name exists, the name is not split. */
export function splitConfig(configPath: string): { file: string; project?: string } {
  const hashIndex = configPath.lastIndexOf("#");
  if (hashIndex < 1 || existsSync(configPath)) return { file: configPath };
  return { file: configPath.slice(0, hashIndex), project: configPath.slice(hashIndex + 1) };
}

/** Merges the members of a project with those that the configuration shares among projects. Without a project, returns the configuration itself. Throws a usage error for an unknown project. */
export function projectIn(config: unknown, project: string | undefined, where: string): unknown {
  if (project === undefined) return config;
  const { projects, ...sharedMembers } = (isObject(config) ? config : {}) as Config;
  const projectsByName = isObject(projects) ? projects : {};
  if (!Object.hasOwn(projectsByName, project) || !isObject(projectsByName[project])) {
    const names = Object.keys(projectsByName);
    throw new TouchstoneError("usage", `unknown project "${project}"`, {
      where,
      hint:
        names.length === 0 ? 'it has no "projects"' : `${nearestName(project, names)}there are: ${names.join(", ")}`,
    });
  }
  const { report, baseline, webServer } = sharedMembers;
  return {
    ...sharedMembers,
    ...(report === undefined ? {} : { report: report.map((report) => reportOf(report, project)) }),
    ...(baseline === undefined ? {} : { baseline: baseline.replaceAll("{project}", project) }),
    // A server that all projects share is started by the first project that needs it.
    ...(webServer === undefined ? {} : { webServer: { ...webServer, reuse: true } }),
    ...projectsByName[project],
  };
}

/** The pointer to a member in the file: within the project if the project has it, otherwise at the top. */
export function placeInProject(config: unknown, project: string | undefined, path: string): string {
  if (project === undefined) return path;
  const [, name = ""] = path.split("/");
  const ownMembers = isObject(config) && isObject(config.projects) ? config.projects[project] : undefined;
  return isObject(ownMembers) && Object.hasOwn(ownMembers, name) ? `/projects/${project}${path}` : path;
}

/** Gives a report of a project its own file: the name of the project replaces `{project}`, or is put before the extension. */
export function reportOf(reportOption: string, project: string): string {
  const equalsIndex = reportOption.indexOf("=");
  if (equalsIndex === -1) return reportOption;
  const file = reportOption.slice(equalsIndex + 1);
  if (file.includes("{project}")) return reportOption.replaceAll("{project}", project);
  const extension = extname(file);
  return `${reportOption.slice(0, equalsIndex + 1)}${join(dirname(file), `${basename(file, extension)}-${project}${extension}`)}`;
}
