const redacted = "[redacted]";

const secretNames = /^(set-)?cookie$|authorization|token|secret|password|api-?key|signature|session/i;

/** Below that, a value is no secret but a word that may stand anywhere. */
const shortest = 6;

/** A hostile server may make up new ones for ever. */
const mostNames = 1000;

export interface Redactor {
  headers(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string>;
  text(text: string): string;
}

/** Hides the values of headers that carry secrets, and whatever the user configured, also where a server repeats it. */
export function redactor(configured: Readonly<Record<string, string>>): Redactor {
  const names = new Set(Object.keys(configured).map((name) => name.toLowerCase()));
  const secrets = Object.values(configured)
    .flatMap((value) => [value, value.replace(/^\w+ /, "")])
    .filter((value) => value.length >= shortest);
  // Servers send the same few headers again and again.
  const isSecret = new Map<string, boolean>();
  const hides = (name: string): boolean => {
    const known = isSecret.get(name);
    if (known !== undefined) return known;
    const secret = names.has(name.toLowerCase()) || secretNames.test(name);
    if (isSecret.size < mostNames) isSecret.set(name, secret);
    return secret;
  };
  const text = (value: string): string => secrets.reduce((left, secret) => left.replaceAll(secret, redacted), value);
  return {
    text,
    headers(headers) {
      const shown: Record<string, string> = {};
      for (const [name, value] of Object.entries(headers)) {
        if (value === undefined) continue;
        if (hides(name)) shown[name] = redacted;
        else shown[name] = text(typeof value === "string" ? value : value.join(", "));
      }
      return shown;
    },
  };
}
