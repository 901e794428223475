import type { Handler, Hono } from "hono";
import type { Document, Json, Protocol, Reason } from "../../schemas/index.ts";
import type { MediaType, UnreadableKind } from "./body.ts";

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

export interface Context {
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
  routes(app: Hono, context: Context): void;
  /** Variants that differ in what they do, rather than in what they accept. */
  variants?: readonly ServiceVariant[];
}

/** A service that breaks one rule of conduct. */
export interface ServiceVariant {
  name: string;
  description: string;
  service: Service;
}

/** What becomes of a message of which this is said: its breaches refuse it. */
export function rulingOn({ breaches, advice }: Objections, code?: string | number): Ruling {
  return { refusal: invalid(breaches, code), advice };
}

/** A refusal for these reasons, or nothing when there are none. */
export function invalid(reasons: Reason[], code?: string | number): Refusal | undefined {
  if (reasons.length === 0) return undefined;
  return { kind: "invalid", reasons, ...(code === undefined ? {} : { code }) };
}

/** HTTP status of a refusal; protocols differ only in what an invalid message gets. */
export function statusOf(refusal: Refusal, ofInvalid: number): number {
  return { unreadable: 400, "media-type": 415, "too-large": 413, invalid: ofInvalid }[refusal.kind];
}

/** The first reason as a sentence of at most 1000 characters: where, what, and the rule. */
export function sentence({ reasons: [first] }: Refusal): string {
  if (first === undefined) return "refused";
  const where = first.at === undefined ? "" : `${first.at === "" ? "the document" : first.at} `;
  const rule = first.rule === undefined ? "" : ` (${first.rule})`;
  // By code points: half a surrogate pair is no text.
  return [...`${where}${first.message ?? "is not valid"}${rule}`].slice(0, 1000).join("");
}

/** Says yes with 200 and no with 422, each with its reasons: for protocols and documents without an endpoint of their own. */
export function verdicts(judge: Intake["judge"]): Intake {
  return {
    judge,
    accepted: () => Response.json({ valid: true }),
    refused: (refusal) => Response.json({ valid: false, errors: refusal.reasons }, { status: statusOf(refusal, 422) }),
  };
}
