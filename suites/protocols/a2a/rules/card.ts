import { type Checker, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";
import { decodedHeader } from "./signature.ts";

const cardDocuments = ["card"];

function itemsAt(location: string, value: Json): JsonObject[] {
  const list = pointer.at(location, value);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Lists the security requirements of the card and of its skills, each with its location in the card. */
function securityRequirementsIn(card: Json): { at: string; names: readonly string[] }[] {
  const places = ["", ...itemsAt("/skills", card).map((_, index) => `/skills/${index}`)];
  return places.flatMap((location) =>
    itemsAt(`${location}/securityRequirements`, card).map(({ schemes }, index) => ({
      at: `${location}/securityRequirements/${index}/schemes`,
      names: isObject(schemes) ? Object.keys(schemes) : [],
    })),
  );
}

const declaredSchemes: Checker = {
  rule: "A2A-CARD-012",
  documents: cardDocuments,
  *check(card) {
    if (!isObject(card)) return;
    const declaredNames = isObject(card.securitySchemes) ? Object.keys(card.securitySchemes) : [];
    for (const { at, names } of securityRequirementsIn(card))
      for (const name of names)
        if (!declaredNames.includes(name))
          yield { at: pointer.append(at, name), why: "is a scheme that the card does not declare" };
    const places = ["", ...itemsAt("/skills", card).map((_, index) => `/skills/${index}`)];
    for (const location of places)
      if (pointer.has(`${location}/security`, card))
        yield { at: `${location}/security`, why: "is the former name of securityRequirements" };
  },
};

const filledLists: Checker = {
  rule: "A2A-CARD-008",
  documents: cardDocuments,
  *check(card) {
    const tagLists = itemsAt("/skills", card).map((_, index) => `/skills/${index}/tags`);
    for (const at of ["/skills", "/defaultInputModes", "/defaultOutputModes", ...tagLists]) {
      const list = pointer.at(at, card);
      if (Array.isArray(list) && list.length === 0) yield { at, why: "is empty" };
    }
  },
};

const distinctEntries: Checker = {
  rule: "A2A-CARD-009",
  documents: cardDocuments,
  *check(card) {
    const skillIds = new Set<Json>();
    for (const [index, { id }] of itemsAt("/skills", card).entries()) {
      if (typeof id === "string" && skillIds.has(id))
        yield { at: `/skills/${index}/id`, why: `is "${id}", the id of an earlier skill` };
      skillIds.add(id ?? null);
    }
    const interfaceKeys = new Set<string>();
    for (const [index, agentInterface] of itemsAt("/supportedInterfaces", card).entries()) {
      const key = JSON.stringify([
        agentInterface.protocolBinding,
        agentInterface.protocolVersion,
        agentInterface.url,
        agentInterface.tenant ?? "",
      ]);
      if (interfaceKeys.has(key)) yield { at: `/supportedInterfaces/${index}`, why: "repeats an earlier interface" };
      interfaceKeys.add(key);
    }
  },
};

const membersOfVersion03 = [
  "url",
  "preferredTransport",
  "protocolVersion",
  "additionalInterfaces",
  "supportsAuthenticatedExtendedCard",
];

const currentMembers: Checker = {
  rule: "A2A-CARD-013",
  documents: cardDocuments,
  *check(card) {
    if (!isObject(card)) return;
    const versions = itemsAt("/supportedInterfaces", card).map(({ protocolVersion }) => protocolVersion);
    const supportsVersion03 = versions.some((version) => typeof version === "string" && version.startsWith("0.3"));
    if (!supportsVersion03)
      for (const name of membersOfVersion03)
        if (Object.hasOwn(card, name)) yield { at: `/${name}`, why: "is a member of version 0.3 of the card" };
    const schemes = isObject(card.securitySchemes) ? Object.entries(card.securitySchemes) : [];
    for (const [name, scheme] of schemes)
      for (const flow of ["implicit", "password"]) {
        const at = `/oauth2SecurityScheme/flows/${flow}`;
        if (pointer.has(at, scheme))
          yield { at: `${pointer.append("/securitySchemes", name)}${at}`, why: "is a deprecated flow" };
      }
  },
};

function protectedHeadersIn(card: Json): { at: string; text: string; header: JsonObject | undefined }[] {
  return itemsAt("/signatures", card).flatMap(({ protected: text }, index) =>
    typeof text === "string" && /^[A-Za-z0-9_-]+$/.test(text)
      ? [{ at: `/signatures/${index}/protected`, text, header: decodedHeader(text) }]
      : [],
  );
}

const signatureHeaders: Checker = {
  rule: "A2A-SIG-002",
  documents: cardDocuments,
  *check(card) {
    for (const { at, header } of protectedHeadersIn(card)) {
      if (header === undefined) {
        yield { at, why: "does not decode to a JSON object" };
        continue;
      }
      for (const name of ["alg", "kid"])
        if (typeof header[name] !== "string" || header[name] === "")
          yield { at, why: `decodes to a header without ${name}` };
      if (header.typ !== "JOSE")
        yield {
          at,
          why: `decodes to a header with the typ ${JSON.stringify(header.typ ?? null)}, not "JOSE"`,
          level: "SHOULD",
        };
    }
  },
};

const signatureAlgorithms: Checker = {
  rule: "A2A-SIG-004",
  documents: cardDocuments,
  *check(card) {
    for (const { at, header } of protectedHeadersIn(card)) {
      const alg = header?.alg;
      if (typeof alg !== "string") continue;
      if (alg.toLowerCase() === "none") yield { at, why: "names the algorithm none" };
      else if (/^HS\d/i.test(alg)) yield { at, why: `names ${alg}, which needs a shared secret`, level: "SHOULD" };
    }
  },
};

const keyAddresses: Checker = {
  rule: "A2A-SIG-005",
  documents: cardDocuments,
  *check(card) {
    for (const { at, header } of protectedHeadersIn(card)) {
      const jku = header?.jku;
      if (typeof jku !== "string" || /^https:/i.test(jku)) continue;
      if (!/^http:\/\/(localhost(?![\w.-])|127\.|\[::1\])/i.test(jku))
        yield { at, why: `refers to the keys at "${jku}", which is not an https address` };
    }
  },
};

export const cardCheckers: readonly Checker[] = [
  declaredSchemes,
  filledLists,
  distinctEntries,
  currentMembers,
  signatureHeaders,
  signatureAlgorithms,
  keyAddresses,
];
