import type { Acceptance } from "./acceptance.ts";
import { bounds } from "./bounds.ts";
import { branches } from "./branches.ts";
import { distinctItemsAcceptance } from "./distinct-items.ts";
import { members } from "./members.ts";
import { mixedTypesAcceptance } from "./mixed.ts";
import { openMembersAcceptance } from "./open-members.ts";
import { texts } from "./texts.ts";

/** All families of the accept side, in the order of their vectors. */
export const acceptances: readonly Acceptance[] = [
  branches,
  mixedTypesAcceptance,
  members,
  bounds,
  texts,
  openMembersAcceptance,
  distinctItemsAcceptance,
];
