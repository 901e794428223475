import type { Endpoint } from "../../../schemas/index.ts";

const jsonType = "application/json";

/** Returns the `Accept` header of a request: the media types of successes in the description, JSON first, since JSON bodies are judged. A server that has none of these types may refuse (RFC 9110, 12.5.1). A header given for all requests wins. */
export function acceptFor({ described }: Endpoint, givenAccept: string | undefined): string | undefined {
  if (described?.statuses === undefined || givenAccept !== jsonType) return givenAccept;
  const successes = described.statuses.named.filter(({ status }) => /^(2|default$)/.test(status));
  const types = [...new Set(successes.flatMap((success) => success.types.map(plainType)))].filter(
    (type) => !type.includes("*"),
  );
  const isJson = (type: string): boolean => /[/+]json$/.test(type);
  const jsonTypes = types.filter(isJson);
  const otherTypes = types.filter((type) => !isJson(type));
  const secondChoice = (type: string): string => `${type};q=0.9`;
  if (jsonTypes.length === 0 && otherTypes.length > 0) return [...otherTypes, secondChoice(jsonType)].join(", ");
  return [...new Set([...jsonTypes, jsonType]), ...otherTypes.map(secondChoice)].join(", ");
}

function plainType(type: string): string {
  return type.split(";")[0]?.trim().toLowerCase() ?? "";
}
