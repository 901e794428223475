import type {
  AnswerBreach,
  AnswerCondition,
  Endpoint,
  Json,
  Profile,
  Question,
  Reason,
} from "../../../schemas/index.ts";
import type { Response } from "../../base/http/send.ts";

/** An exchange with a server, and everything that is known when its answer is read. */
export interface ServerExchange {
  question: Question;
  route: Endpoint;
  http: Profile["http"];
  response: Response;
  /** Whether the message was addressed, dated and signed correctly. */
  isSealed: boolean;
  /** Conditions of answers that count as refusals, in addition to the endpoint's or the profile's own. */
  refusedWhen?: readonly AnswerCondition[];
  /** The reason why accepting the message shows nothing. */
  ignorable?: string | undefined;
  /** The member whose value the answer calls known from an earlier message. */
  clash?: string | undefined;
  /** The sender, if the protocol's messages name it. */
  asker?: Sender | undefined;
  /** The published limit that the message exceeds. */
  limit?: string | undefined;
  /** The breach by the answer itself. */
  breach?: AnswerBreach | undefined;
  /** The remedy if nothing is at the path. */
  absent?: string | undefined;
  /** The probable address if nothing is found. */
  elsewhere?: string | undefined;
  /** Whether the user configured credentials of the kinds that the description names. */
  areGiven?: boolean | undefined;
}

/** An exchange with its parsed answer. */
export interface Read extends ServerExchange {
  /** The text of the body; of a stream, its last event. */
  text: string;
  /** The parsed body; undefined if it is not JSON. */
  body: Json | undefined;
  /** The reasons of a refusal in the terms of the wire format. */
  denied: Reason[] | undefined;
  /** The conditions for acceptance of the endpoint, or of the profile. */
  accepts: readonly AnswerCondition[];
  refuses: readonly AnswerCondition[];
}

/** The sender, and its identity. */
export interface Sender {
  /** The question as sent. */
  question: Question;
  /** The sender of messages in the configuration. */
  agent: string | undefined;
  /** The place of the sender in the protocol's messages. */
  sender: string;
  /** Whether credentials of any kind are sent. */
  isShown: boolean;
  /** Whether a message was accepted before, so that the credentials must be correct. */
  hasTaken: boolean;
}
