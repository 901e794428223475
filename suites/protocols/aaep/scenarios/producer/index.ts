import type { Scenario } from "../../../../../schemas/index.ts";
import { accessScenarios } from "./access.ts";
import { clarificationScenarios } from "./clarifications.ts";
import { consentScenarios } from "./consent.ts";
import { deliveryScenarios, timestampScenario } from "./delivery.ts";
import { followingScenarios } from "./following.ts";
import { framingScenarios } from "./framing.ts";
import { handshakeScenarios } from "./handshake.ts";
import { languageScenarios } from "./languages.ts";
import { lateActionScenarios } from "./late-actions.ts";
import { manifestScenarios } from "./manifest.ts";
import { paceScenarios } from "./pace.ts";
import { profileScenarios } from "./profiles.ts";
import { recipientScenarios } from "./recipients.ts";
import { recordedScenarios } from "./recorded.ts";
import { replyScenarios } from "./replies.ts";
import { settlingScenarios } from "./settling.ts";
import { timeoutScenarios } from "./timeouts.ts";

/** Scenarios with the suite as a subscriber of a producer, in the order of play. */
export const producerScenarios: readonly Scenario[] = [
  ...handshakeScenarios,
  ...consentScenarios,
  ...followingScenarios,
  timestampScenario,
  ...recordedScenarios,
  ...replyScenarios,
  ...settlingScenarios,
  ...clarificationScenarios,
  ...timeoutScenarios,
  ...paceScenarios,
  ...recipientScenarios,
  ...languageScenarios,
  ...deliveryScenarios,
  ...framingScenarios,
  ...accessScenarios,
  ...manifestScenarios,
  ...profileScenarios,
  ...lateActionScenarios,
];
