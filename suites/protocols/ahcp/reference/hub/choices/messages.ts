import { equal, isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { refuseInvalid } from "../../../../../packs/reference/service.ts";
import type { HubPolicy } from "../hub.ts";
import { blockOf } from "../lifecycle.ts";
import { fault } from "../reply.ts";
import { instant } from "../time.ts";
import type { HubChoice } from "./choice.ts";

/** Before all other checks, refuses a message that does not name the caller as its sender. */
const refuseWrongSender: HubPolicy["refuseSender"] = (value, principal) => {
  const agent = isObject(value) && isObject(value.agent) ? value.agent.id : undefined;
  if (principal === undefined || agent === principal) return undefined;
  return refuseInvalid([{ at: "/agent/id", message: "is not the agent of this credential" }], "agent_id_mismatch");
};

/** Refuses the messages for which `isRefused` is true, although the schema allows them. */
function refuseIf(isRefused: (message: JsonObject) => boolean): NonNullable<HubChoice["policy"]> {
  return (base) => ({
    refuseContent: (message, hub) =>
      isRefused(message)
        ? fault("invalid_field", "this hub does not accept such values")
        : base.refuseContent(message, hub),
  });
}

const sizeInBytes = (value: Json): number => Buffer.byteLength(JSON.stringify(value));

function withoutMemberAndRun(message: JsonObject, name: string): JsonObject {
  const { [name]: _, agent, ...members } = message;
  const { run_id, ...agentWithoutRun } = isObject(agent) ? agent : {};
  return { ...members, agent: agentWithoutRun };
}

/** Choices about accepting, refusing and recognizing messages. */
export const messages: readonly HubChoice[] = [
  {
    name: "agent-first",
    kind: "freedom",
    freedoms: ["agent-before-schema", "nameless-mismatch"],
    says: "compares the agent of a message with the credential before it checks the schema",
    moots: ["", "-asks", "-lines", "-repetition"].map((suffix) => `breaks-AHCP-AUT-002${suffix}`),
    policy: () => ({ refuseSender: refuseWrongSender }),
  },
  {
    name: "plain-titles",
    kind: "freedom",
    freedoms: ["titles-of-several-lines"],
    says: "refuses titles that are blank or have several lines",
    policy: refuseIf(({ title }) => /[\n\r\u0085\u2028\u2029]|^\s*$/.test(String(title))),
  },
  {
    name: "plain-keys",
    kind: "freedom",
    freedoms: ["odd-keys"],
    says: "refuses keys that are blank or very long",
    moots: ["breaks-AHCP-IDM-003-cut-key"],
    policy: refuseIf(({ idempotency_key: key }) => typeof key === "string" && (key.trim() === "" || key.length > 255)),
  },
  {
    name: "plain-resolvers",
    kind: "freedom",
    factor: "resolvers",
    freedoms: ["odd-resolvers"],
    says: "refuses systems as resolvers, and ids that are blank or contain a colon",
    policy: refuseIf((message) => {
      const { allowed_resolvers: resolvers } = blockOf(message);
      return Array.isArray(resolvers) && resolvers.some((resolver) => /^system:|:\s*$|:.*:/.test(String(resolver)));
    }),
  },
  {
    name: "listed-systems",
    kind: "freedom",
    factor: "resolvers",
    freedoms: ["odd-resolvers"],
    says: "lets its operator act as any listed system",
    policy: (base) => ({
      mayResolve(actor, entry) {
        const { allowed_resolvers: allowedResolvers } = blockOf(entry.message);
        return base.mayResolve(actor, entry) || (Array.isArray(allowedResolvers) && allowedResolvers.includes(actor));
      },
    }),
  },
  {
    name: "parts-of-one-kind",
    kind: "freedom",
    freedoms: ["surplus-content"],
    says: "refuses a Part with content of more than one kind",
    policy: refuseIf(({ context }) =>
      (Array.isArray(context) ? context : []).some(
        (part) => isObject(part) && ["text", "data", "file"].filter((name) => Object.hasOwn(part, name)).length > 1,
      ),
    ),
  },
  {
    name: "distinct-options",
    kind: "freedom",
    freedoms: ["repeated-options"],
    says: "refuses two options with the same value",
    policy: refuseIf((message) => {
      const { options } = blockOf(message);
      const values = (Array.isArray(options) ? options : []).map((option) =>
        isObject(option) ? option.value : undefined,
      );
      return new Set(values).size < values.length;
    }),
  },
  {
    name: "callbacks-by-policy",
    kind: "freedom",
    freedoms: ["policy-on-callbacks", "callback-protocols"],
    says: "refuses callback URLs that are not HTTP, or that contain a user or a password",
    policy: refuseIf((message) => {
      const { callback } = blockOf(message);
      if (!isObject(callback) || callback.url === undefined) return false;
      const url = URL.canParse(String(callback.url)) ? new URL(String(callback.url)) : undefined;
      return url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "";
    }),
  },
  {
    name: "identical-payloads",
    kind: "freedom",
    factor: "same-payload",
    freedoms: ["same-payload"],
    says: "accepts only an identical payload as a repetition",
    policy: () => ({ isSame: (message, earlier) => equal(message as Json, earlier.message as Json) }),
  },
  {
    name: "payloads-of-any-time",
    kind: "freedom",
    factor: "same-payload",
    freedoms: ["same-payload"],
    says: "accepts a payload that was generated again later as a repetition",
    policy: () => ({
      isSame: (message, { message: earlier }) =>
        equal(withoutMemberAndRun(message, "created_at") as Json, withoutMemberAndRun(earlier, "created_at") as Json),
    }),
  },
  {
    name: "large-counts-whole",
    kind: "freedom",
    factor: "sizes",
    freedoms: ["measure-of-body", "measure-of-part"],
    says: "limits the total bytes of a message and of a Part to low values",
    // The variant changes a count that this choice does not use.
    moots: ["breaks-AHCP-LIM-003-characters"],
    limits: { bodyBytes: 600, partBytes: 128, contextParts: 1 },
    policy: (base) => ({
      refuseContent(message, hub) {
        const parts = Array.isArray(message.context) ? message.context : [];
        const { bodyBytes, partBytes } = hub.limits;
        const isLarge = sizeInBytes(message) > bodyBytes || parts.some((part) => sizeInBytes(part) > partBytes);
        return isLarge ? fault("invalid_field", "this exceeds the hub's limit") : base.refuseContent(message, hub);
      },
    }),
  },
  {
    name: "short-lived-keys",
    kind: "freedom",
    freedoms: ["key-lifetime"],
    says: "forgets keys after a day",
    policy: (base) => ({
      knowsKeyOf: (entry, now) => base.knowsKeyOf(entry, now) && now - entry.acceptedAt < 24 * 3_600_000,
    }),
  },
  {
    name: "keyless-notifies",
    kind: "freedom",
    freedoms: ["keyed-notifies"],
    says: "ignores the key of a notify, which earns a warning",
    policy: (base) => ({
      keyOf: (message) => (message.type === "notify" ? undefined : base.keyOf(message)),
    }),
  },
  {
    name: "burnt-keys",
    kind: "freedom",
    freedoms: ["keys-of-refused"],
    says: "uses up the key of a refused message, which earns a warning",
    policy: () => ({ usesUpKeyOnRefusal: true }),
  },
  {
    name: "majors-before-dots",
    kind: "freedom",
    freedoms: ["malformed-version-code"],
    says: "treats a malformed version with a dot as another major version",
    policy: (base) => ({
      refuseVersion(value) {
        const version = isObject(value) && Object.hasOwn(value, "ahcp_version") ? value.ahcp_version : undefined;
        const isOtherMajor = typeof version === "string" && /^(?!0\.)[^.]*\./.test(version);
        const message = `has a major version other than 0: "${version}"`;
        if (isOtherMajor) return refuseInvalid([{ at: "/ahcp_version", message }], "version_not_supported");
        return base.refuseVersion(value);
      },
    }),
  },
  {
    name: "old-pushes-kept-back",
    kind: "freedom",
    freedoms: ["old-push"],
    says: "accepts requests for a push from versions before 0.3, but never pushes to them",
    moots: ["breaks-AHCP-VER-005", "breaks-AHCP-VER-005-one", "breaks-AHCP-VER-005-task"],
    policy: (base) => ({
      mayAskForPush: () => true,
      callbackOf: (entry, hub) =>
        base.mayAskForPush(String(entry.message.ahcp_version), String(entry.message.type))
          ? base.callbackOf(entry, hub)
          : undefined,
    }),
  },
  {
    name: "timely-notifies",
    kind: "freedom",
    freedoms: ["deadline-of-a-notify"],
    says: "refuses a notify with a deadline in the past",
    policy: (base) => ({
      refuseContent(message, hub) {
        const { type, expires_at: deadline } = message;
        const isPast = type === "notify" && (instant(String(deadline)) ?? Number.POSITIVE_INFINITY) <= hub.clock.now();
        return isPast ? fault("invalid_field", "/expires_at has passed") : base.refuseContent(message, hub);
      },
    }),
  },
  {
    name: "refuses-old-versions",
    kind: "freedom",
    freedoms: ["old-versions"],
    says: "refuses versions before 0.3, which earns a warning",
    moots: ["breaks-AHCP-VER-005", "breaks-AHCP-VER-005-one", "breaks-AHCP-VER-005-task"],
    policy: (base) => ({
      refuseVersion(value) {
        const version = isObject(value) && Object.hasOwn(value, "ahcp_version") ? value.ahcp_version : undefined;
        if (typeof version !== "string" || !/^0\.[0-2]$/.test(version)) return base.refuseVersion(value);
        return refuseInvalid([{ at: "/ahcp_version", message: "is too old" }], "version_not_supported");
      },
    }),
  },
  {
    name: "tls-in-production",
    kind: "freedom",
    freedoms: ["plain-http-in-production"],
    says: "refuses callbacks without TLS in production",
    policy: (base) => ({
      refuseContent(message, hub) {
        const { callback } = blockOf(message);
        const isPlain = isObject(callback) && /^http:/i.test(String(callback.url));
        if (isPlain && hub.settings.profile === "production") return fault("invalid_field", "callbacks use https here");
        return base.refuseContent(message, hub);
      },
    }),
  },
  {
    name: "one-inbox",
    kind: "freedom",
    freedoms: ["depth-of-inbox"],
    says: "limits the open messages of all agents together",
    policy: () => ({
      openCountFor: (_agent, { openCounts }) => [...openCounts.values()].reduce((sum, count) => sum + count, 0),
    }),
  },
];
