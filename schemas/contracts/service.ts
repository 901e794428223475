import type { Handler, Hono } from "hono";
import type { Json } from "../json.ts";
import type { Document } from "../profile.ts";
import type { Protocol } from "../protocol.ts";
import type { Reason } from "../wire.ts";

/** The media type of a body: JSON, with the protocol's own name if it has one, or YAML. */
export type MediaType = "application/json" | `application/${string}+json` | "application/yaml";

/** The reason why no value could be read from a body. */
export type UnreadableKind = "unreadable" | "media-type" | "too-large";

/** Returns the faults of an instance by a document's schema; empty if it is valid. */
export type SchemaJudge = (document: Document, value: Json) => Reason[];

/** Objections to an instance: those that forbid it, and those that only advise against it. */
export interface Objections {
  breaches: Reason[];
  advice: Reason[];
}

/** Judges an instance by a document's schema and semantic rules, including the rules about texts if bytes are given. */
export type Judge = (document: Document, value: Json, bytes?: Uint8Array) => Objections;

/** The decision on a message: refused, or accepted with some advice. */
export interface Ruling {
  refusal?: Refusal | undefined;
  advice: readonly Reason[];
}

/** A body as it was read. */
export interface Body {
  value: Json;
  bytes: Uint8Array;
}

/** Why a body was refused: it has no readable message, or the message is `invalid`. */
export interface Refusal {
  kind: UnreadableKind | "invalid";
  /** The protocol's own error code, if the decision needs a particular one. */
  code?: string | number;
  reasons: Reason[];
}

/** One endpoint for messages: how they are judged, and how the protocol accepts or refuses. */
export interface Intake {
  judge(body: Body): Ruling;
  /** `value` may be any JSON value: a variant accepts values that no schema allows. */
  accepted(value: Json, request: Request): Response | Promise<Response>;
  /** `value` is absent if none could be read. */
  refused(refusal: Refusal, value?: Json): Response;
}

/** The environment of a service. */
export interface ServiceContext {
  protocol: Protocol;
  judge: Judge;
  /** Registers a cleanup for when the service is closed. */
  closing(task: () => void): void;
  /** Makes a handler for a route that reads the body, applies the variant, judges and answers. */
  intake(intake: Intake): Handler;
}

/** The reference implementation of one protocol. */
export interface Service {
  protocol: string;
  /** The media types of a body. */
  media: readonly MediaType[];
  routes(app: Hono, context: ServiceContext): void;
  /** Variants that differ in their behaviour, not in the accepted messages. */
  variants?: readonly ServiceVariant[];
}

/** A service that breaks one rule of conduct. */
export interface ServiceVariant {
  name: string;
  description: string;
  service: Service;
}
