import type { Walks } from "../../../../../schemas/index.ts";
import { walksAlong } from "../../../../running/scenarios/walks/index.ts";
import { historiesOf } from "../histories/index.ts";
import { racesOf } from "./races.ts";
import { hub } from "./walks.ts";

const roundsPerRace = 10;
const historiesPerKind = 5;

/** Races, histories and walks against a live hub. */
export const walks: Walks = walksAlong(hub, (seed) => [
  ...racesOf({ seed, rounds: roundsPerRace }),
  ...historiesOf({ seed, rounds: historiesPerKind }),
]);
