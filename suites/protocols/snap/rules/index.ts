import type { Checker } from "../../../../schemas/index.ts";
import { cardCheckers } from "./card.ts";
import { contextCheckers } from "./context.ts";
import { envelopeCheckers } from "./envelope.ts";
import { exchangeCheckers } from "./exchange.ts";
import { identityCheckers } from "./identity.ts";
import { nostrCheckers } from "./nostr.ts";
import { partCheckers } from "./part.ts";
import { payloadCheckers } from "./payload.ts";
import { refusalCheckers } from "./refusal.ts";
import { serviceCheckers } from "./service.ts";
import { signaturesCheckers } from "./signatures.ts";
import { signedCardCheckers } from "./signed-card.ts";
import { signingCheckers } from "./signing.ts";
import { streamCheckers } from "./stream.ts";
import { taskCheckers } from "./task.ts";
import { taskStateCheckers } from "./task-state.ts";
import { timeCheckers } from "./time.ts";
import { validationCheckers } from "./validation.ts";
import { versionCheckers } from "./version.ts";

/** The checks of the rules that have code. */
export const checkers: readonly Checker[] = [
  ...envelopeCheckers,
  ...validationCheckers,
  ...identityCheckers,
  ...signaturesCheckers,
  ...signingCheckers,
  ...timeCheckers,
  ...payloadCheckers,
  ...streamCheckers,
  ...partCheckers,
  ...cardCheckers,
  ...signedCardCheckers,
  ...nostrCheckers,
  ...versionCheckers,
  ...refusalCheckers,
  ...serviceCheckers,
  ...taskStateCheckers,
  ...taskCheckers,
  ...contextCheckers,
  ...exchangeCheckers,
];
