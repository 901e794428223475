import { validateHeaderName, validateHeaderValue } from "node:http";
import { TouchstoneError, version } from "../../../schemas/index.ts";

/** Merges sets of headers, with names in lower case; later sets win. Throws a usage error for a header that cannot be sent. */
export function headersFrom(...sets: (Readonly<Record<string, string>> | undefined)[]): Record<string, string> {
  const headers: Record<string, string> = {
    accept: "application/json",
    "content-type": "application/json",
    "user-agent": `touchstone/${version}`,
  };
  for (const [name, value] of sets.flatMap((set) => Object.entries(set ?? {}))) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (cause) {
      // The value may be a secret, so only the name is shown.
      throw new TouchstoneError("usage", `the header ${JSON.stringify(name)} cannot be sent`, {
        hint: "names are letters, digits and hyphens; values are text without line breaks",
        cause,
      });
    }
    headers[name.toLowerCase()] = value;
  }
  return headers;
}
