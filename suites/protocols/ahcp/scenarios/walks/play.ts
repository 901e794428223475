import type { Walks } from "../../../../../schemas/index.ts";
import { walksAlong } from "../../../../running/scenarios/walks/index.ts";
import { historiesOf } from "../histories/index.ts";
import { racesOf } from "./races.ts";
import { hub } from "./walks.ts";

/** The number of runs of each race, and of recorded histories of each kind. */
const rounds = 10;
const histories = 5;

/** Races, histories and walks against a live hub. */
export const walks: Walks = walksAlong(hub, (seed) => [
  ...racesOf({ seed, rounds }),
  ...historiesOf({ seed, rounds: histories }),
]);
