import type { Handler, Hono } from "hono";
import type { Json } from "../json.ts";
import type { Document } from "../profile.ts";
import type { Protocol } from "../protocol.ts";
import type { Reason } from "../wire.ts";

/** What a body may be written in. */
export type MediaType = "application/json" | "application/yaml";

/** Why no value comes of a body. */
export type UnreadableKind = "unreadable" | "media-type" | "too-large";

/** Why an instance breaks a document's schema; empty when it keeps it. */
export type SchemaJudge = (document: Document, value: Json) => Reason[];

/** What is said against an instance: what forbids it, and what only speaks against it. */
export interface Objections {
  breaches: Reason[];
  advice: Reason[];
}

/** What a document's schema and the rules beyond it say of an instance, those on its text included where its bytes are given. */
export type Judge = (document: Document, value: Json, bytes?: Uint8Array) => Objections;

/** What becomes of a message: it is refused, or taken with some advice. */
export interface Ruling {
  refusal?: Refusal | undefined;
  advice: readonly Reason[];
}

/** A body as it was read. */
export interface Body {
  value: Json;
  bytes: Uint8Array;
}

/** Why a body was not taken: no message could be read from it, or the message is `invalid`. */
export interface Refusal {
  kind: UnreadableKind | "invalid";
  /** The protocol's own error code, where the judgement calls for a particular one. */
  code?: string | number;
  reasons: Reason[];
}

/** One endpoint that takes messages: how they are judged, and how the protocol says yes and no. */
export interface Intake {
  judge(body: Body): Ruling;
  /** `value` may be anything at all: a variant accepts what no schema does. */
  accepted(value: Json, request: Request): Response | Promise<Response>;
  /** `value` is absent when none could be read. */
  refused(refusal: Refusal, value?: Json): Response;
}

/** What a service is given to serve with. */
export interface ServiceContext {
  protocol: Protocol;
  judge: Judge;
  /** Asks for this to be done when the service is closed. */
  closing(task: () => void): void;
  /** Reads the body, applies the variant, judges and answers: a handler for a route. */
  intake(intake: Intake): Handler;
}

/** The reference implementation of one protocol. */
export interface Service {
  protocol: string;
  /** What a body may be written in. */
  media: readonly MediaType[];
  routes(app: Hono, context: ServiceContext): void;
  /** Variants that differ in what they do, rather than in what they accept. */
  variants?: readonly ServiceVariant[];
}

/** A service that breaks one rule of conduct. */
export interface ServiceVariant {
  name: string;
  description: string;
  service: Service;
}
