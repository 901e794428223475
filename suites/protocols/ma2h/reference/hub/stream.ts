import type { JsonObject } from "../../../../../schemas/index.ts";
import type { MessageSpelling } from "../../../../packs/pack/renamed-scenarios.ts";
import { fault, type HubReply } from "../../../ahcp/reference/hub/reply.ts";
import { claimEntries } from "./inbox.ts";
import { type PostOffice, settle } from "./post.ts";
import { publishedLimits } from "./post-decisions.ts";
import { findPresented, isSession, renew } from "./sessions.ts";

/** A request to stream the entries of a mailbox. */
interface EntryStreamRequest {
  query: URLSearchParams;
  signal: AbortSignal;
  spelling: MessageSpelling;
}

/** Milliseconds between two checks of the mailbox. */
const pollIntervalMs = 20;

/** Opens a stream of a session's entries as server-sent events, or returns the refusal. */
export function openStream(
  office: PostOffice,
  principal: string,
  { query, signal, spelling }: EntryStreamRequest,
): Response | HubReply {
  const { hub, post, decisions } = office;
  const session = findPresented(office, principal, query.get("session"), "stream");
  if (session === undefined) return fault("validation_error", "name a session");
  if (!isSession(session)) return session;
  const { clock, ending } = hub;
  if (decisions.countsAsSeen("stream")) post.seen.set(principal, clock.now());
  const endAt = decisions.streamEnd(clock.now() + publishedLimits.hold * 1000, session.expiresAt);
  const isOver = (): boolean =>
    signal.aborted || ending.signal.aborted || clock.now() >= endAt || session.state !== "active";
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(encoder.encode(": entries\n\n"));
      while (!isOver()) {
        settle(office);
        if (decisions.renewsWhileStreaming) renew(office, session, "stream");
        for (const entry of claimEntries(office, principal, session.id, { max: null, spelling, channel: "stream" }))
          for (const event of eventsOf(decisions.streamedEntry(entry))) controller.enqueue(encoder.encode(event));
        await new Promise((done) => setTimeout(done, pollIntervalMs));
      }
      if (!signal.aborted) controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
}

/** The server-sent event for an entry; none if it is not sent. */
function eventsOf(entry: JsonObject | undefined): string[] {
  return entry === undefined ? [] : [`event: entry\ndata: ${JSON.stringify(entry)}\n\n`];
}
