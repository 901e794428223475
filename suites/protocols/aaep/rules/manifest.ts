import { type Checker, equal, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { coreContext } from "./event.ts";
import { openJws } from "./jws.ts";

const documents = ["presented-manifest"];
const lists = [
  "aaep_versions_supported",
  "conformance_levels_supported",
  "transports_supported",
  "languages_supported",
  "event_types_emitted",
];

/** A producer's manifest, and its signature. */
export const manifestCheckers: readonly Checker[] = [
  {
    rule: "AAEP-MAN-002",
    documents: ["producer-manifest"],
    *check(manifest) {
      if (!isObject(manifest)) return;
      const { "@context": context, type, agent_id: agent } = manifest;
      if ((Array.isArray(context) ? context[0] : context) !== coreContext)
        yield { at: context === undefined ? "" : "/@context", why: "has no core context" };
      if (type !== "aaep:producer.manifest")
        yield { at: type === undefined ? "" : "/type", why: "has not the type aaep:producer.manifest" };
      if (typeof agent !== "string" || agent === "")
        yield { at: agent === undefined ? "" : "/agent_id", why: "has no agent_id" };
      for (const name of lists)
        if (!Array.isArray(manifest[name]) || manifest[name].length === 0)
          yield { at: manifest[name] === undefined ? "" : `/${name}`, why: `has no ${name}` };
    },
  },
  {
    rule: "AAEP-MAN-003",
    documents,
    *check(record) {
      const { signed, key, fetched } = partsOf(record);
      if (signed === undefined) return;
      const opened = openJws(signed, key);
      if ("fault" in opened) yield { at: manifestPath, why: opened.fault };
      else if (fetched !== undefined && !equal(opened.payload, fetched))
        yield { at: manifestPath, why: "is not about the manifest that is published" };
    },
  },
  {
    rule: "AAEP-MAN-004",
    documents,
    *check(record) {
      const { agent, signed, fetched } = partsOf(record);
      if (typeof agent !== "string") return;
      const payload = signed === undefined ? undefined : payloadOf(signed);
      const found = [
        { at: manifestPath, manifest: payload },
        { at: "/manifest/agent_id", manifest: fetched },
      ];
      for (const { at, manifest } of found)
        if (typeof manifest?.agent_id === "string" && manifest.agent_id !== agent)
          yield { at, why: `is about "${manifest.agent_id}", while "${agent}" accepted` };
    },
  },
];

const manifestPath = "/accepted/signed_manifest";

interface ManifestParts {
  agent: Json | undefined;
  signed: string | undefined;
  key: JsonObject | undefined;
  /** The manifest as it was fetched. */
  fetched: JsonObject | undefined;
}

function partsOf(record: Json): ManifestParts {
  const { accepted, key, manifest } = isObject(record) ? record : {};
  const { producer, signed_manifest: signed } = isObject(accepted) ? accepted : {};
  return {
    agent: isObject(producer) ? producer.agent_id : undefined,
    signed: typeof signed === "string" ? signed : undefined,
    key: isObject(key) ? key : undefined,
    fetched: isObject(manifest) ? manifest : undefined,
  };
}

function payloadOf(signed: string): JsonObject | undefined {
  try {
    const payload: unknown = JSON.parse(Buffer.from(signed.split(".")[1] ?? "", "base64url").toString("utf8"));
    return isObject(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}
