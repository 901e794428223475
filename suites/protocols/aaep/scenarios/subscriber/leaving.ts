import { type JsonObject, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import { scriptOf } from "../producing/events.ts";
import { connected, placesOf, stand } from "../producing/stand.ts";
import { mustClaim } from "../subscribing/known.ts";
import { decided, fence, isOf, mustGoOn, options, prompted, shown, tell, toSubscriber } from "./story.ts";

/** Terms, and what becomes of connections. */
export const leaving: readonly Scenario[] = [
  toSubscriber({
    name: "terms-in-flight",
    says: "events under the old terms that were on their way are coped with",
    rules: ["AAEP-HS-021"],
    needs: ["change", "presented"],
    async play(context) {
      mustClaim(context, 3);
      const given = await options(context);
      const { producer } = given;
      await context.hook("change", { exclude: ["aaep:agent.progress.*", "aaep:agent.state.*"] });
      const isChange = ({ type }: JsonObject): boolean => type === "subscription.renegotiate";
      if (!(await producer.until(() => producer.messages.some(isChange))))
        throw new TargetSkip("it asks for no new terms");
      tell(given, "state.changed");
      tell(given, "progress.updated");
      const why = "after events under the old terms nothing is presented any more";
      context.expect("AAEP-HS-021", await fence(given), why);
    },
  }),
  toSubscriber({
    name: "closed-before-leaving",
    says: "a subscription is closed before the connection is",
    rules: ["AAEP-HS-024"],
    needs: ["disconnect"],
    async play(context) {
      mustClaim(context, 3);
      const { producer } = await options(context);
      if (producer.requests.length === 0) throw new TargetSkip("it shakes no hands, so that there is nothing to close");
      await context.hook("disconnect", {});
      if (!(await producer.until(() => producer.streams.left > 0))) throw new TargetSkip("it does not disconnect");
      const close = producer.messages.find(({ type }) => type === "subscription.close");
      context.expect("AAEP-HS-024", close !== undefined, "it disconnects without a subscription.close");
    },
  }),
  toSubscriber({
    name: "lost-connections",
    says: "a connection that is lost is survived, and nothing more is sent on it",
    rules: ["AAEP-HS-027"],
    needs: ["presented", "decide"],
    async play(context) {
      const given = await options(context);
      const event = await prompted(given);
      given.producer.cut();
      // Whoever comes back has a connection again, and may answer.
      const isBack = await given.producer.until(() => given.producer.streams.opened > 1, 1500);
      const accept = { event_id: event.event_id ?? "", reply_token: event.reply_token ?? "", decision: "accept" };
      if (!isBack) await context.hook("decide", accept);
      const another = await stand(context);
      await connected(context, another);
      const next = { context, producer: another, script: scriptOf(context) };
      another.emit(next.script.event("session.started"));
      const why = "after a connection was lost it presents nothing of another one";
      const isUp = await fence(next);
      context.expect("AAEP-HS-027", isUp, why);
      if (isBack || !isUp) return;
      if ((await decided(next, await prompted(next), { decision: "reject" })) === undefined) return;
      const reply = given.producer.messages.find(({ type }) => type === "confirmation.reply");
      context.expect(
        "AAEP-HS-027",
        reply === undefined,
        "a reply was sent for a subscription whose connection is lost",
      );
    },
  }),
  toSubscriber({
    name: "signatures-checked",
    says: "who insists on signed manifests accepts none that is badly signed",
    rules: ["AAEP-MAN-005"],
    async play(context) {
      mustClaim(context, 3);
      const part = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString("base64url");
      const manifest = { type: "aaep:producer.manifest", agent_id: "touchstone-producer" };
      const bad: [what: string, text: string][] = [
        ["not signed at all", `${part({ alg: "none" })}.${part(manifest)}.AA`],
        [
          "signed by nobody",
          `${part({ alg: "ES256" })}.${part(manifest)}.${Buffer.alloc(64, 7).toString("base64url")}`,
        ],
      ];
      for (const [what, signed_manifest] of bad) {
        const producer = await stand(context, { signed_manifest }, signed_manifest);
        await context.hook("connect", { ...placesOf(context, producer), signed_only: true });
        // By the time that another producer is heard, this one would have been, too.
        const other = await options(context);
        const asked = JSON.stringify(producer.requests.at(-1) ?? {});
        if (!asked.includes('"accept_signed_manifests_only":true'))
          throw new TargetSkip("its request does not insist on signed manifests");
        const event = scriptOf(context).event("session.started");
        producer.emit(event);
        await mustGoOn(other);
        const isHeard = (await shown(context)).items.some(isOf(event));
        context.expect("AAEP-MAN-005", !isHeard, `it presents events of a producer whose manifest is ${what}`);
      }
    },
  }),
];
