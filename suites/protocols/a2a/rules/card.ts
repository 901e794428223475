import { type Checker, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";
import { decodedHeader } from "./signature.ts";

const documents = ["card"];

function itemsAt(place: string, value: Json): JsonObject[] {
  const list = pointer.at(place, value);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Requirements of the card and of its skills, by their places. */
function requirementsIn(card: Json): { at: string; names: readonly string[] }[] {
  const places = ["", ...itemsAt("/skills", card).map((_, index) => `/skills/${index}`)];
  return places.flatMap((place) =>
    itemsAt(`${place}/securityRequirements`, card).map(({ schemes }, index) => ({
      at: `${place}/securityRequirements/${index}/schemes`,
      names: isObject(schemes) ? Object.keys(schemes) : [],
    })),
  );
}

const isDeclared: Checker = {
  rule: "A2A-CARD-012",
  documents,
  *check(card) {
    if (!isObject(card)) return;
    const declared = isObject(card.securitySchemes) ? Object.keys(card.securitySchemes) : [];
    for (const { at, names } of requirementsIn(card))
      for (const name of names)
        if (!declared.includes(name))
          yield { at: pointer.append(at, name), why: "is a scheme that the card does not declare" };
    const places = ["", ...itemsAt("/skills", card).map((_, index) => `/skills/${index}`)];
    for (const place of places)
      if (pointer.has(`${place}/security`, card))
        yield { at: `${place}/security`, why: "is what securityRequirements were called once" };
  },
};

const hasSome: Checker = {
  rule: "A2A-CARD-008",
  documents,
  *check(card) {
    const tags = itemsAt("/skills", card).map((_, index) => `/skills/${index}/tags`);
    for (const at of ["/skills", "/defaultInputModes", "/defaultOutputModes", ...tags]) {
      const list = pointer.at(at, card);
      if (Array.isArray(list) && list.length === 0) yield { at, why: "is empty" };
    }
  },
};

const isApart: Checker = {
  rule: "A2A-CARD-009",
  documents,
  *check(card) {
    const ids = new Set<Json>();
    for (const [index, { id }] of itemsAt("/skills", card).entries()) {
      if (typeof id === "string" && ids.has(id))
        yield { at: `/skills/${index}/id`, why: `is "${id}", as of a skill before it` };
      ids.add(id ?? null);
    }
    const interfaces = new Set<string>();
    for (const [index, each] of itemsAt("/supportedInterfaces", card).entries()) {
      const key = JSON.stringify([each.protocolBinding, each.protocolVersion, each.url, each.tenant ?? ""]);
      if (interfaces.has(key))
        yield { at: `/supportedInterfaces/${index}`, why: "is an interface before it once more" };
      interfaces.add(key);
    }
  },
};

const former = [
  "url",
  "preferredTransport",
  "protocolVersion",
  "additionalInterfaces",
  "supportsAuthenticatedExtendedCard",
];

const isModern: Checker = {
  rule: "A2A-CARD-013",
  documents,
  *check(card) {
    if (!isObject(card)) return;
    const versions = itemsAt("/supportedInterfaces", card).map(({ protocolVersion }) => protocolVersion);
    const isBoth = versions.some((version) => typeof version === "string" && version.startsWith("0.3"));
    if (!isBoth)
      for (const name of former)
        if (Object.hasOwn(card, name)) yield { at: `/${name}`, why: "is a member of cards of version 0.3" };
    const schemes = isObject(card.securitySchemes) ? Object.entries(card.securitySchemes) : [];
    for (const [name, scheme] of schemes)
      for (const flow of ["implicit", "password"]) {
        const at = `/oauth2SecurityScheme/flows/${flow}`;
        if (pointer.has(at, scheme))
          yield { at: `${pointer.append("/securitySchemes", name)}${at}`, why: "is a flow that is out of use" };
      }
  },
};

function headersIn(card: Json): { at: string; text: string; header: JsonObject | undefined }[] {
  return itemsAt("/signatures", card).flatMap(({ protected: text }, index) =>
    typeof text === "string" && /^[A-Za-z0-9_-]+$/.test(text)
      ? [{ at: `/signatures/${index}/protected`, text, header: decodedHeader(text) }]
      : [],
  );
}

const hasHeader: Checker = {
  rule: "A2A-SIG-002",
  documents,
  *check(card) {
    for (const { at, header } of headersIn(card)) {
      if (header === undefined) {
        yield { at, why: "decodes to no JSON object" };
        continue;
      }
      for (const name of ["alg", "kid"])
        if (typeof header[name] !== "string" || header[name] === "")
          yield { at, why: `decodes to a header without ${name}` };
      if (header.typ !== "JOSE")
        yield { at, why: `decodes to a header whose typ is ${JSON.stringify(header.typ ?? null)}`, level: "SHOULD" };
    }
  },
};

const isSigned: Checker = {
  rule: "A2A-SIG-004",
  documents,
  *check(card) {
    for (const { at, header } of headersIn(card)) {
      const alg = header?.alg;
      if (typeof alg !== "string") continue;
      if (alg.toLowerCase() === "none") yield { at, why: "names the algorithm none" };
      else if (/^HS\d/i.test(alg)) yield { at, why: `names ${alg}, which needs a shared secret`, level: "SHOULD" };
    }
  },
};

const isFetchedSafely: Checker = {
  rule: "A2A-SIG-005",
  documents,
  *check(card) {
    for (const { at, header } of headersIn(card)) {
      const jku = header?.jku;
      if (typeof jku !== "string" || /^https:/i.test(jku)) continue;
      if (!/^http:\/\/(localhost(?![\w.-])|127\.|\[::1\])/i.test(jku))
        yield { at, why: `has its keys at "${jku}", not at https` };
    }
  },
};

export const cardCheckers: readonly Checker[] = [
  isDeclared,
  hasSome,
  isApart,
  isModern,
  hasHeader,
  isSigned,
  isFetchedSafely,
];
