import { isObject, missingNeeds, type Scenario, type ScenarioContext } from "../../../../schemas/index.ts";
import { discover } from "./published.ts";
import { inShort, read } from "./steps.ts";

/** The schemes of the configured credentials that the hub accepts. */
async function acceptedSchemes(context: ScenarioContext): Promise<string[]> {
  const usedSchemes: string[] = [];
  for (const as of ["a", "b"] as const) {
    const { token, apikey } = context.setting.credentials?.[as] ?? {};
    const keyScheme = apikey === undefined ? undefined : "apikey";
    const scheme = token !== undefined ? "bearer" : keyScheme;
    if (scheme === undefined) continue;
    const { status } = await read(context, "msg_unknown", as);
    if (status === 404) usedSchemes.push(scheme);
  }
  return usedSchemes;
}

const publishedMembers = [
  "max_body_bytes",
  "max_part_bytes",
  "max_context_parts",
  "auth_schemes",
  "callback_auth_schemes",
  "signature_algs",
  "retention_days",
  "replay_window_seconds",
  "rate_limit",
];

export const discovery: readonly Scenario[] = [
  {
    name: "discovery-document",
    says: "a hub publishes its version, its schemes and its limits",
    rules: ["AHCP-CAP-001", "AHCP-CAP-002", "AHCP-CAP-003", "AHCP-CAP-004"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const anonymousReply = await discover(context);
      const isClosed = anonymousReply.status === 401;
      const reply = isClosed ? await discover(context, "a") : anonymousReply;
      context.expect("AHCP-CAP-001", !isClosed, "the capability document is shown only to agents", "SHOULD");
      const { json } = reply;
      const isPublished = reply.status === 200 && isObject(json);
      context.expect("AHCP-CAP-001", isPublished, `/.well-known/ahcp is not answered with JSON: ${inShort(reply)}`);
      if (!isPublished) return;
      const { ahcp_version: version, auth_schemes: schemes, replay_window_seconds: replay = 120 } = json;
      const isVersion = typeof version === "string" && /^0\.\d+$/.test(version);
      context.expect("AHCP-CAP-002", isVersion, `ahcp_version is ${JSON.stringify(version ?? null)}`);
      // Violations without a site belong to other rules.
      for (const { at, why, site } of await context.violations("capability", json))
        if (site !== undefined)
          context.expect("AHCP-CAP-002", false, `${at === "" ? "the capability document" : at} ${why}`);
      const missingMembers = publishedMembers.filter((name) => json[name] === undefined);
      context.expect(
        "AHCP-CAP-003",
        missingMembers.length === 0,
        `it does not publish ${missingMembers.join(", ")}`,
        "SHOULD",
      );
      if (Array.isArray(schemes) && context.has("credential")) {
        const usedSchemes = ["bearer", "apikey"].filter((scheme) => schemes.includes(scheme));
        context.expect(
          "AHCP-CAP-004",
          usedSchemes.length > 0,
          "it accepts an agent by a scheme that it does not publish",
        );
        for (const scheme of await acceptedSchemes(context))
          context.expect(
            "AHCP-CAP-004",
            schemes.includes(scheme),
            `it accepts a credential by ${scheme}, but does not publish that`,
          );
      }
      if (Array.isArray(schemes) && !context.has("credential"))
        context.skip("AHCP-CAP-004", "authentication of agents is not tested", missingNeeds("credential"));
      context.expect(
        "AHCP-CAP-004",
        replay === 120 || typeof replay !== "number",
        `its window for signatures is ${replay} s, and the protocol's is 120 s`,
      );
    },
  },
];
