import {
  isObject,
  type Json,
  type JsonObject,
  missingNeeds,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { shortenType } from "../../rules/event.ts";
import { openSubscription } from "../subscribing/open.ts";
import type { OpenSubscription } from "../subscribing/open-subscription.ts";
import { readProducerFacts, requireLevel } from "../subscribing/producer-facts.ts";
import { closeMessage } from "../subscribing/request.ts";
import { requestSubscription, streamStatus, subscribeOverSse } from "../subscribing/sse.ts";
import { beginWaitingSession } from "./conduct.ts";
import { mustBeIgnored } from "./ignoring.ts";
import { toProducer } from "./scenario.ts";
import { awaitEnd, beginSession, makeConfirmation, sendReply } from "./session.ts";

/** Expects that a subscription continues unchanged when others try to end it or to change its terms. */
async function expectUnchanged(watcher: OpenSubscription, context: ScenarioContext): Promise<void> {
  const subscription = await openSubscription(context, { name: "owned" });
  subscription.inbox.expectEnd();
  const filters = { include: [], exclude: ["aaep:agent.*"] };
  const attempts: [verb: string, message: JsonObject][] = [
    ["changed", { type: "subscription.renegotiate", capabilities: { event_filters: filters } }],
    ["closed", { type: "subscription.close", reason_code: "shutdown", reason_message: "That was all." }],
  ];
  for (const [verb, message] of attempts)
    for (const caller of ["b", "nobody"] as const) {
      await subscription.send({ ...message, subscription_id: subscription.id }, caller).catch((error: unknown) => {
        if (!(error instanceof TargetFailure) || error.stage !== "access") throw error;
      });
      const { id } = await beginSession(watcher, context, "plain");
      const receivesEvents =
        (await subscription.inbox.waitFor(({ session_id: session }) => session === id)) !== undefined;
      const callerName = caller === "b" ? "another subscriber" : "an unknown sender";
      context.expect(
        "AAEP-SEC-003",
        receivesEvents,
        `a caller with the id of a subscription has ${verb} it: ${callerName}`,
      );
      if (!receivesEvents) return;
    }
}

/** Scenarios on the producer's access control and on its published addresses. */
export const accessScenarios: readonly Scenario[] = [
  toProducer({
    name: "reply-of-nobody",
    says: "a reply counts only from an authenticated sender",
    rules: ["AAEP-RPL-012"],
    needs: ["start", "url", "credential"],
    async play(context) {
      const subscription = await openSubscription(context);
      const askedSession = await beginWaitingSession(subscription, context, "irreversible");
      const reply = await makeConfirmation(askedSession, "accept");
      await sendReply(subscription, reply, "nobody");
      await mustBeIgnored(askedSession, reply, "AAEP-RPL-012", "an acceptance without credentials");
    },
  }),
  toProducer({
    name: "reply-over-nothing",
    says: "a reply counts only under the id of a live subscription",
    rules: ["AAEP-RPL-019"],
    needs: ["start", "url"],
    async play(context) {
      requireLevel(context, 3);
      const subscription = await openSubscription(context);
      const closed = await openSubscription(context, { name: "closed" });
      closed.inbox.expectEnd();
      await closed.send(closeMessage(closed.id));
      const uniqueText = context.fresh("none").replaceAll(/[^A-Za-z0-9]/g, "");
      const unknownId = `sub_${uniqueText.slice(0, 60)}`;
      for (const id of [unknownId, closed.id]) {
        const askedSession = await beginWaitingSession(subscription, context, "irreversible");
        const reply = await makeConfirmation(askedSession, "accept", { subscription_id: id });
        await subscription.send(reply);
        const subscriptionText = id === closed.id ? "a closed subscription" : "a subscription that never existed";
        await mustBeIgnored(askedSession, reply, "AAEP-RPL-019", `an acceptance over ${subscriptionText}`);
      }
    },
  }),
  toProducer({
    name: "subscription-of-another",
    says: "the id of a subscription does not grant access",
    rules: ["AAEP-SEC-003"],
    needs: ["start", "url", "second-credential"],
    async play(context) {
      requireLevel(context, 3);
      const subscription = await openSubscription(context);
      for (const caller of ["b", "nobody"] as const) {
        const status = await streamStatus(context, subscription.id, caller, () =>
          beginSession(subscription, context, "plain"),
        );
        const callerName = caller === "b" ? "another subscriber" : "an unknown sender";
        const why = `${callerName} may read the stream of a subscription, knowing only its id`;
        if (status === undefined) context.skip("AAEP-SEC-003", `the stream is not granted to ${callerName}`);
        else context.expect("AAEP-SEC-003", status !== 200, why);
      }
      // Subscriber b can open its own subscription, so it was not rejected because of its credential.
      await openSubscription(context, { caller: "b", name: "b" });
      const newSubscription = await openSubscription(context);
      const askedSession = await beginWaitingSession(newSubscription, context, "irreversible");
      const reply = await makeConfirmation(askedSession, "accept");
      await newSubscription.send(reply, "b").catch((error: unknown) => {
        if (!(error instanceof TargetFailure) || error.stage !== "access") throw error;
      });
      await mustBeIgnored(
        askedSession,
        reply,
        "AAEP-SEC-003",
        "an acceptance by another subscriber under someone else's id",
      );
      await expectUnchanged(newSubscription, context);
    },
  }),
  toProducer({
    name: "strangers-refused",
    says: "a remote caller without credentials is rejected",
    rules: ["AAEP-SEC-002"],
    needs: ["url"],
    async play(context) {
      requireLevel(context, 3);
      const { isExposed } = readProducerFacts(context);
      const { hostname } = new URL(context.setting.url ?? "");
      if (isLoopback(hostname) && !isExposed)
        throw new TargetSkip(
          "needs a producer on another host, or options.exposed for a producer that others can reach",
          missingNeeds("options.exposed"),
        );
      const reply = await requestSubscription(context, { caller: "nobody" });
      const isGranted = reply.status < 300 && isObject(reply.json) && reply.json.type === "subscription.accepted";
      context.expect("AAEP-SEC-002", !isGranted, "a subscription without credentials is granted");
    },
  }),
  toProducer({
    name: "addresses-protected",
    says: "a producer on a network is reached over TLS",
    rules: ["AAEP-TRN-009"],
    needs: ["url"],
    async play(context) {
      const { paths } = readProducerFacts(context);
      const manifest = await context.send({ method: "GET", path: paths.manifest });
      const addresses = [
        context.setting.url ?? "",
        ...(manifest.status === 200 ? addressesIn(manifest.json ?? null) : []),
      ];
      const remoteAddresses = addresses.filter((text) => URL.canParse(text) && !isLoopback(new URL(text).hostname));
      if (remoteAddresses.length === 0) throw new TargetSkip("is reached only on this machine, as far as can be seen");
      for (const address of remoteAddresses) {
        const isProtected = /^(?:https|wss|grpcs):/.test(address);
        context.expect("AAEP-TRN-009", isProtected, `${address} is not protected by TLS`);
      }
    },
  }),
  toProducer({
    name: "manifest-published",
    says: "the manifest is at its path, and at the address that events name",
    rules: ["AAEP-MAN-001", "AAEP-ENV-021"],
    needs: ["start", "url"],
    async play(context) {
      const { paths, level } = readProducerFacts(context);
      const subscription = await openSubscription(context);
      const session = await beginSession(subscription, context, "plain");
      await awaitEnd(session);
      const eventUris = subscription.inbox.arrivals.flatMap(({ message }) => {
        const { manifest_uri: uri } = producerOf(message);
        return typeof uri === "string" ? [uri] : [];
      });
      const acceptedUris = [subscription.accepted?.manifest_uri, producerOf(subscription.accepted ?? {}).manifest_uri];
      const wellKnownReply = await context.send({ method: "GET", path: paths.manifest });
      const replies = [wellKnownReply];
      for (const uri of new Set([...acceptedUris, ...eventUris]))
        if (typeof uri === "string") {
          const fetched = await context.fetch(uri);
          if (fetched !== undefined) replies.push(fetched);
        }
      const isPublished = replies.some(
        ({ status, json, text }) => status === 200 && (mayBeManifest(json) || isSigned(text)),
      );
      if (level < 3) context.skip("AAEP-MAN-001", "is about level 3");
      else
        context.expect(
          "AAEP-MAN-001",
          isPublished,
          `no manifest is published at ${paths.manifest}: HTTP ${wellKnownReply.status}`,
        );
      if (eventUris.length === 0) context.skip("AAEP-ENV-021", "no received event names a `manifest_uri`");
      for (const uri of new Set(eventUris)) {
        const reply = await context.fetch(uri);
        if (reply === undefined) context.skip("AAEP-ENV-021", `the manifest is at another host: ${uri}`);
        else if (isSigned(reply.text))
          context.expect("AAEP-ENV-021", reply.status === 200, `${uri}: HTTP ${reply.status}`);
        else {
          const isManifestServed = reply.status === 200 && isManifest(reply.json);
          context.expect(
            "AAEP-ENV-021",
            isManifestServed,
            `no manifest is at ${uri}: HTTP ${reply.status} ${reply.text.slice(0, 120)}`,
          );
        }
      }
    },
  }),
  toProducer({
    name: "profile-of-streams",
    says: "subscriptions, streams and replies follow Appendix B",
    rules: ["AAEP-TRN-020"],
    needs: ["start", "url"],
    async play(context) {
      const { isAppendixB } = readProducerFacts(context);
      requireLevel(context, 3);
      if (!isAppendixB) throw new TargetSkip("options.preset names another profile", missingNeeds("options.preset"));
      const { status, headers } = await requestSubscription(context, {});
      context.expect("AAEP-TRN-020", status === 201, `a subscription is granted with HTTP ${status}`);
      context.expect(
        "AAEP-TRN-020",
        headers.location !== undefined,
        "the stream's address is not in a Location header",
      );
      const subscription = await subscribeOverSse(context, {});
      const session = await beginSession(subscription, context, "plain");
      await awaitEnd(session);
      const events = subscription.inbox.arrivals.filter(({ message }) => message.session_id === session.id);
      const wrongEvent = events.find(
        ({ message, frame }) => frame.event !== "aaep.event" || frame.id !== message.event_id,
      );
      const frameText = `event "${wrongEvent?.frame.event}" and id "${wrongEvent?.frame.id}"`;
      context.expect(
        "AAEP-TRN-020",
        wrongEvent === undefined,
        `${wrongEvent?.message.event_id} arrives with ${frameText}`,
      );
    },
  }),
];

function producerOf({ producer }: JsonObject): JsonObject {
  return isObject(producer) ? producer : {};
}

function isManifest(json: Json | undefined): boolean {
  return (
    isObject(json) && shortenType(String(json.type)) === "aaep:producer.manifest" && typeof json.agent_id === "string"
  );
}

/** Whether a value is meant as a manifest. Another rule judges its members. */
function mayBeManifest(json: Json | undefined): boolean {
  return (
    isObject(json) && (shortenType(String(json.type)) === "aaep:producer.manifest" || typeof json.agent_id === "string")
  );
}

function isSigned(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text.trim());
}

/** Finds the addresses in a value, by the URI schemes of the transports. */
function addressesIn(value: Json): string[] {
  if (typeof value === "string") return /^(?:https?|wss?|grpcs?):\/\//.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(addressesIn);
  return isObject(value)
    ? Object.entries(value).flatMap(([name, member]) => (mayHoldAddress(name) ? addressesIn(member) : []))
    : [];
}

/** Whether a member may contain addresses. A context or an extension is a name, not an address. */
function mayHoldAddress(name: string): boolean {
  return name !== "@context" && !/extension/i.test(name);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
