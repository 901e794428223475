import { type Document, isObject, type Json, type JsonObject, type Protocol, pointer } from "../../schemas/index.ts";

/** What an instance seems to be. */
export interface Recognized {
  protocol: Protocol;
  document: Document;
}

/** Less than this share of a document's required members is no likeness. */
const leastLike = 0.5;

/**
 * The document that an instance most likely is: the one that the protocol's own discriminator selects, else the one of whose required
 * members it has the largest share. Undefined when it is like none, or as much like those of two protocols.
 */
export function recognize(protocols: readonly Protocol[], instance: Json): Recognized | undefined {
  const selected = protocols.flatMap((protocol) =>
    protocol.profile.documents
      .filter((document) => selects(document, instance))
      .map((document) => ({ protocol, document })),
  );
  if (selected.length === 1) return selected[0];
  const ranked = protocols
    .flatMap((protocol) =>
      protocol.profile.documents
        .filter(
          ({ role, when }) => (role === "entry" || role === "emitted") && (when === undefined || selected.length === 0),
        )
        .map((document) => ({ protocol, document, like: likeness(schemaOf(protocol, document), instance) })),
    )
    .sort((a, b) => b.like - a.like);
  const [best] = ranked;
  if (best === undefined || best.like < leastLike) return undefined;
  const rival = ranked.find(({ protocol, like }) => protocol !== best.protocol && like === best.like);
  return rival === undefined ? best : undefined;
}

function selects({ when }: Document, instance: Json): boolean {
  if (when === undefined) return false;
  return Object.entries(when).every(([at, values]) => {
    const value = pointer.at(at, instance);
    return value !== undefined && values.includes(value as never);
  });
}

function likeness(schema: JsonObject | undefined, instance: Json): number {
  const required = Array.isArray(schema?.required) ? schema.required : [];
  if (!isObject(instance) || required.length === 0) return 0;
  const there = required.filter((name) => typeof name === "string" && Object.hasOwn(instance, name));
  return there.length / required.length;
}

function schemaOf({ schemas }: Protocol, { schema }: Document): JsonObject | undefined {
  return schemas.find(({ $id }) => $id === schema);
}
