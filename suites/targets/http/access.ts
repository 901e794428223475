import { type Question, TargetFailure, TargetSkip, TouchstoneError } from "../../../schemas/index.ts";
import { names } from "../../http/identity.ts";
import { refusedFor } from "../../http/refused-for.ts";
import type { Response } from "../../http/send.ts";
import { quote } from "../../text/show.ts";

export interface Asked {
  /** As it was sent. */
  question: Question;
  /** Whom the configuration calls the sender of messages. */
  agent: string | undefined;
  /** Where the protocol's messages name who sends them. */
  sender: string;
  /** Whether credentials of any kind are sent. */
  isShown: boolean;
  /** Whether a message was taken before: then it is not the credentials that are wrong. */
  hasTaken: boolean;
}

/** Why a server lets nobody in, or not this sender: what to throw, since it says nothing about the message. */
export function refusedAccess({ status, body }: Response, asked: Asked): Error {
  const { question, agent, sender, isShown, hasTaken } = asked;
  if (status === 403 && agent !== undefined && !names(agent, question, sender))
    return new TargetSkip(`the credential is ${agent}'s, and this message names another sender or none`, {
      kind: "other-sender",
      agent,
    });
  const hint = (status === 401 ? refusedFor(body) : undefined) ?? advice(status, agent, isShown);
  const said = body === "" ? "" : `; it said: ${quote(body)}`;
  if (hasTaken)
    return new TargetFailure("errored", "access", `HTTP ${status}: ${hint}${said}`, {
      because: { kind: "access", status },
    });
  return new TouchstoneError("target", `the server answers HTTP ${status}: ${hint}${said}`);
}

/** What to configure, in one line. */
export function advice(status: number, agent: string | undefined, isShown: boolean): string {
  if (status === 401)
    return isShown
      ? "it does not know the credentials given: check --header, target.headers and credentials.a"
      : 'give credentials, as --header "Authorization: Bearer …", target.headers or credentials.a';
  return agent === undefined
    ? "it takes messages of the credential's own agent alone: name it in the configuration as credentials.a.agent, or with init as --agent NAME"
    : `the credentials given are not those of ${agent}, in whose name messages are sent: check credentials.a.agent`;
}
