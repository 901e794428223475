import type { AnswerSchema, DescribedHeaders, DescribedStatuses, JsonObject } from "../../../schemas/index.ts";
import { type Bundled, bundle } from "./bundle.ts";
import { headersOf } from "./headers.ts";
import type { DescriptionKind } from "./kind.ts";
import { isJson, isSequence, mediaTypes } from "./media.ts";
import { attempt, type Operation, type Unread } from "./operation.ts";
import { objectAt, placeBelow, type SourcePlace, type Sources } from "./source.ts";
import { describeFault } from "./unread-operations.ts";

/** The answers that an operation may give. */
export interface Answers {
  /** Set if statuses other than the usual ones (any success, 400 and 422) count. */
  accepted?: number[];
  rejected?: number[];
  /** All named statuses, with the media types of their bodies. */
  named: DescribedStatuses["named"];
  /** The untested parts of answers, in sentences. */
  unjudged: string[];
  /** The statuses with unreadable answers. */
  unread: Unread[];
  schemas: (AnswerSchema & { schema: Bundled })[];
  headers: (DescribedHeaders["answers"][number] & { schema: Bundled })[];
}

/** The usual statuses of frameworks for a request that violates its schema. */
const usualRefusals = [400, 422];
/** Statuses about the client, the resource or the rate, not about the message. */
const unrelatedStatuses = new Set([401, 402, 403, 404, 406, 407, 408, 409, 410, 412, 423, 429]);
/** Words of a description that say that the form of a message is wrong. */
const formWords = /valid|malformed|unprocessable|schema|bad request|wrong input/i;

/** Reads the answers that a document declares for an operation: which of them accept or refuse, and their bodies. */
export function answersOf(sources: Sources, kind: DescriptionKind, { name, path, place }: Operation): Answers {
  const responses = objectAt(sources, placeBelow(place, "responses"));
  const statuses = Object.keys(responses?.value ?? {}).filter((status) =>
    /^([1-5]\d\d|[1-5]XX|default)$/i.test(status),
  );
  const schemas: Answers["schemas"] = [];
  const headers: Answers["headers"] = [];
  const rejected = new Set<number>();
  const named: Answers["named"] = [];
  const unjudged: string[] = [];
  const unreadable: Unread[] = [];
  for (const status of statuses) {
    const readAnswer = (): void => {
      const response = objectAt(sources, placeBelow((responses as { place: Operation["place"] }).place, status));
      if (response === undefined) return;
      const { description } = response.value;
      // For a path with parameters, 404 says that the resource does not exist, even if 404 is also used to refuse the message.
      const isRelated = !unrelatedStatuses.has(Number(status)) || (status === "404" && !path.includes("{"));
      if (/^4\d\d$/.test(status) && isRelated && formWords.test(String(description ?? "")))
        rejected.add(Number(status));
      const bodies = bodiesOf(sources, kind, response, `${name}.response-${status.toLowerCase()}`);
      const declaredHeaders = headersOf(sources, kind, response);
      named.push({ status: formatStatus(status), types: bodies.types });
      schemas.push(...bodies.schemas.map((schema) => ({ status: formatStatus(status), ...schema })));
      unjudged.push(...bodies.untestedTypes.map((type) => noteUntestedItems(type, name)));
      if (declaredHeaders !== undefined)
        headers.push({
          status: formatStatus(status),
          document: `${name}.response-${status.toLowerCase()}-headers`,
          ...declaredHeaders,
        });
    };
    // An unreadable part of an answer does not exclude the request.
    const [unread] = collectUnread(status, readAnswer);
    if (unread === undefined) continue;
    unreadable.push(unread);
    named.push({ status: formatStatus(status), types: [] });
    unjudged.push(
      `answers of ${name} with status ${status} are not checked, since this cannot be read: ${describeFault(unread)}`,
    );
  }
  const redirects = statuses.filter((status) => /^3\d\d$/.test(status)).map(Number);
  const otherRefusals = [...rejected].filter((status) => !usualRefusals.includes(status));
  return {
    schemas,
    headers,
    named,
    unjudged,
    unread: unreadable,
    ...(redirects.length === 0 ? {} : { accepted: [...successStatuses, ...redirects] }),
    ...(otherRefusals.length === 0 ? {} : { rejected: [...usualRefusals, ...otherRefusals] }),
  };
}

function formatStatus(status: string): string {
  return /^default$/i.test(status) ? "default" : status.toUpperCase();
}

const successStatuses = Array.from({ length: 100 }, (_, index) => 200 + index);

function collectUnread(name: string, read: () => void): Unread[] {
  const unread: Unread[] = [];
  attempt(unread, name, read);
  return unread;
}

/** The bodies of a response: all media types, those with a JSON schema, and the streams without a schema for their items. */
function bodiesOf(
  sources: Sources,
  kind: DescriptionKind,
  { place, value }: { place: SourcePlace; value: JsonObject },
  documentName: string,
): { types: string[]; schemas: Omit<Answers["schemas"][number], "status">[]; untestedTypes: string[] } {
  const schemas: Omit<Answers["schemas"][number], "status">[] = [];
  const untestedTypes: string[] = [];
  const types = mediaTypes(value);
  for (const [type, media] of types) {
    const hasItemSchema = isSequence(type) && media.itemSchema !== undefined;
    if (isSequence(type) && media.schema !== undefined && !hasItemSchema) untestedTypes.push(type);
    if (!hasItemSchema && (!isJson(type) || media.schema === undefined)) continue;
    const schemaPlace = placeBelow(place, "content", type, hasItemSchema ? "itemSchema" : "schema");
    const documentNumber = schemas.length + 1;
    schemas.push({
      type,
      ...(hasItemSchema ? { items: true as const } : {}),
      document: documentNumber === 1 ? documentName : `${documentName}-${documentNumber}`,
      schema: bundle(sources, kind, (write) => write(schemaPlace, ""), { view: "response" }),
    });
  }
  return { types: types.map(([type]) => type).filter((type) => type !== ""), schemas, untestedTypes };
}

function noteUntestedItems(type: string, name: string): string {
  return `the items of ${type} in answers of ${name} are not tested: only an itemSchema describes them`;
}
