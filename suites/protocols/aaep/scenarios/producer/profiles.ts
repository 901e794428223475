import {
  type JsonObject,
  missingNeeds,
  type Scenario,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { subscribeOverCommand, subscribeOverSocket } from "../subscribing/pipe.ts";
import { readProducerFacts } from "../subscribing/producer-facts.ts";
import { closeMessage } from "../subscribing/request.ts";
import { subscribeOverWebSocket } from "../subscribing/websocket.ts";
import { toProducer } from "./scenario.ts";
import { awaitEnd, beginSession, nameOf } from "./session.ts";

/** Matches session.completed, session.cancelled and session.errored. */
const endPattern = /^session\.(?:c|e)/;

/** Scenarios on the bindings of Appendix B other than streams. */
export const profileScenarios: readonly Scenario[] = [
  toProducer({
    name: "profile-of-websockets",
    says: "over WebSocket the subprotocol is named, and each text frame is a message",
    rules: ["AAEP-TRN-021"],
    async play(context) {
      const { websocket } = readProducerFacts(context);
      if (websocket === undefined)
        throw new TargetSkip(
          "needs options.websocket, the address of its WebSocket",
          missingNeeds("options.websocket"),
        );
      const subscription = await subscribeOverWebSocket(context, websocket, {}).catch((error: unknown) => {
        // A client fails if the server does not confirm its subprotocol, so it connects again without one.
        if (!(error instanceof TargetFailure) || error.stage !== "connect") throw error;
        return subscribeOverWebSocket(context, websocket, {}, []);
      });
      const namedProtocol = subscription.protocol === "" ? "none" : `"${subscription.protocol}"`;
      context.expect(
        "AAEP-TRN-021",
        subscription.protocol === "aaep.v1",
        `it names ${namedProtocol} instead of the subprotocol aaep.v1`,
      );
      await awaitEnd(await beginSession(subscription, context, "plain"));
      const wrongFrame =
        subscription.inbox.faults[0] ??
        subscription.inbox.arrivals.find(({ frame }) => frame.profile !== undefined)?.frame.profile;
      context.expect("AAEP-TRN-021", wrongFrame === undefined, `a frame is not a message: ${wrongFrame}`);
      subscription.inbox.expectEnd();
      await subscription.send(closeMessage(subscription.id));
      if (!(await subscription.inbox.waitForEnd()))
        return context.note("AAEP-TRN-021", "the connection stays open after a close");
      const code = await subscription.closed;
      // A normal end, an end without a code, or one of the profile's own codes.
      const isListed = code !== undefined && (code === 1000 || code === 1005 || (code >= 4000 && code <= 4005));
      context.expect("AAEP-TRN-021", isListed, `the connection ends with the code ${code}`);
    },
  }),
  toProducer({
    name: "profile-of-lines",
    says: "over standard output each line is JSON-RPC 2.0, and nothing else is written",
    rules: ["AAEP-TRN-022"],
    needs: ["command"],
    slow: true,
    async play(context) {
      const subscription = await subscribeOverCommand(context, {});
      const isEvent = (message: JsonObject): boolean => typeof message.event_id === "string";
      const firstEvent = await subscription.inbox.waitFor(isEvent);
      if (firstEvent !== undefined) await subscription.inbox.waitFor((event) => endPattern.test(nameOf(event)));
      const wrongMessage = subscription.inbox.arrivals.find(({ frame }) => frame.profile !== undefined);
      const fault = subscription.inbox.faults[0];
      context.expect("AAEP-TRN-022", fault === undefined, `a line is not JSON-RPC: ${fault}`);
      context.expect("AAEP-TRN-022", wrongMessage === undefined, `a line ${wrongMessage?.frame.profile}`);
    },
  }),
  toProducer({
    name: "profile-of-sockets",
    says: "a Unix socket uses one framing throughout",
    rules: ["AAEP-TRN-023"],
    async play(context) {
      const { socket, framing } = readProducerFacts(context);
      if (socket === undefined)
        throw new TargetSkip("needs options.socket, the path of its Unix socket", missingNeeds("options.socket"));
      const subscription = await subscribeOverSocket(context, socket, framing, {});
      await context.hook("start", { task: "plain", words: "What is my balance?" });
      const lastEvent = await subscription.inbox.waitFor(
        (event) => subscription.inbox.faults.length > 0 || endPattern.test(nameOf(event)),
      );
      const fault = subscription.inbox.faults[0];
      if (lastEvent === undefined && fault === undefined) throw new TargetSkip("no event arrives over the socket");
      context.expect("AAEP-TRN-023", fault === undefined, `the frames do not follow ${framing}: ${fault}`);
    },
  }),
];
