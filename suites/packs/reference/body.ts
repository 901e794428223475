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

/** The maximum size of a body, in bytes. */
export const maxBodyBytes: number = 32 * 1024 * 1024;

/** Returns the text that a variant reads in place of a JSON text; undefined if it refuses the text. */
export type BodySpelling = (text: string) => string | undefined;

const readers: Record<MediaType, (bytes: Uint8Array, name: string) => Text | Promise<Text>> = {
  "application/json": readJson,
  "application/yaml": readYaml,
};

/** Thrown if the body contains no value to judge. */
export class UnreadableBody extends Error {
  readonly kind: UnreadableKind;

  constructor(kind: UnreadableKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Reads the value of a request's body, and its bytes. `spelling` is how a variant reads JSON text. Throws `UnreadableBody` for an unsupported
 * media type, too many bytes, or a text that is malformed or not accepted.
 */
export async function readBody(
  request: Request,
  media: readonly MediaType[],
  spelling?: BodySpelling,
): Promise<{ value: Json; bytes: Uint8Array }> {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  const acceptedType = media.find((mediaType) => mediaType === type);
  if (acceptedType === undefined) {
    throw new UnreadableBody("media-type", `content type "${type}" is not supported: send ${media.join(" or ")}`);
  }
  const sentBytes = await bytesOf(request);
  const isYaml = acceptedType === "application/yaml";
  const bytes = isYaml ? sentBytes : respellBody(sentBytes, spelling);
  if (bytes === undefined) throw new UnreadableBody("unreadable", "is not accepted in this spelling");
  try {
    return { value: (await readers[isYaml ? acceptedType : "application/json"](bytes, "body")).value, bytes };
  } catch (error) {
    if (error instanceof TouchstoneError) throw new UnreadableBody("unreadable", error.message);
    throw error;
  }
}

/** The bytes of a text as a variant reads it; undefined if it refuses the text. Bytes that are not text are unchanged. */
export function respellBody(bytes: Uint8Array, spelling: BodySpelling | undefined): Uint8Array | undefined {
  if (spelling === undefined) return bytes;
  const original = Buffer.from(bytes);
  const text = original.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(original)) return bytes;
  const respelled = spelling(text);
  return respelled === undefined ? undefined : Buffer.from(respelled, "utf8");
}

/** Returns all bytes of a body. Throws `UnreadableBody` if there are too many. */
export async function bytesOf(request: Request): Promise<Uint8Array> {
  const length = request.headers.get("content-length");
  if (Number(length) > maxBodyBytes) throw tooLargeError();
  // The server enforces a declared length, so such a body is read in one call. Any other body is measured as it arrives.
  if (length !== null && !request.headers.has("transfer-encoding")) return new Uint8Array(await request.arrayBuffer());
  const bytes = gatherChunks();
  for await (const chunk of request.body ?? []) {
    bytes.add(chunk);
    if (bytes.size > maxBodyBytes) throw tooLargeError();
  }
  return bytes.join();
}

function tooLargeError(): UnreadableBody {
  return new UnreadableBody("too-large", `is larger than ${maxBodyBytes} bytes`);
}
