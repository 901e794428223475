import type { Scenario } from "../../../../../schemas/index.ts";
import { access } from "./access.ts";
import { clarifications } from "./clarifications.ts";
import { consent } from "./consent.ts";
import { delivery, moments } from "./delivery.ts";
import { followingScenarios } from "./following.ts";
import { framing } from "./framing.ts";
import { handshakes } from "./handshake.ts";
import { languageScenarios } from "./languages.ts";
import { lateActions } from "./late-actions.ts";
import { manifests } from "./manifest.ts";
import { paceScenarios } from "./pace.ts";
import { profiles } from "./profiles.ts";
import { recipientScenarios } from "./recipients.ts";
import { recordedScenarios } from "./recorded.ts";
import { replies } from "./replies.ts";
import { settlingScenarios } from "./settling.ts";
import { timeouts } from "./timeouts.ts";

/** Scenarios with the suite as a subscriber of a producer, in the order of play. */
export const producing: readonly Scenario[] = [
  ...handshakes,
  ...consent,
  ...followingScenarios,
  moments,
  ...recordedScenarios,
  ...replies,
  ...settlingScenarios,
  ...clarifications,
  ...timeouts,
  ...paceScenarios,
  ...recipientScenarios,
  ...languageScenarios,
  ...delivery,
  ...framing,
  ...access,
  ...manifests,
  ...profiles,
  ...lateActions,
];
