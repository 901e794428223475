import {
  type HttpReply,
  isObject,
  type Json,
  type JsonObject,
  missingNeeds,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { drawFor } from "../../../../running/scenarios/draw.ts";
import { openSubscription } from "../subscribing/open.ts";
import type { OpenSubscription, SubscriptionOptions } from "../subscribing/open-subscription.ts";
import { readProducerFacts, requireLevel } from "../subscribing/producer-facts.ts";
import { requestOf, usualCapabilities } from "../subscribing/request.ts";
import { answerIn, requestSubscription } from "../subscribing/sse.ts";
import { beginWaitingSession } from "./conduct.ts";
import { drawExclusions, drawModestCapabilities, drawSlightChange } from "./drawn-requests.ts";
import { collectEventNames, collectNamesUnderNewTerms } from "./event-names.ts";
import { rejectOpen } from "./ignoring.ts";
import { isAnsweredAtAll, mistakenRequests } from "./mistaken-requests.ts";
import { toProducer } from "./scenario.ts";
import { awaitFence, endsQuestion, findEvent, mustBeAlive, nameOf, sendReply } from "./session.ts";

/** Requests a subscription. Returns the answer, its message, and a short description. */
async function requestHandshake(
  context: ScenarioContext,
  options: SubscriptionOptions,
): Promise<{ reply: HttpReply; message: JsonObject; description: string }> {
  requireLevel(context, 3);
  const reply = await requestSubscription(context, options);
  const description = `HTTP ${reply.status} ${reply.text.slice(0, 300)}`;
  return { reply, message: answerIn(reply) ?? {}, description };
}

const isAccepted = ({ type }: JsonObject): boolean => type === "subscription.accepted";
const needsUrl = ["url"];
/** Rules that compare a request with its grant. */
const grantRules = ["AAEP-HS-005", "AAEP-HS-006", "AAEP-HS-007", "AAEP-HS-008", "AAEP-HS-009", "AAEP-HS-010"];

/** Sends a change of terms, and waits for the answer on any connection. */
async function changeTerms(subscription: OpenSubscription, capabilities: JsonObject): Promise<JsonObject | undefined> {
  const arrivalsBefore = subscription.inbox.arrivals.length;
  const reply = await sendReply(subscription, {
    type: "subscription.renegotiate",
    subscription_id: subscription.id,
    capabilities,
  });
  const body = reply === undefined ? undefined : answerIn(reply);
  if (body !== undefined) return body;
  return subscription.inbox.waitFor(
    ({ type }, index) => index >= arrivalsBefore && /^subscription\.(?:acc|rej)/.test(String(type)),
  );
}

export const handshakeScenarios: readonly Scenario[] = [
  toProducer({
    name: "request-answered",
    says: "every request for a subscription is accepted or rejected",
    rules: ["AAEP-HS-004"],
    needs: needsUrl,
    async play(context) {
      const draw = drawFor(context);
      const requestedCapabilities: JsonObject[] = [
        usualCapabilities,
        { ...usualCapabilities, languages: draw.one([["tlh"], ["tlh", "x-none"], ["zxx-Latn"]]) },
        {
          ...usualCapabilities,
          max_events_per_second: draw.one([1, draw.between(2, 99_999), 100_000]),
          coalesce_boundaries: [draw.one(["none", "paragraph"])],
          cognitive_load: draw.one(["low", "high"]),
        },
        {
          ...usualCapabilities,
          event_filters: { include: ["aaep:agent.session.*"], exclude: [draw.one(["aaep:agent.*", "*"])] },
        },
      ];
      for (const capabilities of requestedCapabilities) {
        const { message, description } = await requestHandshake(context, { capabilities });
        const why = `a request is neither accepted nor rejected: ${description}`;
        context.expect("AAEP-HS-004", message.type !== undefined, why);
      }
      for (const [mistake, mistakenRequest] of draw.some(mistakenRequests, 3)) {
        const isAnswered = await isAnsweredAtAll(context, mistakenRequest);
        context.expect("AAEP-HS-004", isAnswered, `a request ${mistake} is not answered`);
        if (!isAnswered) return;
      }
    },
  }),
  toProducer({
    name: "request-bounds-grant",
    says: "a grant does not exceed the request",
    rules: grantRules,
    needs: needsUrl,
    async play(context) {
      const refusals: string[] = [];
      const allCapabilities = drawModestCapabilities(drawFor(context));
      for (const capabilities of allCapabilities) {
        const request = requestOf(context, { capabilities });
        const { message, description } = await requestHandshake(context, { request });
        if (!isAccepted(message)) {
          refusals.push(description);
          continue;
        }
        const violations = await context.violations("handshake", { request, accepted: message });
        for (const rule of grantRules) {
          const ruleViolations = violations.filter((violation) => violation.rule === rule);
          const worstViolation = ruleViolations.find(({ level }) => level === "MUST") ?? ruleViolations[0];
          context.expect(
            rule,
            worstViolation === undefined,
            `${worstViolation?.at} ${worstViolation?.why}`,
            worstViolation?.level,
          );
        }
      }
      if (refusals.length === allCapabilities.length)
        throw new TargetSkip(`it does not grant the subscription needed for this: ${refusals[0]}`);
    },
  }),
  toProducer({
    name: "request-repeated",
    says: "two subscriptions of one subscriber have two ids",
    rules: ["AAEP-HS-016"],
    needs: needsUrl,
    async play(context) {
      requireLevel(context, 3);
      const request = { subscriber_id: context.fresh("twice") };
      const firstSubscription = await openSubscription(context, { request });
      const secondSubscription = await openSubscription(context, { request, name: "again" });
      // The producer may have ended the first subscription.
      const isLive =
        (await firstSubscription.inbox.waitFor(({ type }) => type === "subscription.close", 0)) === undefined;
      if (firstSubscription.inbox.isEnded() || !isLive)
        throw new TargetSkip("a second subscription of a subscriber ends the first");
      context.expect(
        "AAEP-HS-016",
        firstSubscription.id !== secondSubscription.id,
        `both are ${firstSubscription.id}, and neither connection was ended`,
      );
    },
  }),
  toProducer({
    name: "request-of-other-version",
    says: "an unsupported version is rejected for that reason, or another one is granted",
    rules: ["AAEP-HS-011"],
    needs: needsUrl,
    async play(context) {
      const draw = drawFor(context);
      for (const version of ["99.99.99", `${draw.between(20, 98)}.${draw.between(0, 9)}.0${draw.one(["", "-rc.1"])}`]) {
        const { message, description } = await requestHandshake(context, { request: { aaep_version: version } });
        const isAnswerCorrect = isAccepted(message)
          ? message.aaep_version !== version
          : message.reason_code === "version_unsupported";
        context.expect("AAEP-HS-011", isAnswerCorrect, `version ${version} is answered ${description}`);
      }
    },
  }),
  toProducer({
    name: "request-for-signatures",
    says: "a subscriber that requires a signed manifest receives one, or learns that there is none",
    rules: ["AAEP-HS-012"],
    needs: needsUrl,
    async play(context) {
      const { message, description } = await requestHandshake(context, {
        capabilities: { ...usualCapabilities, accept_signed_manifests_only: true },
      });
      const jws = /^[\w-]+\.[\w-]+\.[\w-]+$/;
      const { manifest_uri: uri, signed_manifest: signedManifest } = message;
      let isSigned = typeof signedManifest === "string" && jws.test(signedManifest);
      if (isAccepted(message) && !isSigned && typeof uri === "string") {
        const manifestReply = await context.fetch(uri);
        if (manifestReply === undefined) return context.skip("AAEP-HS-012", `its manifest is at another host: ${uri}`);
        isSigned = jws.test(manifestReply.text.trim());
      }
      const isAnswerCorrect = isAccepted(message) ? isSigned : message.reason_code === "manifest_signature_required";
      context.expect(
        "AAEP-HS-012",
        isAnswerCorrect,
        `a request that requires signed manifests is answered ${description}`,
      );
    },
  }),
  toProducer({
    name: "request-without-wishes",
    says: "a request without capabilities is served with the defaults",
    rules: ["AAEP-HS-013"],
    needs: needsUrl,
    async play(context) {
      const { message, description } = await requestHandshake(context, { capabilities: {} });
      context.expect("AAEP-HS-013", isAccepted(message), `a request without capabilities is answered ${description}`);
    },
  }),
  toProducer({
    name: "request-with-extensions",
    says: "unknown capabilities of extensions never prevent a subscription",
    rules: ["AAEP-EXT-008"],
    needs: needsUrl,
    async play(context) {
      const draw = drawFor(context);
      const capabilities: JsonObject = {
        ...usualCapabilities,
        supported_extensions: draw.one([
          ["https://touchstone.example/context/v1"],
          ["urn:touchstone:v1", "tag:a,2026:b"],
        ]),
        [draw.one(["touchstone", "haptic_2", "x-cells"])]: draw.one<JsonObject>([
          { rhythm: "slow" },
          {},
          { cells: [40, null] },
        ]),
      };
      const { message, description } = await requestHandshake(context, { capabilities });
      context.expect("AAEP-EXT-008", isAccepted(message), `unknown extensions are answered ${description}`);
    },
  }),
  toProducer({
    name: "request-with-collision",
    says: "two extensions with the same prefix are rejected with that reason",
    rules: ["AAEP-EXT-010"],
    needs: needsUrl,
    async play(context) {
      const { collidingExtensions } = readProducerFacts(context);
      if (collidingExtensions.length < 2)
        throw new TargetSkip(
          "needs options.colliding_extensions: two known extensions with the same prefix",
          missingNeeds("options.colliding_extensions"),
        );
      const capabilities = { ...usualCapabilities, supported_extensions: [...collidingExtensions] };
      const { message, description } = await requestHandshake(context, { capabilities });
      const isAnswerCorrect =
        message.reason_code === "capabilities_incompatible" && /\w/.test(String(message.reason_message ?? ""));
      context.expect("AAEP-EXT-010", isAnswerCorrect, `two extensions with one prefix are answered ${description}`);
    },
  }),
  toProducer({
    name: "request-at-levels",
    says: "both sides work at the highest level that both support",
    rules: ["AAEP-HS-017"],
    needs: needsUrl,
    async play(context) {
      const { paths } = readProducerFacts(context);
      const { message } = await requestHandshake(context, {});
      const manifest = await context.send({ method: "GET", path: paths.manifest });
      const levels = isObject(manifest.json) ? numbersIn(manifest.json.conformance_levels_supported) : [];
      const honoredLevels = isObject(message.honored_capabilities)
        ? numbersIn(message.honored_capabilities.supported_conformance_levels)
        : [];
      const highestLevel = Math.max(...levels.filter((level) => level <= 3));
      if (levels.length === 0 || honoredLevels.length === 0)
        throw new TargetSkip("needs a manifest and an acceptance that name their levels");
      const why = `both sides support level ${highestLevel}, and it grants ${honoredLevels.join(", ")}`;
      context.expect("AAEP-HS-017", honoredLevels.includes(highestLevel), why);
    },
  }),
  toProducer({
    name: "terms-changed",
    says: "a change of terms is answered under the same id, or by a rejection",
    rules: ["AAEP-HS-018"],
    needs: [],
    async play(context) {
      requireLevel(context, 3);
      const subscription = await openSubscription(context);
      const termsAnswer = await changeTerms(subscription, { preferred_verbosity: "terse" });
      if (termsAnswer === undefined && context.has("start")) await mustBeAlive(context);
      const isAnswerCorrect =
        termsAnswer?.type === "subscription.rejected" || termsAnswer?.subscription_id === subscription.id;
      const outcome =
        termsAnswer === undefined ? "not answered" : `answered ${JSON.stringify(termsAnswer).slice(0, 200)}`;
      context.expect("AAEP-HS-018", isAnswerCorrect, `a renegotiation of ${subscription.id} is ${outcome}`);
    },
  }),
  toProducer({
    name: "terms-changed-while-asked",
    says: "a question stays open when the terms of a subscription that could answer it change",
    rules: ["AAEP-TMO-002"],
    waits: 6000,
    async play(context) {
      requireLevel(context, 3);
      const subscription = await openSubscription(context);
      const askedSession = await beginWaitingSession(subscription, context, "irreversible");
      const termsAnswer = await changeTerms(subscription, drawSlightChange(drawFor(context)));
      if (termsAnswer?.type !== "subscription.accepted") {
        await rejectOpen(askedSession);
        throw new TargetSkip("the change of terms is not granted");
      }
      await awaitFence(subscription, context);
      const endingEvent = await findEvent(askedSession, endsQuestion, askedSession.arrivalIndex + 1, 0);
      const why = `the question ended after a change of terms, before its ${askedSession.question.timeout_seconds} s: ${nameOf(endingEvent ?? {})} arrived`;
      context.expect("AAEP-TMO-002", endingEvent === undefined, why);
      await rejectOpen(askedSession);
    },
  }),
  toProducer({
    name: "terms-kept",
    says: "terms that a change does not name remain",
    rules: ["AAEP-HS-019"],
    async play(context) {
      requireLevel(context, 3);
      const excludedKinds = /^(?:progress|tool|state)\./;
      const draw = drawFor(context);
      const exclude = drawExclusions(draw, ["progress", "tool", "state"]);
      const watcher = await openSubscription(context, { name: "watching" });
      const subscription = await openSubscription(context, {
        capabilities: { ...usualCapabilities, event_filters: { include: ["aaep:agent.*"], exclude } },
      });
      const namesBefore = await collectEventNames(subscription, context);
      if ((await watcher.inbox.waitFor((event) => excludedKinds.test(nameOf(event)), 1000)) === undefined)
        throw new TargetSkip("its sessions have no event that a filter would exclude");
      const termsAnswer = await changeTerms(subscription, drawSlightChange(draw));
      if (termsAnswer?.type !== "subscription.accepted") throw new TargetSkip("the change of terms is not granted");
      const namesAfter = await collectEventNames(subscription, context);
      const unexpectedNames = namesAfter.filter((name) => excludedKinds.test(name) && !namesBefore.includes(name));
      const why = `a filter that the change did not mention is gone: ${[...new Set(unexpectedNames)].join(", ")} arrived`;
      context.expect("AAEP-HS-019", unexpectedNames.length === 0, why);
    },
  }),
  toProducer({
    name: "terms-obeyed",
    says: "after the new acceptance, each event follows the new terms",
    rules: ["AAEP-HS-020"],
    async play(context) {
      requireLevel(context, 3);
      const subscription = await openSubscription(context);
      const namesBefore = await collectEventNames(subscription, context);
      const exclude = drawExclusions(drawFor(context), ["state", "tool"]);
      const event_filters = { include: ["aaep:agent.*"], exclude };
      const termsAnswer = await changeTerms(subscription, { event_filters });
      if (termsAnswer?.type !== "subscription.accepted") throw new TargetSkip("the change of terms is not granted");
      const namesAfter = await collectNamesUnderNewTerms(subscription, context);
      if (namesAfter === undefined) {
        const why =
          "nothing arrives under new terms that include aaep:agent.*, while another subscription receives sessions";
        return context.expect("AAEP-HS-020", false, why);
      }
      const excludedNames = namesBefore.filter((name) => /^(?:state|tool)\./.test(name));
      if (excludedNames.length === 0) throw new TargetSkip("no earlier event arrived that the new terms would exclude");
      const unexpectedNames = namesAfter.filter((name) => /^(?:state|tool)\./.test(name));
      context.expect(
        "AAEP-HS-020",
        unexpectedNames.length === 0,
        `${unexpectedNames[0]} arrived under terms that exclude it`,
      );
    },
  }),
];

function numbersIn(list: Json | undefined): number[] {
  return Array.isArray(list) ? list.filter((item): item is number => typeof item === "number") : [];
}
