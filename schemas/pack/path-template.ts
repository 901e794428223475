import type { Endpoint, Parameter } from "../endpoint.ts";
import { isObject } from "../json.ts";

/** Adds a path parameter to an endpoint for each part in braces, such as `/orders/{id}`, that has a given value. */
export function withPathParts(endpoint: Endpoint): Endpoint {
  const parts = findFreeParts(endpoint).filter((name) => givenPart(endpoint, name) !== undefined);
  if (parts.length === 0) return endpoint;
  const parameters = parts.map((name): Parameter => ({ in: "path", name, style: "simple", explode: false }));
  return { ...endpoint, parameters: [...(endpoint.parameters ?? []), ...parameters] };
}

/** The first part in braces with neither a parameter nor a value: it would be sent literally. */
export function unfilledPart(endpoint: Endpoint): string | undefined {
  return findFreeParts(endpoint).find((name) => givenPart(endpoint, name) === undefined);
}

function findFreeParts({ path, parameters = [] }: Endpoint): string[] {
  const names = [...path.matchAll(/\{([^{}/]+)\}/g)].map(([, name = ""]) => name);
  return [...new Set(names)].filter(
    (name) => !parameters.some((parameter) => parameter.in === "path" && parameter.name === name),
  );
}

function givenPart({ given }: Endpoint, name: string): unknown {
  const values = given?.parameters?.path;
  return isObject(values) && Object.hasOwn(values, name) ? values[name] : undefined;
}
