import type { Json, JsonObject } from "./json.ts";

export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"] as const;

/** The types that a string in a request may stand for. */
export type TextType = "string" | "number" | "integer" | "boolean" | "null";

/** A parameter of a request: its place and its serialisation, in the terms of OpenAPI; `json` for a parameter with a media type. */
export interface Parameter {
  in: "path" | "query" | "header" | "cookie";
  name: string;
  style: "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json";
  explode: boolean;
  /** The possible types of its value, or of each item; absent: any. */
  types?: TextType[];
  /** The possible types of the members of an object, by name, for the members that the description names. */
  members?: Record<string, TextType[]>;
  /** Its value is a list, or an object. */
  holds?: "items" | "members";
  /** Its value is a list if the parameter is repeated, and otherwise one string. */
  mixed?: true;
  /** Its value identifies one request, such as an `Idempotency-Key`: each different request gets a fresh value. */
  key?: true;
}

/** The schemas for bodies of answers, by status (`201`, `4XX` or `default`) and media type. */
export interface AnswerSchema {
  status: string;
  type: string;
  /** Name of the document. */
  document: string;
  /** The body is a stream, and the schema applies to each item. */
  items?: true;
}

/** The suffix of document names for the parameters of an operation. */
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
  /** The rest of the request, besides the document. */
  given?: { parameters?: JsonObject; body?: Json };
  /** Further parts of the API description. A refusal that it does not describe proves nothing about the document. */
  described?: {
    answers: AnswerSchema[];
    rule: string;
    credentials: string[];
    statuses?: DescribedStatuses;
    headers?: DescribedHeaders;
    /**
     * The places for credentials in requests, and the rule that is broken if none are needed. `choices` groups places that are used together.
     */
    security?: { rule: string; places: CredentialPlace[]; choices?: CredentialPlace[][] };
    /** The statuses that refuse a key in `header` (lower case) that is reused with another body, and the rule that is broken otherwise. */
    reuse?: { rule: string; header: string; statuses: string[] };
  };
}

/** The place for a credential in a request, and its scheme, if known. */
export interface CredentialPlace {
  in: "header" | "query" | "cookie";
  name: string;
  scheme?: "basic" | "bearer";
}

/** The described headers of answers: by status, the document for the object of headers, and the rule for all its faults. */
export interface DescribedHeaders {
  rule: string;
  answers: { status: string; document: string; headers: AnswerHeader[] }[];
}

/** A header of an answer, and the possible types of its value. */
export interface AnswerHeader extends Pick<Parameter, "types" | "holds"> {
  /** In lower case. */
  name: string;
  required?: true;
}

/** The statuses that a description names for an operation, with their media types (none: any type), and the rule that any other status breaks. */
export interface DescribedStatuses {
  rule: string;
  named: { status: string; types: string[] }[];
}
