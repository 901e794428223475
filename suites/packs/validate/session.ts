import {
  type Json,
  type Protocol,
  protocolsNamed,
  type Session,
  type SessionReader,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { packOf } from "../pack/load.ts";

/** The reader for recorded sessions of a protocol. Throws a usage error if the protocol has no rules about sequences. */
export async function readerOf(protocol: Protocol): Promise<SessionReader> {
  const { session } = await packOf(protocol);
  if (session !== undefined) return (await session()).session;
  const protocolsWithSessions = await Promise.all(
    protocolsNamed("all").map(async (other) => ((await packOf(other)).session ? other.name : [])),
  );
  throw new TouchstoneError("usage", `${protocol.name} has no rules about sequences of messages`, {
    hint: `protocols with such rules: ${protocolsWithSessions.flat().join(", ")}`,
  });
}

/** The index of the line that contains an item of the session's list. `pointer` leads to the item in the session's value. */
export function lineAt({ at, lines }: Session, pointer: string, allLines: readonly Json[]): number {
  const item = Number(pointer.slice(at.length + 1).split("/")[0]);
  const line = lines === undefined ? item : (lines[item] ?? 0);
  return Math.min(Number.isInteger(line) ? line : 0, Math.max(0, allLines.length - 1));
}
