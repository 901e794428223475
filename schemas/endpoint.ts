import type { Json, JsonObject } from "./json.ts";

export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"] as const;

/** What a text in a request may be read as. */
export type TextType = "string" | "number" | "integer" | "boolean" | "null";

/** A parameter of a request: where it travels, and how its value is written, in the terms of OpenAPI; `json` for one with a media type. */
export interface Parameter {
  in: "path" | "query" | "header" | "cookie";
  name: string;
  style: "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json";
  explode: boolean;
  /** What its text, or that of each item, may be read as; absent: anything. */
  types?: TextType[];
  /** The same of the members of an object, by name, as far as they are named. */
  members?: Record<string, TextType[]>;
  /** Its value is a list, or an object. */
  holds?: "items" | "members";
  /** Its value is a list or one text: what is written is a list only if it has several items, each with the name. */
  mixed?: true;
  /** Its value names one request, such as an `Idempotency-Key`: it is fresh for each different one. */
  key?: true;
}

/** What the body of an answer must be: by status (`201`, `4XX` or `default`) and media type. */
export interface AnswerSchema {
  status: string;
  type: string;
  /** Name of the document. */
  document: string;
  /** The body is a stream, and this is what each item of it must be. */
  items?: true;
}

/** How the name of a document ends that is the parameters of an operation. */
export const parametersEnd = ".parameters";

/**
 * Where a document is sent. `accepted` and `rejected` are statuses that replace the profile's conditions. A document is the body of the
 * request, or its parameters: an object of objects, by where they travel and by name.
 */
export interface Endpoint {
  method: (typeof methods)[number];
  /** With `{NAME}` where a parameter goes. */
  path: string;
  accepted?: number[];
  rejected?: number[];
  /** Media type of the body (absent: `application/json`). */
  type?: string;
  carries?: "parameters";
  /** The request need not have a body. */
  optional?: true;
  parameters?: Parameter[];
  /** The part of the request that the document is not. */
  given?: { parameters?: JsonObject; body?: Json };
  /** What else the interface's description says, and all of it: any other refusal says nothing about the document. */
  described?: {
    answers: AnswerSchema[];
    rule: string;
    credentials: string[];
    statuses?: DescribedStatuses;
    headers?: DescribedHeaders;
    /** Where requests have to show credentials, and the rule that is broken where they need not; `choices` has those that go together, if some do. */
    security?: { rule: string; places: CredentialPlace[]; choices?: CredentialPlace[][] };
    /** The statuses that refuse a key, sent in `header` (small letters), which comes again with another body, and the rule that is broken otherwise. */
    reuse?: { rule: string; header: string; statuses: string[] };
  };
}

/** Where a request shows who sends it, by which scheme where that is known. */
export interface CredentialPlace {
  in: "header" | "query" | "cookie";
  name: string;
  scheme?: "basic" | "bearer";
}

/** The headers that answers must have: by status, with a document of the object of those that are there, and the rule of all that is wrong with them. */
export interface DescribedHeaders {
  rule: string;
  answers: { status: string; document: string; headers: AnswerHeader[] }[];
}

/** A header of an answer, and what its text may be read as. */
export interface AnswerHeader extends Pick<Parameter, "types" | "holds"> {
  /** In small letters. */
  name: string;
  required?: true;
}

/** The statuses that a description names for an operation, with their media types (none: it leaves them open), and the rule of all others. */
export interface DescribedStatuses {
  rule: string;
  named: { status: string; types: string[] }[];
}
