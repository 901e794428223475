import { randomBytes } from "node:crypto";
import type { Judge, Protocol } from "../../../../../schemas/index.ts";
import { startClock } from "./clock.ts";
import { deliver } from "./deliver.ts";
import type { HubPolicy, RunningHub } from "./hub.ts";
import { fileJournal, heapJournal } from "./journal.ts";
import { note } from "./keeping.ts";
import { openVault } from "./keys.ts";
import { watchDeadline } from "./lifecycle.ts";
import { startLog } from "./log.ts";
import { correctHubPolicy } from "./policy.ts";
import { defaultLimits, type HubSettings } from "./settings.ts";
import { applyHappening, emptyStore } from "./store.ts";

/** The parts of the suite that a hub needs. */
export interface HubContext {
  protocol: Protocol;
  judge: Judge;
}

/** Opens a hub with the content of its journal. */
export function openHub(
  { protocol, judge }: HubContext,
  settings: HubSettings,
  policy: Partial<HubPolicy> = {},
  base: HubPolicy = correctHubPolicy,
): RunningHub {
  const hub: RunningHub = {
    settings,
    protocol,
    judge,
    limits: { ...defaultLimits, ...settings.limits },
    policy: { ...base, ...policy },
    clock: startClock(),
    journal: settings.journal === undefined ? heapJournal() : fileJournal(settings.journal),
    log: startLog(),
    store: emptyStore(),
    waiting: new Map(),
    submits: new Map(),
    names: new Map(),
    vault: openVault(settings),
    seed: randomBytes(32).toString("hex"),
    ending: new AbortController(),
  };
  restoreState(hub);
  return hub;
}

/** Drops the state in memory, like a crash, and restores it from the journal. */
export function restart(hub: RunningHub): void {
  hub.ending.abort();
  hub.ending = new AbortController();
  hub.clock.clear();
  hub.submits.clear();
  restoreState(hub, hub.policy.watchesDeadlinesAfterRestart);
  note(hub, "restarted");
}

export function close(hub: RunningHub): void {
  hub.ending.abort();
  hub.clock.clear();
  hub.journal.close();
}

/** Restores the state from the journal. Resumes pending deliveries, and deadlines if they are watched. */
function restoreState(hub: RunningHub, isWatched = true): void {
  hub.store = emptyStore();
  for (const event of hub.journal.read()) applyHappening(hub.store, event);
  for (const entry of hub.store.entries.values()) {
    if (isWatched) watchDeadline(hub, entry);
    if (entry.envelope !== undefined && entry.push === "pending" && hub.policy.resumesPushes) deliver(hub, entry);
  }
}
