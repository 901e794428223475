import type { RuleFamily } from "../../../../schemas/index.ts";
import { card } from "./card.ts";
import { context } from "./context.ts";
import { envelope } from "./envelope.ts";
import { exchange } from "./exchange.ts";
import { identity } from "./identity.ts";
import { nostr } from "./nostr.ts";
import { part } from "./part.ts";
import { payload } from "./payload.ts";
import { refusal } from "./refusal.ts";
import { service } from "./service.ts";
import { signatures } from "./signatures.ts";
import { signedCard } from "./signed-card.ts";
import { signing } from "./signing.ts";
import { stream } from "./stream.ts";
import { task } from "./task.ts";
import { taskState } from "./task-state.ts";
import { time } from "./time.ts";
import { validation } from "./validation.ts";
import { version } from "./version.ts";

/** The semantic rules, family by family. */
export const families: readonly RuleFamily[] = [
  envelope,
  validation,
  identity,
  signatures,
  signing,
  time,
  payload,
  stream,
  part,
  card,
  signedCard,
  nostr,
  version,
  refusal,
  service,
  taskState,
  task,
  context,
  exchange,
];
