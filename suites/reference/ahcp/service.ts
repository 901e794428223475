import { randomUUID } from "node:crypto";
import { documentNamed, isObject, type Json } from "../../../schemas/index.ts";
import { invalid, type Refusal, type Service, sentence, statusOf } from "../service.ts";

/** A hub that takes any message its schema allows and forgets it: no credentials, no inbox, no outcome. */
export const ahcp: Service = {
  protocol: "ahcp",
  media: ["application/json"],
  routes(app, { protocol, judge, intake }) {
    const message = documentNamed(protocol, "message");
    app.post(
      "/v1/messages",
      intake({
        judge: (value) => otherMajor(value) ?? invalid(judge(message, value)),
        accepted(value, request) {
          const id = randomUUID();
          const status = isObject(value) && value.type === "notify" ? "delivered" : "open";
          const poll_url = new URL(`/v1/messages/${id}`, request.url).href;
          return Response.json({ id, status, poll_url }, { status: 202 });
        },
        refused(refusal) {
          const error = { code: refusal.code ?? "validation_error", message: sentence(refusal) };
          return Response.json({ error }, { status: statusOf(refusal, 400) });
        },
      }),
    );
    // Limits, schemes and algorithms are recommended members; this hub has none of them to publish.
    app.get("/.well-known/ahcp", () => Response.json({ ahcp_version: protocol.version }));
  },
};

/** The version is judged before the schema, whose pattern would refuse another major for a lesser reason. */
function otherMajor(value: Json): Refusal | undefined {
  const version = isObject(value) && Object.hasOwn(value, "ahcp_version") ? value.ahcp_version : undefined;
  if (typeof version !== "string" || !/^[1-9]\d*\.\d+$/.test(version)) return undefined;
  const reason = {
    at: "/ahcp_version",
    rule: "AHCP-VER-002",
    message: `has a major version other than 0: "${version}"`,
  };
  return invalid([reason], "version_not_supported");
}
