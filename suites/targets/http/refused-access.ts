import {
  declinedOf,
  type Endpoint,
  type Json,
  type Observation,
  type Profile,
  TargetFailure,
  TouchstoneError,
  unavailableOf,
} from "../../../schemas/index.ts";
import { namesSender } from "../../base/http/identity.ts";
import { hintForRefusal } from "../../base/http/refusal-hint.ts";
import type { Response } from "../../base/http/send.ts";
import { quote } from "../../base/text/show.ts";
import { conditionsOf, meetsCondition } from "./answer.ts";
import type { Sender } from "./http-exchange.ts";

/** Whether an answer concerns the sender: it has the status 401 or 403, and the protocol does not use it to answer a document. */
export function isAccess(
  { status }: Response,
  body: Json | undefined,
  endpoint: Endpoint,
  http: Profile["http"],
): boolean {
  if (status !== 401 && status !== 403) return false;
  const conditions = [
    ...conditionsOf(endpoint.accepted, http.accepted),
    ...conditionsOf(endpoint.rejected, http.rejected),
  ];
  return !conditions.some((condition) => meetsCondition(condition, status, body));
}

/** Interprets an answer that refuses every sender, or this one, and so does not judge the message. Throws a TouchstoneError if no message was accepted before, because then none will be. */
export function refusedAccess({ status, body }: Response, asker: Sender): Observation {
  const { question, agent, sender, isShown, hasTaken } = asker;
  if (status === 403 && agent !== undefined && !namesSender(agent, question, sender))
    return declinedOf(`the credential is ${agent}'s, and this message names another sender or none`, {
      kind: "other-sender",
      agent,
    });
  const hint = (status === 401 ? hintForRefusal(body) : undefined) ?? accessAdvice(status, agent, isShown);
  const bodyNote = body === "" ? "" : `; it said: ${quote(body)}`;
  if (hasTaken)
    return unavailableOf(
      new TargetFailure("errored", "access", `HTTP ${status}: ${hint}${bodyNote}`, {
        because: { kind: "access", status },
      }),
    );
  throw new TouchstoneError("target", `the server answers HTTP ${status}: ${hint}${bodyNote}`);
}

/** Names the setting to configure, on one line. */
export function accessAdvice(status: number, agent: string | undefined, isShown: boolean): string {
  if (status === 401)
    return isShown
      ? "it does not know the credentials given: check --header, target.headers and credentials.a"
      : 'give credentials, as --header "Authorization: Bearer …", target.headers or credentials.a';
  return agent === undefined
    ? "it accepts messages only from the agent of the credential: name that agent in the configuration as credentials.a.agent, or with init as --agent NAME"
    : `the given credentials are not those of ${agent}, the sender of the messages: check credentials.a.agent`;
}
