import { type Json, type Protocol, protocolsNamed, type Session, TouchstoneError } from "../../schemas/index.ts";
import { packOf } from "../pack/load.ts";

/** What was recorded line by line, in the form in which the rules about sequences judge it. Throws a usage error where there are none. */
export async function sessionOf(protocol: Protocol, lines: Json[]): Promise<Session> {
  const { session } = await packOf(protocol);
  if (session !== undefined) return (await session()).session(lines);
  const others = await Promise.all(
    protocolsNamed("all").map(async (each) => ((await packOf(each)).session ? each.name : [])),
  );
  throw new TouchstoneError("usage", `${protocol.name} has no rules about sequences of messages`, {
    hint: `sessions are judged of ${others.flat().join(", ")}`,
  });
}
