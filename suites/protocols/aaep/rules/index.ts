import type { Checker } from "../../../../schemas/index.ts";
import { consentCheckers } from "./consent.ts";
import { envelopeCheckers } from "./envelope.ts";
import { extensionCheckers } from "./extension.ts";
import { grantCheckers } from "./grant.ts";
import { languageCheckers } from "./language.ts";
import { manifestCheckers } from "./manifest.ts";
import { memberCheckers } from "./member.ts";
import { payloadCheckers } from "./payload.ts";
import { publishedCheckers } from "./published.ts";
import { questionCheckers } from "./question.ts";
import { scriptCheckers } from "./script.ts";
import { secretCheckers } from "./secret.ts";
import { sizeCheckers } from "./size.ts";
import { summaryCheckers } from "./summary.ts";
import { textCheckers } from "./text.ts";
import { replyTimeCheckers } from "./timestamp.ts";
import { askingCheckers } from "./trace/asking.ts";
import { callCheckers } from "./trace/call.ts";
import { completionCheckers } from "./trace/completion.ts";
import { deliveryCheckers } from "./trace/delivery.ts";
import { followingCheckers } from "./trace/following.ts";
import { lifecycleCheckers } from "./trace/lifecycle.ts";
import { numberCheckers } from "./trace/number.ts";
import { orderCheckers } from "./trace/order.ts";
import { outputCheckers } from "./trace/output.ts";
import { paceCheckers } from "./trace/pace.ts";
import { permissionCheckers } from "./trace/permission.ts";
import { positionCheckers } from "./trace/position.ts";
import { rejectionCheckers } from "./trace/rejection.ts";
import { replyCheckers } from "./trace/reply.ts";
import { stateCheckers } from "./trace/state.ts";
import { subscriptionCheckers } from "./trace/subscription.ts";
import { wordingCheckers } from "./trace/wording.ts";
import { typeCheckers } from "./type.ts";
import { urgencyCheckers } from "./urgency.ts";

/** The checkers of all rules that need code. */
export const checkers: readonly Checker[] = [
  ...consentCheckers,
  ...envelopeCheckers,
  ...extensionCheckers,
  ...grantCheckers,
  ...languageCheckers,
  ...manifestCheckers,
  ...memberCheckers,
  ...replyTimeCheckers,
  ...payloadCheckers,
  ...publishedCheckers,
  ...questionCheckers,
  ...scriptCheckers,
  ...secretCheckers,
  ...sizeCheckers,
  ...summaryCheckers,
  ...textCheckers,
  ...askingCheckers,
  ...callCheckers,
  ...completionCheckers,
  ...deliveryCheckers,
  ...followingCheckers,
  ...lifecycleCheckers,
  ...numberCheckers,
  ...orderCheckers,
  ...outputCheckers,
  ...paceCheckers,
  ...permissionCheckers,
  ...positionCheckers,
  ...rejectionCheckers,
  ...replyCheckers,
  ...stateCheckers,
  ...subscriptionCheckers,
  ...wordingCheckers,
  ...typeCheckers,
  ...urgencyCheckers,
];
