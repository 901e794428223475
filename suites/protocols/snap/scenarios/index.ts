import type { Scenario } from "../../../../schemas/index.ts";
import { answers } from "./agent/answers.ts";
import { cards } from "./agent/card.ts";
import { checks } from "./agent/checks.ts";
import { freshness } from "./agent/freshness.ts";
import { heldScenarios } from "./agent/held.ts";
import { floods, http } from "./agent/http.ts";
import { limits } from "./agent/limits.ts";
import { nostr } from "./agent/nostr.ts";
import { payloads } from "./agent/payloads.ts";
import { refusedStreams } from "./agent/refused-streams.ts";
import { signatures } from "./agent/signatures.ts";
import { sockets } from "./agent/sockets.ts";
import { streams } from "./agent/streams.ts";
import { tasks } from "./agent/tasks.ts";
import { acceptanceScenarios } from "./requester/answers.ts";
import { finding } from "./requester/finding.ts";
import { followingScenarios } from "./requester/following.ts";
import { requests } from "./requester/requests.ts";
import { retries } from "./requester/retries.ts";

export { bounds } from "./bounds.ts";

/** The scenarios in the order of play. */
export const scenarios: readonly Scenario[] = [
  ...cards,
  ...signatures,
  ...checks,
  ...payloads,
  // Before freshness, so that an agent that confuses messages of a task fails here, and not in the rules about ids.
  ...tasks,
  ...freshness,
  ...answers,
  ...http,
  ...limits,
  ...streams,
  ...refusedStreams,
  ...sockets,
  ...nostr,
  // Played after all scenarios that make the agent speak.
  ...heldScenarios,
  // Played last, because a flood may affect every later request.
  ...floods,
  ...requests,
  ...acceptanceScenarios,
  ...retries,
  ...followingScenarios,
  ...finding,
];
