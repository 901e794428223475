import { type JsonObject, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import { scriptOf } from "../producing/events.ts";
import { connected, stand } from "../producing/stand.ts";
import { decided, fence, isOf, mustGoOn, prompted, scene, shown, tell, toSubscriber } from "./story.ts";

/** Terms, and what becomes of connections. */
export const leaving: readonly Scenario[] = [
  toSubscriber({
    name: "terms-in-flight",
    says: "events under the old terms that were on their way are coped with",
    rules: ["AAEP-HS-021"],
    needs: ["change", "presented"],
    async play(stage) {
      const given = await scene(stage);
      const { producer } = given;
      await stage.hook("change", { exclude: ["aaep:agent.progress.*", "aaep:agent.state.*"] });
      const isChange = ({ type }: JsonObject): boolean => type === "subscription.renegotiate";
      if (!(await producer.until(() => producer.messages.some(isChange))))
        throw new TargetSkip("it asks for no new terms");
      tell(given, "state.changed");
      tell(given, "progress.updated");
      const why = "after events under the old terms nothing is presented any more";
      stage.expect("AAEP-HS-021", await fence(given), why);
    },
  }),
  toSubscriber({
    name: "closed-before-leaving",
    says: "a subscription is closed before the connection is",
    rules: ["AAEP-HS-024"],
    needs: ["disconnect"],
    async play(stage) {
      const { producer } = await scene(stage);
      if (producer.requests.length === 0) throw new TargetSkip("it shakes no hands, so that there is nothing to close");
      await stage.hook("disconnect", {});
      if (!(await producer.until(() => producer.streams.left > 0))) throw new TargetSkip("it does not disconnect");
      const close = producer.messages.find(({ type }) => type === "subscription.close");
      stage.expect("AAEP-HS-024", close !== undefined, "it disconnects without a subscription.close");
    },
  }),
  toSubscriber({
    name: "lost-connections",
    says: "a connection that is lost is survived, and nothing more is sent on it",
    rules: ["AAEP-HS-027"],
    needs: ["presented", "decide"],
    async play(stage) {
      const given = await scene(stage);
      const event = await prompted(given);
      given.producer.cut();
      // Whoever comes back has a connection again, and may answer.
      const isBack = await given.producer.until(() => given.producer.streams.opened > 1, 1500);
      if (!isBack) {
        const reply = await decided(given, event, { decision: "accept" });
        stage.expect(
          "AAEP-HS-027",
          reply === undefined,
          "a reply was sent for a subscription whose connection is lost",
        );
      }
      const another = await stand(stage);
      await connected(stage, another);
      const script = scriptOf(stage);
      another.emit(script.event("session.started"));
      const why = "after a connection was lost it presents nothing of another one";
      stage.expect("AAEP-HS-027", await fence({ stage, producer: another, script }), why);
    },
  }),
  toSubscriber({
    name: "signatures-checked",
    says: "who insists on signed manifests accepts none that is badly signed",
    rules: ["AAEP-MAN-005"],
    async play(stage) {
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
        const producer = await stand(stage, { signed_manifest }, signed_manifest);
        const isConnected = await connected(stage, producer, { signed_only: true }).then(
          () => true,
          () => false,
        );
        const asked = JSON.stringify(producer.requests.at(-1) ?? {});
        if (!asked.includes('"accept_signed_manifests_only":true'))
          throw new TargetSkip("its request does not insist on signed manifests");
        if (!isConnected) {
          stage.expect("AAEP-MAN-005", true, "");
          continue;
        }
        const given = { stage, producer, script: scriptOf(stage) };
        const event = given.script.event("session.started");
        producer.emit(event);
        const other = await scene(stage);
        await mustGoOn(other);
        const isHeard = (await shown(stage)).items.some(isOf(event));
        stage.expect("AAEP-MAN-005", !isHeard, `it presents events of a producer whose manifest is ${what}`);
      }
    },
  }),
];
