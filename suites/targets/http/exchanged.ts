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
export interface Exchanged {
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
  /** The member whose value the answer says is known from an earlier message. */
  clash?: string | undefined;
  /** Who asks, where the protocol's messages name their sender. */
  asker?: Sender | undefined;
  /** The published limit that the message is over. */
  limit?: string | undefined;
  /** What is wrong with the answer itself. */
  breach?: AnswerBreach | undefined;
  /** What to do where nothing is at the path. */
  absent?: string | undefined;
  /** The address that may be meant where nothing is found. */
  elsewhere?: string | undefined;
  /** Whether there are credentials of the kinds that the description names. */
  areGiven?: boolean | undefined;
}

/** An exchange with its answer taken apart. */
export interface Read extends Exchanged {
  /** Of a stream, its last event. */
  text: string;
  /** Undefined where it is no JSON. */
  body: Json | undefined;
  /** What is wrong in the words of the wire format. */
  denied: Reason[] | undefined;
  /** The conditions of the endpoint, or of the profile. */
  accepts: readonly AnswerCondition[];
  refuses: readonly AnswerCondition[];
}

/** Who asks, and as whom. */
export interface Sender {
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
