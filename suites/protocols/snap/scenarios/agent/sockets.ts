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
      const [answer, ...moreAnswers] = await answersTo(context, socket, sentRequest, { frameRule: "SNAP-WS-001" });
      const answerContent = contentOf(answer);
      if (moreAnswers.length > 0 || answer?.type !== "response")
        context.expect(
          "SNAP-WS-001",
          false,
          `message/send over WebSocket is not answered with one response: ${answerContent.brief}`,
        );
      if (answer === undefined) return;
      const streamRequest = await request(context, peer, "message/stream", messageOf(context));
      const answers = await answersTo(context, socket, streamRequest);
      const lastContent = contentOf(answers.at(-1));
      if (lastContent.code === 1007)
        return context.skip("SNAP-WS-001", "the agent does not offer streams, which most of this scenario is about");
      const endsWithResponse =
        answers.length > 0 &&
        answers.at(-1)?.type === "response" &&
        answers.every(({ method }) => method === "message/stream");
      context.expect(
        "SNAP-WS-001",
        endsWithResponse,
        `message/stream over WebSocket does not end with a response: ${lastContent.brief}`,
      );
      // The answer to the next request would follow the remaining items of the stream.
      const get = await request(context, peer, "tasks/get", { taskId: answerContent.task?.id ?? "none" });
      const [nextAnswer] = await answersTo(context, socket, get);
      const why = `after its response a stream over WebSocket continues: ${contentOf(nextAnswer).brief}`;
      context.expect("SNAP-WS-001", nextAnswer === undefined || nextAnswer.method === "tasks/get", why);
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
      const isErrorResponse = answerContent.error !== undefined && answer?.type === "response";
      context.expect(
        "SNAP-WS-003",
        isErrorResponse,
        `a forged message on a WebSocket is not answered with an error: ${answerContent.brief}`,
      );
      if (!isErrorResponse) return;
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
      const validRequest = await request(context, peer, "message/send", messageOf(context));
      const validAnswer = contentOf((await answersTo(context, socket, validRequest))[0]);
      if (validAnswer.task === undefined)
        throw new TargetSkip(`a message is not accepted over WebSocket: ${validAnswer.brief}`, { kind: "not-shown" });
      for (const method of ["message/send", "tasks/get"]) {
        const payload = method === "tasks/get" ? { taskId: validAnswer.task.id as string } : messageOf(context);
        for (const { rule, what: description, message } of await messagesToRefuse(context, peer, method, payload)) {
          // Each message has its own connection, because an agent may close a connection after a refusal.
          const freshSocket = await socketTo(context, peer);
          const [answer] = await answersTo(context, freshSocket, message, { mayBeSilent: true });
          freshSocket.close();
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
    says: "a message that arrived over one transport is not carried out over another",
    rules: ["SNAP-REPLAY-007"],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      const socket = await socketTo(context, peer);
      const isCarriedOut = ({ task: originalTask }: PartyAnswer, { task: repeatedTask }: PartyAnswer): boolean =>
        repeatedTask !== undefined && repeatedTask.id !== originalTask?.id;
      const httpMessage = await request(context, peer, "message/send", messageOf(context));
      const httpAnswer = await ask(context, peer, httpMessage);
      const repeatedOverSocket = contentOf((await answersTo(context, socket, httpMessage))[0]);
      if (httpAnswer.task === undefined)
        return context.skip("SNAP-REPLAY-007", `a message is not accepted over HTTP: ${httpAnswer.brief}`);
      // A fresh message shows that the socket is being served. Otherwise silence would show nothing.
      const socketMessage = await request(context, peer, "message/send", messageOf(context));
      const socketAnswer = contentOf((await answersTo(context, socket, socketMessage))[0]);
      if (socketAnswer.task === undefined && repeatedOverSocket.task === undefined)
        return context.skip("SNAP-REPLAY-007", `a message is not accepted over WebSocket: ${socketAnswer.brief}`);
      context.expect(
        "SNAP-REPLAY-007",
        !isCarriedOut(httpAnswer, repeatedOverSocket),
        `a message that was accepted over HTTP is carried out again over WebSocket: ${repeatedOverSocket.brief}`,
      );
      const repeatedOverHttp = await ask(context, peer, socketMessage);
      context.expect(
        "SNAP-REPLAY-007",
        !isCarriedOut(socketAnswer, repeatedOverHttp),
        `a message that was accepted over WebSocket is carried out again over HTTP: ${repeatedOverHttp.brief}`,
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
      const pingsBefore = socket.pings();
      await context.pass(35_000);
      // A timer notices a moved clock only from time to time, or not at all.
      for (
        let waitedMs = 0;
        context.has("clock") && socket.pings() === pingsBefore && waitedMs < 35_000;
        waitedMs += 100
      )
        await context.wait(100);
      // The next answer arrives after everything that was sent before it.
      await answersTo(context, socket, await request(context, peer, "tasks/get", { taskId: "touchstone-none" }));
      context.expect(
        "SNAP-WS-002",
        socket.pings() > pingsBefore,
        "no ping arrives on a WebSocket that is open for 35 seconds",
      );
    },
  },
];
