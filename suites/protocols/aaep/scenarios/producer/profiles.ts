import {
  type JsonObject,
  missingNeeds,
  type Scenario,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { overCommand, overSocket } from "../subscribing/pipe.ts";
import { producerFacts } from "../subscribing/producer-facts.ts";
import { closeMessage } from "../subscribing/request.ts";
import { overWebSocket } from "../subscribing/websocket.ts";
import { toProducer } from "./scenario.ts";
import { awaitEnd, beginSession, nameOf } from "./story.ts";

/** Bindings other than streams, according to Appendix B. */
export const profiles: readonly Scenario[] = [
  toProducer({
    name: "profile-of-websockets",
    says: "over WebSocket the subprotocol is named, and each text frame is a message",
    rules: ["AAEP-TRN-021"],
    async play(context) {
      const { websocket } = producerFacts(context);
      if (websocket === undefined)
        throw new TargetSkip(
          "needs options.websocket, the address of its WebSocket",
          missingNeeds("options.websocket"),
        );
      const line = await overWebSocket(context, websocket, {}).catch((error: unknown) => {
        // A client gives up if the server does not confirm its subprotocol.
        if (!(error instanceof TargetFailure) || error.stage !== "connect") throw error;
        return overWebSocket(context, websocket, {}, []);
      });
      const named = line.protocol === "" ? "none" : `"${line.protocol}"`;
      context.expect("AAEP-TRN-021", line.protocol === "aaep.v1", `of the subprotocol aaep.v1 it names ${named}`);
      await awaitEnd(await beginSession(line, context, "plain"));
      const odd =
        line.inbox.faults[0] ?? line.inbox.arrivals.find(({ frame }) => frame.profile !== undefined)?.frame.profile;
      context.expect("AAEP-TRN-021", odd === undefined, `a frame is not a message: ${odd}`);
      line.inbox.expectEnd();
      await line.send(closeMessage(line.id));
      if (!(await line.inbox.over())) return context.note("AAEP-TRN-021", "the connection stays open after a close");
      const code = await line.closed;
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
      const line = await overCommand(context, {});
      const isEvent = (message: JsonObject): boolean => typeof message.event_id === "string";
      const first = await line.inbox.seen(isEvent);
      if (first !== undefined) await line.inbox.seen((event) => /^session\.(?:c|e)/.test(nameOf(event)));
      const odd = line.inbox.arrivals.find(({ frame }) => frame.profile !== undefined);
      const broken = line.inbox.faults[0];
      context.expect("AAEP-TRN-022", broken === undefined, `a line is not JSON-RPC: ${broken}`);
      context.expect("AAEP-TRN-022", odd === undefined, `a line ${odd?.frame.profile}`);
    },
  }),
  toProducer({
    name: "profile-of-sockets",
    says: "a Unix socket uses one framing throughout",
    rules: ["AAEP-TRN-023"],
    async play(context) {
      const { socket, framing } = producerFacts(context);
      if (socket === undefined)
        throw new TargetSkip("needs options.socket, the path of its Unix socket", missingNeeds("options.socket"));
      const line = await overSocket(context, socket, framing, {});
      await context.hook("start", { task: "plain", words: "What is my balance?" });
      const last = await line.inbox.seen(
        (event) => line.inbox.faults.length > 0 || /^session\.(?:c|e)/.test(nameOf(event)),
      );
      const fault = line.inbox.faults[0];
      if (last === undefined && fault === undefined) throw new TargetSkip("no event comes over the socket");
      context.expect("AAEP-TRN-023", fault === undefined, `the frames do not follow ${framing}: ${fault}`);
    },
  }),
];
