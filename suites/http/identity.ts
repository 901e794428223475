import { type Credential, type Document, type Json, pointer } from "../../schemas/index.ts";
import { replace } from "./replace.ts";

/** What a credential looks like on its way. */
export function headerOf({ token, apikey }: Pick<Credential, "token" | "apikey">): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  return apikey === undefined ? {} : { "x-api-key": apikey };
}

/** The headers of a target as they are with a credential, and the agent that it stands for, unless they show another one. */
export function identified(
  own: Readonly<Record<string, string>>,
  credential: Credential,
): { headers: Readonly<Record<string, string>>; agent?: string } {
  const shown = headerOf(credential);
  const given = Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]));
  const isOther = ["authorization", "x-api-key"].some(
    (name) => given[name] !== undefined && given[name] !== shown[name],
  );
  return isOther ? { headers: own } : { headers: { ...shown, ...own }, agent: credential.agent };
}

/**
 * The message as this agent would send it; `sender` is where the protocol's messages name who sends them. Left alone where that is what the message is about, and where what stands there is no text.
 */
export function sentBy(
  agent: string,
  instance: Json,
  { sender: at, document, keep }: { sender: string | undefined; document: Document; keep: readonly string[] },
): Json {
  if (at === undefined || document.role !== "entry" || keep.some((kept) => pointer.related(kept, at))) return instance;
  return replace(instance, at, (there) => (typeof there === "string" ? agent : there));
}
