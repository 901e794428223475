import { isObject, type ScenarioContext, type StreamReply, TargetSkip } from "../../../../schemas/index.ts";
import { readPublished } from "../../ahcp/scenarios/published.ts";
import { submit } from "../../ahcp/scenarios/steps.ts";
import { requireDirective } from "./person.ts";
import { type AgentName, addressOf, messageTo, publishedMailboxes, trackOf } from "./talk.ts";

/** The published stream of a hub. */
interface PublishedStream {
  path: string;
  /** The maximum duration of a stream, in milliseconds. */
  holdMs: number;
  /** Whether the published URL belongs to the tested hub. */
  isHere: boolean;
}

/** Reads the published stream. Throws a TargetSkip for a hub that does not offer streams. */
export async function publishedStream(context: ScenarioContext): Promise<PublishedStream> {
  const { stream_url: address, stream_max_hold_seconds: hold } = (await publishedMailboxes(context)) ?? {};
  if (typeof address !== "string" || !URL.canParse(address)) throw new TargetSkip("the hub does not stream entries");
  const base = new URL(context.setting.url ?? address);
  const { origin, pathname, search } = new URL(address);
  const basePath = base.pathname.replace(/\/$/, "");
  const path = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : pathname;
  return {
    path: `${path}${search}`,
    holdMs: (typeof hold === "number" ? hold : 60) * 1000,
    isHere: origin === base.origin && pathname.startsWith(basePath),
  };
}

/** Requests the stream of a session, or a stream without a session. */
export async function connect(
  context: ScenarioContext,
  session: string | undefined,
  as: AgentName = "a",
): Promise<StreamReply> {
  const { path } = await publishedStream(context);
  const query = session === undefined ? "" : `${path.includes("?") ? "&" : "?"}session=${encodeURIComponent(session)}`;
  return context.stream({
    method: "GET",
    path: `${path}${query}`,
    body: "",
    headers: { accept: "text/event-stream" },
    as,
  });
}

/** Opens the stream of a live session. Throws a TargetSkip if the hub refuses, because another rule judges refusals. */
export async function mustConnect(context: ScenarioContext, session: string): Promise<StreamReply> {
  const stream = await connect(context, session);
  if (stream.status !== 200) throw new TargetSkip(`a stream is refused with HTTP ${stream.status}`);
  return stream;
}

/** Mail that a stream may deliver. */
export interface StreamedMail {
  id: string;
  /** Whether it is a message from an agent rather than a directive from the person. */
  isMessage: boolean;
  /** Reads the state of the mail; undefined if nothing shows it. */
  state(): Promise<unknown>;
}

/** Sends a message, or a directive if agents cannot write to each other, to agent `a` or its session. Throws a TargetSkip if neither is possible. */
export async function sendMail(context: ScenarioContext, session?: string): Promise<StreamedMail> {
  const to = addressOf(context, "a", session);
  const { inter_agent: interAgent } = await readPublished(context);
  if (isObject(interAgent) && interAgent.enabled === true) {
    const { id } = await submit(context, messageTo(context, "notify", to));
    return { id, isMessage: true, state: async () => (await trackOf(context, id)).state };
  }
  if (!context.has("direct")) throw new TargetSkip("the suite can send neither a message nor a directive");
  const id = await requireDirective(context, { to, title: "d" });
  const state = async (): Promise<unknown> =>
    context.has("track") ? (await context.hook("track", { id })).state : undefined;
  return { id, isMessage: false, state };
}
