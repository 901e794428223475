import { type Endpoint, isObject } from "../../../schemas/index.ts";
import type { Operation } from "./operation.ts";
import { objectAt, placeBelow, type Sources } from "./source.ts";

type Reuse = NonNullable<NonNullable<Endpoint["described"]>["reuse"]>;

/**
 * Finds the statuses with which a document refuses a repeated key with another body, and the header of that key (see
 * draft-ietf-httpapi-idempotency-key-header, 2.7). If a status only might have this meaning, `untested` says why it is not tested.
 */
export function reuseOf(
  sources: Sources,
  operation: Operation,
  { parameters = [] }: Pick<Endpoint, "parameters">,
): { reuse?: Omit<Reuse, "rule">; untested?: string } {
  const key = parameters.find((parameter) => parameter.key === true);
  if (key === undefined) return {};
  const declared = operation.parameters.find(({ value }) => value.in === key.in && value.name === key.name)?.value;
  const parameterText = typeof declared?.description === "string" ? declared.description : "";
  const refusals = refusalsOf(sources, operation);
  const reuseRefusals = refusals.filter(({ status, description }) => {
    const isNamed = new RegExp(`\\b${status}\\b`).test(parameterText);
    return (
      isAboutReuse(isNamed ? `${key.name}: ${parameterText}` : description, key.name) ||
      isAboutReuse(description, key.name)
    );
  });
  const statuses = reuseRefusals.map(({ status }) => status);
  if (statuses.length > 0 && key.in === "header") return { reuse: { header: key.name.toLowerCase(), statuses } };
  const [possibleStatus] = [...statuses, ...refusals.map(({ status }) => status).filter((status) => status === "409")];
  if (possibleStatus === undefined) return {};
  const why =
    statuses.length > 0 ? "it is not a header" : `the document does not say that ${possibleStatus} has this meaning`;
  return {
    untested: `whether ${operation.name} refuses the key "${key.name}" with another body is not tested: ${why}`,
  };
}

/** Why reuse is not tested for a key in a body. Undefined if no status may be about it. */
export function untestedMember(sources: Sources, operation: Operation, name: string): string | undefined {
  const status = refusalsOf(sources, operation).find(
    (refusal) => refusal.status === "409" || isAboutReuse(refusal.description, name),
  )?.status;
  return (
    status &&
    `whether ${operation.name} refuses the key "${name}" with another body (${status}) is not tested: it is a member of the body`
  );
}

function refusalsOf(sources: Sources, { place }: Operation): { status: string; description: string }[] {
  const responses = objectAt(sources, placeBelow(place, "responses"));
  if (responses === undefined) return [];
  return Object.keys(responses.value)
    .filter((status) => /^4\d\d$/.test(status))
    .flatMap((status) => {
      const value = responses.value[status];
      const isInline = isObject(value) && typeof value.$ref !== "string";
      const response = isInline
        ? value
        : readOrUndefined(() => objectAt(sources, placeBelow(responses.place, status))?.value);
      const description = isObject(response) && typeof response.description === "string" ? response.description : "";
      return [{ status, description }];
    });
}

/** Returns undefined for an unreadable answer, which is reported elsewhere. */
function readOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Whether a description is about every repeated key, and not only about a key with a pending first request. */
function isAboutReuse(description: string, name: string): boolean {
  const text = description.toLowerCase();
  const mentionsKey =
    /idempoten|\b(same|this|the|that|your) (request )?(key|token)\b/.test(text) || text.includes(name.toLowerCase());
  const reuseWords =
    /\bre-?us(e|ed|ing)\b|\b(already|previously|before)\b|\bused\b|\bagain\b|\b(other|another|different|differs|mismatch\w*|not match\w*|twice)\b/;
  const pendingWords =
    /in progress|under ?way|being processed|concurrent|at the same time|still (running|processing|processed)|outstanding|in flight/;
  return (
    mentionsKey && reuseWords.test(text) && !(pendingWords.test(text) && !/different|another|other|mismatch/.test(text))
  );
}
