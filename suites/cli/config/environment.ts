import { type Config, isObject, pointer, TouchstoneError } from "../../../schemas/index.ts";

/** The members of a configuration that may be secret. They may refer to environment variables. */
export const secretMembers: readonly RegExp[] = [
  /^\/target\/headers\//,
  /^\/credentials\//,
  /^\/callbackAuth\//,
  /^\/agent\/key\//,
  /^\/hooks\/[^/]+\/http\/headers\//,
];

/** Further members that may refer to environment variables: addresses, for ports that are not known in advance, and options, which may contain addresses. */
const addresses: readonly RegExp[] = [/^\/target\/url$/, /^\/hooks\/[^/]+\/http\/url$/, /^\/options\//];

/** Whether a part of a configuration is used. */
export type IsUsed = (path: string) => boolean;

/** Replaces `${NAME}` in addresses, options and secrets of a configuration with the value of the environment variable. Throws a usage error if a variable is not set and its part of the configuration is used. */
export function fillVariables(
  config: Config,
  environment: NodeJS.ProcessEnv,
  locate: (path: string) => string,
  isUsed: IsUsed = () => true,
): Config {
  const fillable = [...secretMembers, ...addresses];
  const fill = (value: unknown, path: string): unknown => {
    if (!isUsed(path)) return value;
    if (typeof value === "string")
      return fillable.some((pattern) => pattern.test(path)) ? insertValues(value, path) : value;
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, fill(member, pointer.append(path, name))]),
    );
  };
  const insertValues = (text: string, path: string): string =>
    text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
      const value = environment[name];
      if (value !== undefined) return value;
      const hint = `set it: export ${name}=…`;
      throw new TouchstoneError("usage", `the environment variable ${name} is not set`, { where: locate(path), hint });
    });
  return fill(config, "") as Config;
}
