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

/** One exchange with a server, and all that is known when its answer is read. */
export interface ServerExchange {
  question: Question;
  route: Endpoint;
  http: Profile["http"];
  response: Response;
  /** The message was addressed, dated and signed as it should be. */
  isSealed: boolean;
  /** Answers that refuse, beside those of the endpoint or the profile. */
  refusedWhen?: readonly AnswerCondition[];
  /** Why to accept the message says nothing. */
  ignorable?: string | undefined;
  /** The member with a value that the answer calls known from an earlier message. */
  clash?: string | undefined;
  /** The sender, if the protocol's messages name it. */
  asker?: Sender | undefined;
  /** The published limit that the message is over. */
  limit?: string | undefined;
  /** The fault of the answer itself. */
  breach?: AnswerBreach | undefined;
  /** The remedy if nothing is at the path. */
  absent?: string | undefined;
  /** The probable address if nothing is found. */
  elsewhere?: string | undefined;
  /** Whether there are credentials of the kinds that the description names. */
  areGiven?: boolean | undefined;
}

/** An exchange with its parsed answer. */
export interface Read extends ServerExchange {
  /** Of a stream, its last event. */
  text: string;
  /** Undefined if it is not JSON. */
  body: Json | undefined;
  /** The fault in the words of the wire format. */
  denied: Reason[] | undefined;
  /** The conditions of the endpoint, or of the profile. */
  accepts: readonly AnswerCondition[];
  refuses: readonly AnswerCondition[];
}

/** The sender, and its identity. */
export interface Sender {
  /** As it was sent. */
  question: Question;
  /** The sender of messages in the configuration. */
  agent: string | undefined;
  /** The place of the sender in the protocol's messages. */
  sender: string;
  /** Whether credentials of any kind are sent. */
  isShown: boolean;
  /** Whether a message was accepted before: then the credentials are not wrong. */
  hasTaken: boolean;
}
