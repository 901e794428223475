export { rareValue } from "./draw.ts";
export { stepsFrom, walkText } from "./file.ts";
export { Divergence, type Must, type WalkModel } from "./model.ts";
export { type StateBefore as Before, walksAlong } from "./play.ts";
export {
  type Mishap,
  mishapIn,
  mishaps,
  type PostTurn as Turn,
  postFor,
  turns,
  type WalkPost as Post,
} from "./post.ts";
export { countIn, oneOf, stepsOf } from "./steps.ts";
export { walkAlong, walksOf } from "./walk.ts";
