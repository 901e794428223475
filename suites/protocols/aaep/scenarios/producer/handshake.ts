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
import type { Line, SubscriptionWishes } from "../subscribing/line.ts";
import { openLine } from "../subscribing/open.ts";
import { producerFacts, requireLevel } from "../subscribing/producer-facts.ts";
import { requestOf, usualRequest } from "../subscribing/request.ts";
import { answerIn, requestSubscription } from "../subscribing/sse.ts";
import { askedOf } from "./conduct.ts";
import { rejectOpen } from "./ignoring.ts";
import { isAnsweredAtAll, mistakenWishes } from "./mistaken.ts";
import { namesOf, namesUnder } from "./names.ts";
import { toProducer } from "./scenario.ts";
import { answer, awaitFence, follow, mustBeAlive, nameOf, showsGivenUp } from "./story.ts";
import { excludeOf, modestWishes, slightChange } from "./wishes.ts";

/** Requests a subscription, and returns the answer as a message and in short. */
async function shakeHands(
  context: ScenarioContext,
  wanted: SubscriptionWishes,
): Promise<{ reply: HttpReply; said: JsonObject; short: string }> {
  requireLevel(context, 3);
  const reply = await requestSubscription(context, wanted);
  const short = `HTTP ${reply.status} ${reply.text.slice(0, 300)}`;
  return { reply, said: answerIn(reply) ?? {}, short };
}

const isAccepted = ({ type }: JsonObject): boolean => type === "subscription.accepted";
const urlPath = ["url"];
/** Rules that compare a request with its grant. */
const bounds = ["AAEP-HS-005", "AAEP-HS-006", "AAEP-HS-007", "AAEP-HS-008", "AAEP-HS-009", "AAEP-HS-010"];

/** Sends a change of terms, and waits for the answer on any connection. */
async function changeTerms(line: Line, capabilities: JsonObject): Promise<JsonObject | undefined> {
  const before = line.inbox.arrivals.length;
  const reply = await answer(line, { type: "subscription.renegotiate", subscription_id: line.id, capabilities });
  const body = reply === undefined ? undefined : answerIn(reply);
  if (body !== undefined) return body;
  return line.inbox.seen(({ type }, index) => index >= before && /^subscription\.(?:acc|rej)/.test(String(type)));
}

