import type { Endpoint } from "../../../schemas/index.ts";

const jsonType = "application/json";

/** The `Accept` of a request: the media types of successes in the description, JSON first, since JSON bodies are judged. A server that has none of these types may refuse (RFC 9110, 12.5.1). A header given for all requests wins. */
export function acceptFor({ described }: Endpoint, given: string | undefined): string | undefined {
  if (described?.statuses === undefined || given !== jsonType) return given;
  const named = described.statuses.named.filter(({ status }) => /^(2|default$)/.test(status));
  const types = [...new Set(named.flatMap((each) => each.types.map(plainType)))].filter((type) => !type.includes("*"));
  const isJson = (type: string): boolean => /[/+]json$/.test(type);
  const json = types.filter(isJson);
  const otherTypes = types.filter((type) => !isJson(type));
  const second = (type: string): string => `${type};q=0.9`;
  if (json.length === 0 && otherTypes.length > 0) return [...otherTypes, second(jsonType)].join(", ");
  return [...new Set([...json, jsonType]), ...otherTypes.map(second)].join(", ");
}

function plainType(type: string): string {
  return type.split(";")[0]?.trim().toLowerCase() ?? "";
}
