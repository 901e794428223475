import { type Config, isObject, pointer, TouchstoneError } from "../../../schemas/index.ts";

/** The members of a configuration that may be secret, and may therefore refer to environment variables. */
export const secretMembers: readonly RegExp[] = [
  /^\/target\/headers\//,
  /^\/credentials\//,
  /^\/callbackAuth\//,
  /^\/agent\/key\//,
  /^\/hooks\/[^/]+\/http\/headers\//,
];

/** An address may have a port that is not known in advance. So may options, which may contain further addresses of a protocol. */
const addresses: readonly RegExp[] = [/^\/target\/url$/, /^\/hooks\/[^/]+\/http\/url$/, /^\/options\//];

/** Whether a part of a configuration is used. */
export type Used = (at: string) => boolean;

/** Replaces `${NAME}` in addresses, options, headers, tokens and keys of a configuration by the value in the environment. Throws a usage error for a used name that is not set. */
export function fillVariables(
  config: Config,
  environment: NodeJS.ProcessEnv,
  place: (at: string) => string,
  isUsed: Used = () => true,
): Config {
  const open = [...secretMembers, ...addresses];
  const fill = (value: unknown, at: string): unknown => {
    if (!isUsed(at)) return value;
    if (typeof value === "string") return open.some((each) => each.test(at)) ? insertValues(value, at) : value;
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, fill(each, pointer.append(at, name))]),
    );
  };
  const insertValues = (text: string, at: string): string =>
    text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
      const value = environment[name];
      if (value !== undefined) return value;
      const hint = `set it: export ${name}=…`;
      throw new TouchstoneError("usage", `the environment variable ${name} is not set`, { where: place(at), hint });
    });
  return fill(config, "") as Config;
}
