import { type Config, type Credential, pointer, TouchstoneError } from "../../schemas/index.ts";

/** A configuration with `${NAME}` replaced by the environment's word in headers, tokens and keys. Throws a usage error for a name that is not set. */
export function filled(config: Config, environment: NodeJS.ProcessEnv, place: (at: string) => string): Config {
  const fill = (text: string, at: string): string =>
    text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
      const value = environment[name];
      if (value !== undefined) return value;
      throw new TouchstoneError("usage", `the environment has no ${name}`, { where: place(at), hint: `set it: export ${name}=…` });
    });
  const { target, credentials } = config;
  return {
    ...config,
    ...(target?.kind === "http" && target.headers !== undefined
      ? { target: { ...target, headers: each(target.headers, (text, name) => fill(text, pointer.append("/target/headers", name))) } }
      : {}),
    ...(credentials === undefined ? {} : { credentials: each(credentials, (given, name) => credential(given, (text, member) => fill(text, `/credentials/${name}/${member}`))) }),
  };
}

function credential(given: Credential, fill: (text: string, member: string) => string): Credential {
  const { agent, token, apikey } = given;
  return {
    agent,
    ...(token === undefined ? {} : { token: fill(token, "token") }),
    ...(apikey === undefined ? {} : { apikey: fill(apikey, "apikey") }),
  };
}

function each<T>(members: Record<string, T>, make: (value: T, name: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, make(value, name)]));
}