export const handshakes: readonly Scenario[] = [
  toProducer({
    name: "request-answered",
    says: "every request for a subscription is accepted or rejected",
    rules: ["AAEP-HS-004"],
    needs: urlPath,
    async play(context) {
      const draw = drawFor(context);
      const wishes: JsonObject[] = [
        usualRequest,
        { ...usualRequest, languages: draw.one([["tlh"], ["tlh", "x-none"], ["zxx-Latn"]]) },
        {
          ...usualRequest,
          max_events_per_second: draw.one([1, draw.between(2, 99_999), 100_000]),
          coalesce_boundaries: [draw.one(["none", "paragraph"])],
          cognitive_load: draw.one(["low", "high"]),
        },
        {
          ...usualRequest,
          event_filters: { include: ["aaep:agent.session.*"], exclude: [draw.one(["aaep:agent.*", "*"])] },
        },
      ];
      for (const capabilities of wishes) {
        const { said, short } = await shakeHands(context, { capabilities });
        const why = `a request is answered neither by an acceptance nor by a rejection: ${short}`;
        context.expect("AAEP-HS-004", said.type !== undefined, why);
      }
      for (const [what, wanted] of draw.some(mistakenWishes, 3)) {
        const isAnswered = await isAnsweredAtAll(context, wanted);
        context.expect("AAEP-HS-004", isAnswered, `a request ${what} gets no answer`);
        if (!isAnswered) return;
      }
    },
  }),
  toProducer({
    name: "request-bounds-grant",
    says: "a grant does not exceed the request",
    rules: bounds,
    needs: urlPath,
    async play(context) {
      const refusals: string[] = [];
      const all = modestWishes(drawFor(context));
      for (const capabilities of all) {
        const request = requestOf(context, { capabilities });
        const { said, short } = await shakeHands(context, { request });
        if (!isAccepted(said)) {
          refusals.push(short);
          continue;
        }
        const found = await context.violations("handshake", { request, accepted: said });
        for (const rule of bounds) {
          const own = found.filter((violation) => violation.rule === rule);
          const each = own.find(({ level }) => level === "MUST") ?? own[0];
          context.expect(rule, each === undefined, `${each?.at} ${each?.why}`, each?.level);
        }
      }
      if (refusals.length === all.length)
        throw new TargetSkip(`it does not grant the subscription needed for this: ${refusals[0]}`);
    },
  }),
  toProducer({
    name: "request-repeated",
    says: "two subscriptions of one subscriber have two ids",
    rules: ["AAEP-HS-016"],
    needs: urlPath,
    async play(context) {
      requireLevel(context, 3);
      const request = { subscriber_id: context.fresh("twice") };
      const one = await openLine(context, { request });
      const other = await openLine(context, { request, name: "again" });
      // A subscription that was ended is no longer alive.
      const isLive = (await one.inbox.seen(({ type }) => type === "subscription.close", 0)) === undefined;
      if (one.inbox.isEnded() || !isLive) throw new TargetSkip("a second subscription of a subscriber ends the first");
      context.expect("AAEP-HS-016", one.id !== other.id, `both are ${one.id}, and the connection of neither was ended`);
    },
  }),
  toProducer({
    name: "request-of-other-version",
    says: "an unsupported version is rejected for that reason, or another one is granted",
    rules: ["AAEP-HS-011"],
    needs: urlPath,
    async play(context) {
      const draw = drawFor(context);
      for (const version of ["99.99.99", `${draw.between(20, 98)}.${draw.between(0, 9)}.0${draw.one(["", "-rc.1"])}`]) {
        const { said, short } = await shakeHands(context, { request: { aaep_version: version } });
        const isRight = isAccepted(said) ? said.aaep_version !== version : said.reason_code === "version_unsupported";
        context.expect("AAEP-HS-011", isRight, `version ${version} is answered ${short}`);
      }
    },
  }),
  toProducer({
    name: "request-for-signatures",
    says: "a subscriber that requires a signed manifest gets one, or learns that there is none",
    rules: ["AAEP-HS-012"],
    needs: urlPath,
    async play(context) {
      const { said, short } = await shakeHands(context, {
        capabilities: { ...usualRequest, accept_signed_manifests_only: true },
      });
      const jws = /^[\w-]+\.[\w-]+\.[\w-]+$/;
      const { manifest_uri: uri, signed_manifest: signed } = said;
      let isSigned = typeof signed === "string" && jws.test(signed);
      if (isAccepted(said) && !isSigned && typeof uri === "string") {
        const fetched = await context.fetch(uri);
        if (fetched === undefined) return context.skip("AAEP-HS-012", `its manifest is at another host: ${uri}`);
        isSigned = jws.test(fetched.text.trim());
      }
      const isRight = isAccepted(said) ? isSigned : said.reason_code === "manifest_signature_required";
      context.expect("AAEP-HS-012", isRight, `a request that requires signed manifests is answered ${short}`);
    },
  }),
  toProducer({
    name: "request-without-wishes",
    says: "a request without capabilities is served with the defaults",
    rules: ["AAEP-HS-013"],
    needs: urlPath,
    async play(context) {
      const { said, short } = await shakeHands(context, { capabilities: {} });
      context.expect("AAEP-HS-013", isAccepted(said), `a request without capabilities is answered ${short}`);
    },
  }),
  toProducer({
    name: "request-with-extensions",
    says: "unknown capabilities of extensions never prevent a subscription",
    rules: ["AAEP-EXT-008"],
    needs: urlPath,
    async play(context) {
      const draw = drawFor(context);
      const capabilities: JsonObject = {
        ...usualRequest,
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
      const { said, short } = await shakeHands(context, { capabilities });
      context.expect("AAEP-EXT-008", isAccepted(said), `unknown extensions are answered ${short}`);
    },
  }),
  toProducer({
    name: "request-with-collision",
    says: "two extensions with the same prefix are rejected with that reason",
    rules: ["AAEP-EXT-010"],
    needs: urlPath,
    async play(context) {
      const { colliding } = producerFacts(context);
      if (colliding.length < 2)
        throw new TargetSkip(
          "needs options.colliding_extensions: two known extensions with the same prefix",
          missingNeeds("options.colliding_extensions"),
        );
      const capabilities = { ...usualRequest, supported_extensions: [...colliding] };
      const { said, short } = await shakeHands(context, { capabilities });
      const isRight = said.reason_code === "capabilities_incompatible" && /\w/.test(String(said.reason_message ?? ""));
      context.expect("AAEP-EXT-010", isRight, `two extensions with one prefix are answered ${short}`);
    },
  }),
  toProducer({
    name: "request-at-levels",
    says: "both sides work at the highest level that both support",
    rules: ["AAEP-HS-017"],
    needs: urlPath,
    async play(context) {
      const { paths } = producerFacts(context);
      const { said } = await shakeHands(context, {});
      const manifest = await context.send({ method: "GET", path: paths.manifest });
      const levels = isObject(manifest.json) ? numbers(manifest.json.conformance_levels_supported) : [];
      const honored = isObject(said.honored_capabilities)
        ? numbers(said.honored_capabilities.supported_conformance_levels)
        : [];
      const highest = Math.max(...levels.filter((level) => level <= 3));
      if (levels.length === 0 || honored.length === 0)
        throw new TargetSkip("needs a manifest and an acceptance that name their levels");
      const why = `both sides support level ${highest}, and it grants ${honored.join(", ")}`;
      context.expect("AAEP-HS-017", honored.includes(highest), why);
    },
  }),
  toProducer({
    name: "terms-changed",
    says: "a change of terms is answered under the same id, or by a rejection",
    rules: ["AAEP-HS-018"],
    needs: [],
    async play(context) {
      requireLevel(context, 3);
      const line = await openLine(context);
      const said = await changeTerms(line, { preferred_verbosity: "terse" });
      if (said === undefined && context.has("start")) await mustBeAlive(context);
      const isRight = said?.type === "subscription.rejected" || said?.subscription_id === line.id;
      const how = said === undefined ? "not answered" : `answered ${JSON.stringify(said).slice(0, 200)}`;
      context.expect("AAEP-HS-018", isRight, `a renegotiation of ${line.id} is ${how}`);
    },
  }),
  toProducer({
    name: "terms-changed-while-asked",
    says: "a question stays open when the terms of a subscription that could answer it change",
    rules: ["AAEP-TMO-002"],
    waits: 6000,
    async play(context) {
      requireLevel(context, 3);
      const line = await openLine(context);
      const asked = await askedOf(line, context, "irreversible");
      const said = await changeTerms(line, slightChange(drawFor(context)));
      if (said?.type !== "subscription.accepted") {
        await rejectOpen(asked);
        throw new TargetSkip("the change of terms is not granted");
      }
      await awaitFence(line, context);
      const next = await follow(asked, showsGivenUp, asked.at + 1, 0);
      const why = `the question ended after a change of terms, before its ${asked.question.timeout_seconds} s: ${nameOf(next ?? {})} came`;
      context.expect("AAEP-TMO-002", next === undefined, why);
      await rejectOpen(asked);
    },
  }),
  toProducer({
    name: "terms-kept",
    says: "terms that a change does not name remain",
    rules: ["AAEP-HS-019"],
    async play(context) {
      requireLevel(context, 3);
      const kinds = /^(?:progress|tool|state)\./;
      const draw = drawFor(context);
      const exclude = excludeOf(draw, ["progress", "tool", "state"]);
      const all = await openLine(context, { name: "watching" });
      const line = await openLine(context, {
        capabilities: { ...usualRequest, event_filters: { include: ["aaep:agent.*"], exclude } },
      });
      const before = await namesOf(line, context);
      if ((await all.inbox.seen((event) => kinds.test(nameOf(event)), 1000)) === undefined)
        throw new TargetSkip("its sessions have no event that a filter would exclude");
      const said = await changeTerms(line, slightChange(draw));
      if (said?.type !== "subscription.accepted") throw new TargetSkip("the change of terms is not granted");
      const after = await namesOf(line, context);
      const strange = after.filter((name) => kinds.test(name) && !before.includes(name));
      const why = `a filter that the change did not mention is gone: ${[...new Set(strange)].join(", ")} came`;
      context.expect("AAEP-HS-019", strange.length === 0, why);
    },
  }),
  toProducer({
    name: "terms-obeyed",
    says: "after the new acceptance, each event follows the new terms",
    rules: ["AAEP-HS-020"],
    async play(context) {
      requireLevel(context, 3);
      const line = await openLine(context);
      const before = await namesOf(line, context);
      const exclude = excludeOf(drawFor(context), ["state", "tool"]);
      const event_filters = { include: ["aaep:agent.*"], exclude };
      const said = await changeTerms(line, { event_filters });
      if (said?.type !== "subscription.accepted") throw new TargetSkip("the change of terms is not granted");
      const after = await namesUnder(line, context);
      if (after === undefined) {
        const why = "nothing comes under new terms that include aaep:agent.*, while another subscription gets sessions";
        return context.expect("AAEP-HS-020", false, why);
      }
      const gone = before.filter((name) => /^(?:state|tool)\./.test(name));
      if (gone.length === 0) throw new TargetSkip("no earlier event came that the new terms would exclude");
      const strange = after.filter((name) => /^(?:state|tool)\./.test(name));
      context.expect("AAEP-HS-020", strange.length === 0, `${strange[0]} came under terms that exclude it`);
    },
  }),
];

function numbers(list: Json | undefined): number[] {
  return Array.isArray(list) ? list.filter((each): each is number => typeof each === "number") : [];
}
