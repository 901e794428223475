import { type JsonObject, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import { createScript } from "../producing/events.ts";
import { addressesOf, openTestStand } from "../producing/test-stand.ts";
import { requireLevel } from "../subscribing/producer-facts.ts";
import { connect, matcherOf, mustBeAlive, readPresented, toSubscriber, waitUntilPresented } from "./session.ts";

/** Scenarios on manifests with wrong signatures. */
export const signedManifestScenarios: readonly Scenario[] = [
  toSubscriber({
    name: "signatures-checked",
    says: "a subscriber that requires signed manifests accepts none with a wrong signature",
    rules: ["AAEP-MAN-005"],
    async play(context) {
      requireLevel(context, 3);
      const encodePart = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString("base64url");
      const manifest = { type: "aaep:producer.manifest", agent_id: "touchstone-producer" };
      const badManifests: [defect: string, manifest: string][] = [
        ["not signed at all", `${encodePart({ alg: "none" })}.${encodePart(manifest)}.AA`],
        [
          "signed by an unknown key",
          `${encodePart({ alg: "ES256" })}.${encodePart(manifest)}.${Buffer.alloc(64, 7).toString("base64url")}`,
        ],
      ];
      for (const [defect, signed_manifest] of badManifests) {
        const producer = await openTestStand(context, { signed_manifest }, signed_manifest);
        await context.hook("connect", { ...addressesOf(context, producer), signed_only: true });
        await producer.waitUntil(() => producer.requests.length > 0);
        const requestText = JSON.stringify(producer.requests.at(-1) ?? {});
        if (!requestText.includes('"accept_signed_manifests_only":true'))
          throw new TargetSkip("its request does not require signed manifests");
        const event = createScript(context).event("session.started");
        // A subscriber with one connection at a time will end this one for the next, so it first has time to present the event.
        const { streams, messages } = producer;
        const hasDisconnected = (): boolean =>
          streams.ended > 0 || messages.some(({ type }) => type === "subscription.close");
        await producer.waitUntil(() => streams.opened > 0 || hasDisconnected());
        if (!(await producer.waitUntil(hasDisconnected, 500)) && streams.opened > 0) {
          producer.emit(event);
          await waitUntilPresented(context, event);
        }
        const itemsBefore = (await readPresented(context)).items;
        // When the subscriber presents events of another producer, it has also handled those of this one.
        const otherSession = await connect(context);
        producer.emit(event);
        await mustBeAlive(otherSession);
        const isPresented = [...itemsBefore, ...(await readPresented(context)).items].some(matcherOf(event));
        context.expect(
          "AAEP-MAN-005",
          !isPresented,
          `it presents events of a producer with a manifest that is ${defect}`,
        );
      }
    },
  }),
];
