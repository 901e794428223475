import type { Json, JsonObject } from "./json.ts";

export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"] as const;

/** The types that a text in a request may have. */
export type TextType = "string" | "number" | "integer" | "boolean" | "null";

/** A parameter of a request: its place and its serialisation, in the terms of OpenAPI; `json` for a parameter with a media type. */
export interface Parameter {
  in: "path" | "query" | "header" | "cookie";
  name: string;
  style: "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json";
  explode: boolean;
  /** The possible types of its text, or of each item; absent: any. */
  types?: TextType[];
  /** The same of the members of an object, by name, as far as they are named. */
  members?: Record<string, TextType[]>;
  /** Its value is a list, or an object. */
  holds?: "items" | "members";
  /** Its value is a list or one text: it is a list only if it has several items, each with the name. */
  mixed?: true;
  /** Its value names one request, such as an `Idempotency-Key`: it is fresh for each different one. */
  key?: true;
}

/** The schemas for bodies of answers, by status (`201`, `4XX` or `default`) and media type. */
export interface AnswerSchema {
  status: string;
  type: string;
  /** Name of the document. */
  document: string;
  /** The body is a stream, and this is the demand on each item of it. */
  items?: true;
}

/** How the name of a document ends that is the parameters of an operation. */
export const parametersEnd = ".parameters";

/**
 * The address for a document. `accepted` and `rejected` are statuses that replace the profile's conditions. A document is the body of the
 * request, or its parameters: an object of objects, by place and name.
 */
export interface Endpoint {
  method: (typeof methods)[number];
  /** With `{NAME}` for each path parameter. */
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
  /** All other statements of the interface's description: any other refusal says nothing about the document. */
  described?: {
    answers: AnswerSchema[];
    rule: string;
    credentials: string[];
    statuses?: DescribedStatuses;
    headers?: DescribedHeaders;
    /**
     * The places for credentials in requests, and the rule that is broken if none are needed; `choices` groups those that belong together,
     * if any.
     */
    security?: { rule: string; places: CredentialPlace[]; choices?: CredentialPlace[][] };
    /** The statuses that refuse a key, sent in `header` (small letters), which comes again with another body, and the rule that is broken otherwise. */
    reuse?: { rule: string; header: string; statuses: string[] };
  };
}

/** The place for a credential in a request, and its scheme, if known. */
export interface CredentialPlace {
  in: "header" | "query" | "cookie";
  name: string;
  scheme?: "basic" | "bearer";
}

/** The required headers of answers: by status, a document for the object of headers, and the rule for all its faults. */
export interface DescribedHeaders {
  rule: string;
  answers: { status: string; document: string; headers: AnswerHeader[] }[];
}

/** A header of an answer, and the possible types of its text. */
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
