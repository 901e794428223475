import type { Scenario } from "../../../../schemas/index.ts";
import { accessScenarios } from "./access.ts";
import { answeringScenarios } from "./answers.ts";
import { callbackSpelling } from "./callback-spelling.ts";
import { cancellation } from "./cancel.ts";
import { deadlines } from "./deadlines.ts";
import { delivery } from "./delivery.ts";
import { deliveryToken } from "./delivery-token.ts";
import { destinations } from "./destinations.ts";
import { discovery } from "./discovery.ts";
import { documents } from "./documents.ts";
import { documentsExpired } from "./documents-expired.ts";
import { doubtfulInputScenarios } from "./doubtful-input.ts";
import { drawnScenarios } from "./drawn.ts";
import { durability } from "./durability.ts";
import { durablePushes } from "./durable-pushes.ts";
import { endings } from "./endings.ts";
import { envelope } from "./envelope.ts";
import { expiry } from "./expiry.ts";
import { fetches } from "./fetches.ts";
import { finality } from "./finality.ts";
import { forms } from "./forms.ts";
import { hollowScenarios } from "./hollow-messages.ts";
import { idempotency } from "./idempotency.ts";
import { instants } from "./instants.ts";
import { earlyKeepingScenarios, keepingScenarios } from "./keeping.ts";
import { keyScenarios } from "./keys.ts";
import { lifecycle } from "./lifecycle.ts";
import { limits } from "./limits.ts";
import { logs } from "./logs.ts";
import { longPolls } from "./long-polls.ts";
import { memberNames } from "./member-names.ts";
import { opacity } from "./opacity.ts";
import { outcomeStates } from "./outcome-states.ts";
import { outcomes } from "./outcomes.ts";
import { reading } from "./reading.ts";
import { resolverScenarios } from "./resolvers.ts";
import { requireServingHub } from "./serving.ts";
import { signatures } from "./signatures.ts";
import { unabridgedScenarios } from "./unabridged.ts";
import { versions } from "./versions.ts";

export { bounds } from "./bounds.ts";

/** The scenarios in the order of play. Rules on which others depend are first. */
export const scenarios: readonly Scenario[] = [
  ...documents,
  ...versions,
  ...memberNames,
  ...envelope,
  ...idempotency,
  ...keyScenarios,
  ...lifecycle,
  ...finality,
  ...answeringScenarios,
  ...forms,
  ...drawnScenarios,
  ...hollowScenarios,
  ...cancellation,
  ...reading,
  ...unabridgedScenarios,
  ...longPolls,
  ...accessScenarios,
  ...expiry,
  ...deadlines,
  ...documentsExpired,
  ...instants,
  ...resolverScenarios,
  ...discovery,
  // These must precede restarts and scenarios that move the clock by days.
  ...earlyKeepingScenarios,
  ...signatures,
  ...callbackSpelling,
  ...delivery,
  ...deliveryToken,
  ...outcomeStates,
  ...outcomes,
  ...endings,
  ...opacity,
  ...doubtfulInputScenarios,
  ...destinations,
  ...fetches,
  ...logs,
  ...durability,
  ...durablePushes,
  // These move the clock by months, after which all deadlines of other scenarios have passed.
  ...keepingScenarios,
  // These must be last, because a burst may affect all later requests.
  ...limits,
].map(requireServingHub);
