import { type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import { ask, breakSeal, contentOf, messageOf, type PartyAnswer, peerOf, request } from "../parties.ts";
import { answersTo, socketTo } from "./connect.ts";
import { messagesToRefuse } from "./signatures.ts";

export const sockets: readonly Scenario[] = [
  {
    name: "sockets-frames",
    says: "each frame of a WebSocket is a message: one response, or a stream",
    rules: ["SNAP-WS-001"],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      const socket = await socketTo(context, peer);
      const sentRequest = await request(context, peer, "message/send", messageOf(context));
      const [answer, ...moreAnswers] = await answersTo(context, socket, sentRequest, { frames: "SNAP-WS-001" });
      const answerContent = contentOf(answer);
      if (moreAnswers.length > 0 || answer?.type !== "response")
        context.expect(
          "SNAP-WS-001",
          false,
          `message/send over WebSocket is not answered with one response: ${answerContent.brief}`,
        );
      if (answer === undefined) return;
      const streamRequest = await request(context, peer, "message/stream", messageOf(context));
      const all = await answersTo(context, socket, streamRequest);
      const last = contentOf(all.at(-1));
      if (last.code === 1007)
        return context.skip("SNAP-WS-001", "the agent does not offer streams, which most of this scenario is about");
      const isRight =
        all.length > 0 && all.at(-1)?.type === "response" && all.every(({ method }) => method === "message/stream");
      context.expect(
        "SNAP-WS-001",
        isRight,
        `message/stream over WebSocket does not end with a response: ${last.brief}`,
      );
      // An answer to the next request would come after the remaining items of the stream.
      const get = await request(context, peer, "tasks/get", { taskId: answerContent.task?.id ?? "none" });
      const [next] = await answersTo(context, socket, get);
      const why = `after its response a stream over WebSocket continues: ${contentOf(next).brief}`;
      context.expect("SNAP-WS-001", next === undefined || next.method === "tasks/get", why);
    },
  },
  {
    name: "sockets-refused",
    says: "a refusal on a WebSocket is sent there",
    rules: ["SNAP-WS-003"],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      const socket = await socketTo(context, peer);
      const [answer] = await answersTo(
        context,
        socket,
        breakSeal(await request(context, peer, "message/send", messageOf(context))),
        { mayBeSilent: true },
      );
      const answerContent = contentOf(answer);
      if (answerContent.task !== undefined) return context.skip("SNAP-WS-003", "a forged message is not refused");
      const isRight = answerContent.error !== undefined && answer?.type === "response";
      context.expect(
        "SNAP-WS-003",
        isRight,
        `a forged message on a WebSocket is not answered with an error: ${answerContent.brief}`,
      );
      if (!isRight) return;
      // An agent may close the connection after a refusal.
      const secondSocket = await socketTo(context, peer);
      const forgedRequest = breakSeal(await request(context, peer, "message/stream", messageOf(context)));
      const [refusal] = await answersTo(context, secondSocket, forgedRequest, { mayBeSilent: true });
      if (refusal?.type === "event" || contentOf(refusal).task !== undefined)
        return context.skip("SNAP-WS-003", "a forged request for a stream is not refused");
      const why = `a forged request for a stream on a WebSocket is not answered with an error: ${contentOf(refusal).brief}`;
      context.expect("SNAP-WS-003", contentOf(refusal).error !== undefined, why);
    },
  },
  {
    name: "sockets-checked",
    says: "messages over a WebSocket are checked like messages over HTTP",
    rules: ["SNAP-SIG-008", "SNAP-SIG-009", "SNAP-TIME-001", "SNAP-RCPT-001"],
    needs: ["url"],
    withinMs: 120_000,
    async play(context) {
      const peer = await peerOf(context);
      const socket = await socketTo(context, peer);
      const rightRequest = await request(context, peer, "message/send", messageOf(context));
      const rightAnswer = contentOf((await answersTo(context, socket, rightRequest))[0]);
      if (rightAnswer.task === undefined)
        throw new TargetSkip(`a message is not accepted over WebSocket: ${rightAnswer.brief}`, { kind: "not-shown" });
      for (const method of ["message/send", "tasks/get"]) {
        const payload = method === "tasks/get" ? { taskId: rightAnswer.task.id as string } : messageOf(context);
        for (const { rule, what: description, message } of await messagesToRefuse(context, peer, method, payload)) {
          // Each uses its own connection, because an agent that refuses may close it.
          const ownSocket = await socketTo(context, peer);
          const [answer] = await answersTo(context, ownSocket, message, { mayBeSilent: true });
          ownSocket.close();
          if (answer === undefined) {
            context.skip(rule, `a message of ${method} over WebSocket that is ${description} is not answered`);
            continue;
          }
          const answerContent = contentOf(answer);
          const why = `a message of ${method} over WebSocket that is ${description} is accepted: ${answerContent.brief}`;
          context.expect(rule, answerContent.task === undefined, why);
        }
      }
    },
  },
  {
    name: "sockets-memory",
    says: "a message that came over one transport is not carried out over another",
    rules: ["SNAP-REPLAY-007"],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      const socket = await socketTo(context, peer);
      const isCarriedOut = ({ task }: PartyAnswer, { task: secondSocket }: PartyAnswer): boolean =>
        secondSocket !== undefined && secondSocket.id !== task?.id;
      const firstMessage = await request(context, peer, "message/send", messageOf(context));
      const first = await ask(context, peer, firstMessage);
      const repeatedAnswer = contentOf((await answersTo(context, socket, firstMessage))[0]);
      if (first.task === undefined)
        return context.skip("SNAP-REPLAY-007", `a message is not accepted over HTTP: ${first.brief}`);
      // A fresh message shows that the socket is being served. Otherwise silence would show nothing.
      const secondMessage = await request(context, peer, "message/send", messageOf(context));
      const firstAnswer = contentOf((await answersTo(context, socket, secondMessage))[0]);
      if (firstAnswer.task === undefined && repeatedAnswer.task === undefined)
        return context.skip("SNAP-REPLAY-007", `a message is not accepted over WebSocket: ${firstAnswer.brief}`);
      context.expect(
        "SNAP-REPLAY-007",
        !isCarriedOut(first, repeatedAnswer),
        `a message that was accepted over HTTP is carried out again over WebSocket: ${repeatedAnswer.brief}`,
      );
      const secondAnswer = await ask(context, peer, secondMessage);
      context.expect(
        "SNAP-REPLAY-007",
        !isCarriedOut(firstAnswer, secondAnswer),
        `a message that was accepted over WebSocket is carried out again over HTTP: ${secondAnswer.brief}`,
      );
    },
  },
  {
    name: "sockets-pings",
    says: "an agent pings every open WebSocket",
    rules: ["SNAP-WS-002"],
    needs: ["url"],
    withinMs: 90_000,
    waits: 35_000,
    ownTimers: true,
    slow: true,
    async play(context) {
      const peer = await peerOf(context);
      const socket = await socketTo(context, peer);
      const before = socket.pings();
      await context.pass(35_000);
      // A timer notices a moved clock only from time to time, or not at all.
      for (let waitedMs = 0; context.has("clock") && socket.pings() === before && waitedMs < 35_000; waitedMs += 100)
        await context.wait(100);
      // The next answer comes after everything sent before.
      await answersTo(context, socket, await request(context, peer, "tasks/get", { taskId: "touchstone-none" }));
      context.expect(
        "SNAP-WS-002",
        socket.pings() > before,
        "no ping comes on a WebSocket that is open for 35 seconds",
      );
    },
  },
];
