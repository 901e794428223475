import type { Acceptance } from "./acceptance.ts";
import { bounds } from "./bounds.ts";
import { branches } from "./branches.ts";
import { members } from "./members.ts";
import { mixed } from "./mixed.ts";
import { open } from "./open.ts";
import { texts } from "./texts.ts";
import { unlike } from "./unlike.ts";

/** All families of the accept side, in the order of their vectors. */
export const acceptances: readonly Acceptance[] = [branches, mixed, members, bounds, texts, open, unlike];
