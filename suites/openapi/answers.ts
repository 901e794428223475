import type { AnswerSchema, DescribedHeaders, DescribedStatuses } from "../../schemas/index.ts";
import { type Bundled, bundle } from "./bundle.ts";
import { headersOf } from "./headers.ts";
import type { Kind } from "./kind.ts";
import { isJson, isSequence, mediaTypes } from "./media.ts";
import type { Operation } from "./operation.ts";
import { below, objectAt, type Sources } from "./source.ts";

/** What an operation may answer. */
export interface Answers {
  /** Where the usual statuses are not all: any success, and 400 and 422. */
  accepted?: number[];
  rejected?: number[];
  /** All statuses that are named, with the media types of their bodies. */
  named: DescribedStatuses["named"];
  /** What of answers is not tested, in sentences. */
  unjudged: string[];
  schemas: (AnswerSchema & { schema: Bundled })[];
  headers: (DescribedHeaders["answers"][number] & { schema: Bundled })[];
}

/** Statuses with which frameworks refuse what does not fit its schema. */
const usual = [400, 422];
/** They are about who asks, what is there, and how often. */
const unrelated = new Set([401, 402, 403, 404, 406, 407, 408, 409, 410, 412, 423, 429]);
const isAboutForm = /valid|malformed|unprocessable|schema|bad request|wrong input/i;

/** What a document says of the answers of an operation: which mean acceptance and refusal, and what their bodies are. */
export function answersOf(sources: Sources, kind: Kind, { name, path, place }: Operation): Answers {
  const responses = objectAt(sources, below(place, "responses"));
  const statuses = Object.keys(responses?.value ?? {}).filter((each) => /^([1-5]\d\d|[1-5]XX|default)$/i.test(each));
  const schemas: Answers["schemas"] = [];
  const headers: Answers["headers"] = [];
  const rejected = new Set<number>();
  const named: Answers["named"] = [];
  const unjudged: string[] = [];
  for (const status of statuses) {
    const response = objectAt(sources, below((responses as { place: Operation["place"] }).place, status));
    if (response === undefined) continue;
    const { description } = response.value;
    // Of a path that names something 404 says that it is not there, whatever else it says.
    const isRelated = !unrelated.has(Number(status)) || (status === "404" && !path.includes("{"));
    if (/^4\d\d$/.test(status) && isRelated && isAboutForm.test(String(description ?? "")))
      rejected.add(Number(status));
    const types = mediaTypes(response.value);
    named.push({ status: shownStatus(status), types: types.map(([type]) => type).filter((type) => type !== "") });
    const stem = `${name}.response-${status.toLowerCase()}`;
    const carried = headersOf(sources, kind, response);
    if (carried !== undefined) headers.push({ status: shownStatus(status), document: `${stem}-headers`, ...carried });
    let number = 0;
    for (const [type, media] of types) {
      const isItems = isSequence(type) && media.itemSchema !== undefined;
      if (isSequence(type) && media.schema !== undefined && !isItems)
        unjudged.push(
          `the items of ${type} that ${name} answers with are not tested: only an itemSchema says what each is`,
        );
      if (!isItems && (!isJson(type) || media.schema === undefined)) continue;
      const at = below(response.place, "content", type, isItems ? "itemSchema" : "schema");
      number += 1;
      schemas.push({
        ...{ status: shownStatus(status), type, ...(isItems ? { items: true as const } : {}) },
        document: number === 1 ? stem : `${stem}-${number}`,
        schema: bundle(sources, kind, "response", (write) => write(at, "")),
      });
    }
  }
  const redirects = statuses.filter((each) => /^3\d\d$/.test(each)).map(Number);
  const others = [...rejected].filter((each) => !usual.includes(each));
  return {
    ...{ schemas, headers, named, unjudged },
    ...(redirects.length === 0 ? {} : { accepted: [...success, ...redirects] }),
    ...(others.length === 0 ? {} : { rejected: [...usual, ...others] }),
  };
}

function shownStatus(status: string): string {
  return /^default$/i.test(status) ? "default" : status.toUpperCase();
}

const success = Array.from({ length: 100 }, (_, index) => 200 + index);
