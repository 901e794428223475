import {
  type Json,
  type MediaType,
  readJson,
  readYaml,
  type Text,
  TouchstoneError,
  type UnreadableKind,
} from "../../../schemas/index.ts";
import { gatherChunks } from "../../base/process/chunks.ts";

/** The maximum bytes of a body that is read. */
export const bodyLimit: number = 32 * 1024 * 1024;

/** Returns the value to read in place of a JSON text; undefined if the text is refused. */
export type BodySpelling = (text: string) => string | undefined;

const readers: Record<MediaType, (bytes: Uint8Array, name: string) => Text | Promise<Text>> = {
  "application/json": readJson,
  "application/yaml": readYaml,
};

/** Thrown if the body contains no value to judge. */
export class Unreadable extends Error {
  readonly kind: UnreadableKind;

  constructor(kind: UnreadableKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The value in a request's body, and its bytes; `spelled` reads the JSON. Throws `Unreadable` for another media type, too many bytes, or a text that is malformed or not accepted. */
export async function readBody(
  request: Request,
  media: readonly MediaType[],
  spelled?: BodySpelling,
): Promise<{ value: Json; bytes: Uint8Array }> {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  const known = media.find((mediaType) => mediaType === type);
  if (known === undefined) {
    throw new Unreadable("media-type", `content type "${type}" is not read here: send ${media.join(" or ")}`);
  }
  const sent = await bytesOf(request);
  const isYaml = known === "application/yaml";
  const bytes = isYaml ? sent : respellBody(sent, spelled);
  if (bytes === undefined) throw new Unreadable("unreadable", "is not accepted in this spelling");
  try {
    return { value: (await readers[isYaml ? known : "application/json"](bytes, "body")).value, bytes };
  } catch (error) {
    if (error instanceof TouchstoneError) throw new Unreadable("unreadable", error.message);
    throw error;
  }
}

/** The bytes of a text as a variant reads it; undefined if it refuses the text. Bytes that are not text are unchanged. */
export function respellBody(bytes: Uint8Array, spelled: BodySpelling | undefined): Uint8Array | undefined {
  if (spelled === undefined) return bytes;
  const sent = Buffer.from(bytes);
  const text = sent.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(sent)) return bytes;
  const read = spelled(text);
  return read === undefined ? undefined : Buffer.from(read, "utf8");
}

/** All bytes of a body. Throws `Unreadable` if there are too many. */
export async function bytesOf(request: Request): Promise<Uint8Array> {
  const length = request.headers.get("content-length");
  if (Number(length) > bodyLimit) throw tooLarge();
  // The socket enforces a declared length, so such a body is read at once; any other is counted as it arrives.
  if (length !== null && !request.headers.has("transfer-encoding")) return new Uint8Array(await request.arrayBuffer());
  const bytes = gatherChunks();
  for await (const chunk of request.body ?? []) {
    bytes.add(chunk);
    if (bytes.size > bodyLimit) throw tooLarge();
  }
  return bytes.bytes();
}

function tooLarge(): Unreadable {
  return new Unreadable("too-large", `is larger than ${bodyLimit} bytes`);
}
