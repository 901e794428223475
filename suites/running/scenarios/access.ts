import {
  type HttpReply,
  isObject,
  type Json,
  pointer,
  TargetFailure,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { hintForRefusal } from "../../base/http/refusal-hint.ts";
import { quote } from "../../base/text/show.ts";

export interface AccessPass {
  as: "a" | "b";
  /** The agent that the sender's credential belongs to. */
  agent: string | undefined;
  body: Json | undefined;
  /** The place of the sender in the protocol's messages. */
  sender: string | undefined;
}

/** Recognizes answers that refuse access. */
export interface AccessGate {
  /** Throws if an answer refuses a sender that should have access: a TouchstoneError if it never had access, otherwise a TargetFailure. */
  pass(reply: Pick<HttpReply, "status" | "text">, passing: AccessPass): void;
}

export function createAccessGate(): AccessGate {
  const admitted = new Set<string>();
  return {
    pass({ status, text }, passing) {
      const { as, agent } = passing;
      if (status >= 200 && status < 300) admitted.add(as);
      const isDenied =
        (status === 401 && !(admitted.has(as) && namesOtherAgent(passing))) ||
        (status === 403 && namesOwnAgent(passing));
      if (!isDenied) return;
      const hint =
        status === 401
          ? (hintForRefusal(text) ??
            `it refuses the agent of credentials.${as}: check credentials.${as}, or the given headers`)
          : `the credential in credentials.${as} does not belong to ${agent}, which the message names: correct credentials.${as}.agent, or the credential`;
      const problem = `the target answers HTTP ${status}: ${hint}${text === "" ? "" : `; it said: ${quote(text)}`}`;
      if (admitted.has(as)) throw new TargetFailure("errored", "access", problem);
      throw new TouchstoneError("target", problem);
    },
  };
}

/** Whether a message names a sender other than the agent of its credential. The answer then does not show whether the credential is correct. */
function namesOtherAgent({ agent, body, sender }: AccessPass): boolean {
  if (agent === undefined || sender === undefined || !isObject(body) || !pointer.has(sender, body)) return false;
  return pointer.at(sender, body) !== agent;
}

/** Whether a message names the agent of its credential. */
function namesOwnAgent({ agent, body, sender }: AccessPass): boolean {
  if (agent === undefined || sender === undefined || !isObject(body)) return false;
  return pointer.has(sender, body) && pointer.at(sender, body) === agent;
}
