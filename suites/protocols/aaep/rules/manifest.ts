import { type Checker, equal, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { coreContext } from "./event.ts";
import { openJws } from "./jws.ts";

const documents = ["presented-manifest"];
const requiredLists = [
  "aaep_versions_supported",
  "conformance_levels_supported",
  "transports_supported",
  "languages_supported",
  "event_types_emitted",
];

/** Checks of a producer's manifest and of its signature. */
export const manifestCheckers: readonly Checker[] = [
  {
    rule: "AAEP-MAN-002",
    documents: ["producer-manifest"],
    *check(manifest) {
      if (!isObject(manifest)) return;
      const { "@context": context, type, agent_id: agentId } = manifest;
      if ((Array.isArray(context) ? context[0] : context) !== coreContext)
        yield { at: context === undefined ? "" : "/@context", why: "has no core context" };
      if (type !== "aaep:producer.manifest")
        yield { at: type === undefined ? "" : "/type", why: "does not have the type aaep:producer.manifest" };
      if (typeof agentId !== "string" || agentId === "")
        yield { at: agentId === undefined ? "" : "/agent_id", why: "has no agent_id" };
      for (const name of requiredLists)
        if (!Array.isArray(manifest[name]) || manifest[name].length === 0)
          yield { at: manifest[name] === undefined ? "" : `/${name}`, why: `has no ${name}` };
    },
  },
  {
    rule: "AAEP-MAN-003",
    documents,
    *check(record) {
      const { signature, key, fetchedManifest } = partsOf(record);
      if (signature === undefined) return;
      const result = openJws(signature, key);
      if ("fault" in result) yield { at: manifestPath, why: result.fault };
      else if (fetchedManifest !== undefined && !equal(result.payload, fetchedManifest))
        yield { at: manifestPath, why: "does not sign the published manifest" };
    },
  },
  {
    rule: "AAEP-MAN-004",
    documents,
    *check(record) {
      const { agent, signature, fetchedManifest } = partsOf(record);
      if (typeof agent !== "string") return;
      const payload = signature === undefined ? undefined : payloadOf(signature);
      const manifests = [
        { at: manifestPath, manifest: payload },
        { at: "/manifest/agent_id", manifest: fetchedManifest },
      ];
      for (const { at, manifest } of manifests)
        if (typeof manifest?.agent_id === "string" && manifest.agent_id !== agent)
          yield { at, why: `is about "${manifest.agent_id}", while "${agent}" accepted the subscription` };
    },
  },
];

const manifestPath = "/accepted/signed_manifest";

interface ManifestParts {
  agent: Json | undefined;
  signature: string | undefined;
  key: JsonObject | undefined;
  /** The manifest as it was fetched. */
  fetchedManifest: JsonObject | undefined;
}

function partsOf(record: Json): ManifestParts {
  const { accepted, key, manifest } = isObject(record) ? record : {};
  const { producer, signed_manifest: signedManifest } = isObject(accepted) ? accepted : {};
  return {
    agent: isObject(producer) ? producer.agent_id : undefined,
    signature: typeof signedManifest === "string" ? signedManifest : undefined,
    key: isObject(key) ? key : undefined,
    fetchedManifest: isObject(manifest) ? manifest : undefined,
  };
}

function payloadOf(signedManifest: string): JsonObject | undefined {
  try {
    const payload: unknown = JSON.parse(Buffer.from(signedManifest.split(".")[1] ?? "", "base64url").toString("utf8"));
    return isObject(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}
